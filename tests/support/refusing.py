"""What a call refuses, said in one line."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from kdvision.rules import RulesError


def refuses(
    sentence: str,
    call: Callable[..., object],
    *arguments: Any,
    error: type[Exception] = RulesError,
    **options: Any,
) -> None:
    """Check that a call with these arguments raises an error that holds the sentence."""
    with pytest.raises(error, match=re.escape(sentence)):
        call(*arguments, **options)
