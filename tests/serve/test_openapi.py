"""The description of the interface: valid, of exactly the routes that there are, and true."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from kdvision.serve.app import openapi_file
from tests.support.desk import desk
from tests.support.serving import sample, send

SPEC: dict[str, Any] = json.loads(openapi_file().read_text("utf-8"))
METHODS = ("get", "post", "put", "patch", "delete")
PLACEHOLDER = re.compile(r"\{(\w+)\}")


def operations() -> set[tuple[str, str]]:
    """Method and path of everything that is described."""
    return {
        (method.upper(), path)
        for path, about in SPEC["paths"].items()
        for method in METHODS
        if method in about
    }


def test_it_is_openapi() -> None:
    assert list(OpenAPIV31SpecValidator(SPEC).iter_errors()) == []


def test_what_is_wrong_is_found() -> None:
    wrong = json.loads(json.dumps(SPEC))
    del wrong["info"]["title"]
    assert list(OpenAPIV31SpecValidator(wrong).iter_errors()) != []


def test_it_describes_the_routes_for_programs_and_no_others(client: TestClient) -> None:
    routes = [one for one in client.app.routes if not isinstance(one, Mount)]  # type: ignore[attr-defined]
    there = {
        (method, one.path_format)
        for one in routes
        if isinstance(one, Route) and one.path.startswith(("/api/", "/healthz"))
        for method in (one.methods or ()) - {"HEAD"}
    }
    assert operations() == there


def test_every_operation_has_a_name_of_its_own_and_describes_its_parameters() -> None:
    names = []
    for path, about in SPEC["paths"].items():
        for method in METHODS:
            if method not in about:
                continue
            names.append(about[method]["operationId"])
            given = [*about.get("parameters", ()), *about[method].get("parameters", ())]
            in_path = {one["name"] for one in given if one["in"] == "path"}
            assert in_path == set(PLACEHOLDER.findall(path))
            if method != "get":
                assert "403" in about[method]["responses"]
    assert len(names) == len(set(names))


def test_it_is_served(client: TestClient) -> None:
    answer = client.get("/api/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == SPEC


def check(answer: Any, path: str, method: str = "get") -> Any:
    """Hold an answer against what is described of it; its JSON."""
    described = SPEC["paths"][path][method]["responses"][str(answer.status_code)]
    if "$ref" in described:
        described = SPEC["components"]["responses"][described["$ref"].rsplit("/", 1)[1]]
    for name in described.get("headers", ()):
        assert name.lower() in answer.headers
    if "content" not in described:
        assert answer.content == b""
        return None
    (kind,) = described["content"]
    assert answer.headers["content-type"].split(";")[0] == kind
    schema = described["content"][kind].get("schema")
    if schema is not None:
        whole = {**schema, "components": SPEC["components"]}
        jsonschema.Draft202012Validator(whole).validate(answer.json())
    return answer.json() if kind == "application/json" else None


def test_the_answers_are_as_described(client: TestClient) -> None:
    form = {"files": {"photo": ("a.jpg", sample("two_kingdoms.jpg"))}, "data": {"key": "k"}}
    photo = check(client.post("/api/photos", **form), "/api/photos", "post")
    check(client.post("/api/photos", **form), "/api/photos", "post")
    one = f"/api/photos/{photo['id']}"
    for part in ("", "/overlay", "/picture"):
        check(client.get(f"{one}{part}"), f"/api/photos/{{id}}{part}")
    boards = "/api/photos/{id}/boards/{letter}"
    for letter in ("A", "C"):
        check(client.get(f"{one}/boards/{letter}"), boards)
    for place in ("A.a1", "B.z0", "A.9"):
        check(client.get(f"{one}/squares/{place}"), "/api/photos/{id}/squares/{place}")
    for options in ({"harmony": True}, {"harmony": 1}):
        path = "/api/photos/{id}/options"
        check(client.post(f"{one}/options", json=options), path, "post")
    fixes = "/api/photos/{id}/fixes"
    check(client.post(f"{one}/fixes", json={"A.a1": "W"}), fixes, "post")
    check(client.post(f"{one}/fixes", json={"A.a1": "X"}), fixes, "post")
    game = {"photo": photo["id"], "players": {"A": "Ada", "B": "Ben"}}
    check(client.post("/api/games", json=game), "/api/games", "post")
    written = {"name.3": "Cleo", "harmony": True, f"kingdom.{photo['id']}.A": 3}
    for fields in (written, {"name.3": "Ben"}, {"name.9": "Ben"}):
        check(client.patch("/api/games/1", json=fields), "/api/games/{game}", "patch")
    tag = {"if-none-match": client.get("/api/games").headers["etag"]}
    check(client.get("/api/games", headers=tag), "/api/games")
    for path in (
        "/api/games", "/api/standings", "/api/export.csv", "/api/export.xlsx", "/healthz"
    ):  # fmt: skip
        check(client.get(path), path)


def test_the_answers_of_a_desk_are_as_described(tmp_path: Path) -> None:
    with desk(tmp_path) as at:
        where = {"round": "1", "table": "1", "player": "Ada", "by": "Jo"}
        check(at.claim("1", "1", Ada=3, Zoe=7), "/api/table/claims", "post")
        photo = at.upload("C F1 F F F")
        check(at.hand_in("1", "1", photo, Ada="", Zoe=""), "/api/table/photos", "post")
        check(at.claim("1", "1", Ada=9), "/api/table/claims", "post")
        check(at.client.get("/api/table?round=1&table=1"), "/api/table")
        check(at.decide("1", "1", "Ada", "photo"), "/api/board/decisions", "post")
        check(at.client.post("/api/table/accept", json=where), "/api/table/accept", "post")
        squares = {**where, "fixes": {"c1": "F1"}}
        check(at.client.post("/api/table/proposals", json=squares), "/api/table/proposals", "post")
        check(at.client.get("/api/board"), "/api/board")
        for path, body in (
            ("/api/board/corrections", squares),
            ("/api/board/letters", {**where, "letters": {"Ada": "A"}}),
            ("/api/board/reopen", where),
        ):
            check(at.client.post(path, json=body), path, "post")
        check(at.client.get("/api/board/codes"), "/api/board/codes")
        for name in ("", "/log", "/export.csv", "/export.xlsx"):
            check(at.client.get(f"/api/board{name}"), f"/api/board{name}")
        check(at.client.get("/api/board/code.svg?round=1&table=1"), "/api/board/code.svg")
        tag = check_tag(at.client.get("/api/beamer"))
        check(at.client.get("/api/beamer", headers={"if-none-match": tag}), "/api/beamer")


def check_tag(answer: Any) -> str:
    """The ETag of the beamer's standings, which are as described."""
    check(answer, "/api/beamer")
    return str(answer.headers["etag"])


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [
        ("/api/photos", b"", "image/jpeg"),
        ("/api/photos", b"nothing", "multipart/form-data; boundary=x"),
        ("/api/games", b"{", "application/json"),
        ("/api/games", b"[]", "application/json"),
        ("/api/games", b'{"photo": "none"}', "application/json"),
        ("/api/games", b"x" * 70_000, "application/json"),
    ],
)
def test_the_refusals_are_as_described(
    client: TestClient, path: str, body: bytes, kind: str
) -> None:
    check(client.post(path, content=body, headers={"content-type": kind}), path, "post")


def test_a_photo_that_is_not_there(client: TestClient) -> None:
    photo = send(client, "first_domino.jpg")["id"]
    gone = photo[::-1] if photo != photo[::-1] else "a" * 22
    check(client.get(f"/api/photos/{gone}"), "/api/photos/{id}")
