"""Pages in the language of who opens them."""

from functools import cache, partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from kdvision.sentences import catalogue, sentence
from kdvision.serve.languages import language_of
from kdvision.serve.refusals import Refusal

_TEMPLATES = Path(__file__).parent / "templates"


def page(request: Request, name: str, *, status: int = 200, **values: object) -> Response:
    """Answer with a page in the language of a browser; values are escaped.

    Args:
        request: Whose language it is.
        name: The file of its template, which says sentences by `say`, and gives its scripts those
            with some beginnings by `sentences("page.")`.
        status: The status of the answer.
        values: What the template names.
    """
    language = language_of(request)

    def sentences(*beginnings: str) -> dict[str, str]:
        texts = catalogue(language).items()
        return {key: text for key, text in texts if key.startswith(beginnings)}

    say = partial(sentence, language=language)
    words = {"language": language, "say": say, "say_in": sentence, "sentences": sentences}
    return HTMLResponse(_templates().get_template(name).render(words | values), status)


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    templates.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return templates


def sign_in_page(request: Request, error: Refusal) -> Response:
    """Answer with the page that asks for the password, and say why."""
    why = "" if error.code == "needs-password" else error.text(language_of(request))
    answer = page(request, "sign_in.html", status=error.status_code, reason=why)
    answer.headers.update(error.headers or {})
    return answer
