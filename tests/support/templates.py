"""The fields that the templates of sentences ask for."""

import re


def template_fields(template: str) -> frozenset[str]:
    """The names of the fields, without their marks and words."""
    return frozenset(re.findall(r"\{@?(\w+)[^{}]*\}", template))
