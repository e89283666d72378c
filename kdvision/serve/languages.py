"""The language of a phone: the one that was chosen on the page, else what its browser likes."""

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from kdvision.sentences import ENGLISH, languages

#: The cookie of the language that a person chose on the page.
LANGUAGE_COOKIE = "kdscore-language"
#: Seconds for which a phone keeps a language: a year.
_LANGUAGE_S = 365 * 24 * 3600
#: The weight of a language in `Accept-Language`, from 0 for none at all to 1.
_WEIGHT = re.compile(r";\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$")


def language_of(request: Request) -> str:
    """Return the language that a person chose, else the one that the browser likes most."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    if chosen in languages():
        return str(chosen)
    weights: dict[str, float] = {}
    for part in request.headers.get("accept-language", "").split(","):
        weight = _WEIGHT.search(part)
        language = part.split(";")[0].strip().lower().split("-")[0]
        if language in languages():
            value = float(weight[1]) if weight else 1.0
            weights[language] = max(value, weights.get(language, 0.0))
    best = max(weights, key=lambda language: weights[language], default=ENGLISH)
    return best if weights.get(best) else ENGLISH


def keep_language(request: Request, language: str) -> Response:
    """Lead back to the page, in a language that a person chose."""
    answer = RedirectResponse("/", 303)
    if language in languages():
        secure = request.url.scheme == "https"
        options: dict[str, Any] = {"max_age": _LANGUAGE_S, "samesite": "strict", "secure": secure}
        answer.set_cookie(LANGUAGE_COOKIE, language, httponly=True, **options)
    return answer
