"""Nobody gets in who should not, and nothing of elsewhere runs in the page."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import httpx2
import pytest
from starlette.datastructures import URL
from starlette.requests import Request
from starlette.testclient import TestClient

from kdvision.serve import wrong_passwords
from kdvision.serve.app import create_app, keep_to_loopback
from kdvision.serve.guard import HEADERS
from kdvision.serve.log import GameBegun
from kdvision.serve.store import Store
from kdvision.serve.wrong_passwords import WrongPasswords


def guarded(tmp_path: Path, **options: object) -> TestClient:
    """A client of a server that scores nothing."""
    app = create_app(None, Store(tmp_path / "e.sqlite"), **options)  # type: ignore[arg-type]
    return TestClient(app, raise_server_exceptions=False, follow_redirects=False)


def cookies_of(client: TestClient) -> dict[str, str]:
    """The header with which a browser sends the cookies that a client was given."""
    return {"cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}


@pytest.mark.parametrize("path", ["/", "/healthz", "/api/games", "/nowhere"])
def test_every_answer_has_the_headers(tmp_path: Path, path: str) -> None:
    answer = guarded(tmp_path).get(path)
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 404),
        ({"origin": "http://testserver"}, 404),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://["}, 403),
        ({"origin": "http://testserver.evil.example"}, 403),
        # Without an origin: of an old browser, or of a program.
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "same-origin"}, 404),
        ({"referer": "http://evil.example/form"}, 403),
        ({"referer": "http://testserver/"}, 404),
    ],
)
def test_only_the_own_page_changes_anything(
    tmp_path: Path, headers: dict[str, str], status: int
) -> None:
    client = guarded(tmp_path)
    assert client.delete("/api/evenings/9", headers=headers).status_code == status
    assert client.get("/healthz", headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 200),
        ("localhost", 200),
        ("[::1]:8000", 200),
        ("evil.example", 400),
        ("127.0.0.1.evil.example:8000", 400),
    ],
)
def test_loopback_answers_own_names(tmp_path: Path, host: str, status: int) -> None:
    app = create_app(None, Store(tmp_path / "e.sqlite"))  # type: ignore[arg-type]
    keep_to_loopback(app)
    client = TestClient(app)
    assert client.get("/healthz", headers={"host": host}).status_code == status


def test_guarded_path_is_the_answered_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Starlette once made the address of the header Host: of `x/healthz?` this one."""
    client = guarded(tmp_path, password="meadow5x5")
    monkeypatch.setattr(Request, "url", URL("http://x/healthz?/api/games"))
    for path in ("/codes", "/api/games", "/"):
        assert client.get(path).status_code == 401


@pytest.mark.parametrize(
    ("method", "path", "status", "allow", "code"),
    [
        ("GET", "/nowhere", 404, "", "no-address"),
        ("GET", "/static/nowhere.js", 404, "", "no-address"),
        ("PUT", "/api/games", 405, "GET", "no-method"),
    ],
)
def test_refusals_speak_the_askers_language(
    tmp_path: Path, method: str, path: str, status: int, allow: str, code: str
) -> None:
    texts = set()
    for language in ("en-US,en;q=0.9", "de;q=0.8,fr,en;q=0.2"):
        answer = guarded(tmp_path).request(method, path, headers={"accept-language": language})
        assert answer.status_code == status and allow in answer.headers.get("allow", "")
        assert answer.json()["code"] == code
        texts.add(answer.json()["error"])
    assert len(texts) == 2


def test_the_password(tmp_path: Path) -> None:
    client = guarded(tmp_path, password="meadow5x5")
    assert client.get("/healthz").status_code == 200
    assert client.get("/static/manifest.json").json()["short_name"] == "kdscore"
    for path in ("/", "/api/games"):
        assert client.get(path).status_code == 401
    for given, status in (("Bearer meadow5x5", 200), ("Bearer meadow", 401), ("Basic x", 401)):
        assert client.get("/api/games", headers={"authorization": given}).status_code == status
    entered = client.get("/?password=meadow5x5")
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "meadow5x5" not in cookie
    assert f"Max-Age={30 * 24 * 60 * 60}" in cookie, "a month"
    assert client.get("/api/games").status_code == 200
    client.cookies.clear()
    assert client.get("/api/games", headers={"cookie": "kdscore=guess"}).status_code == 401


@pytest.mark.parametrize(("scheme", "is_secure"), [("http", False), ("https", True)])
def test_cookies_of_https_stay_on_https(tmp_path: Path, scheme: str, is_secure: bool) -> None:
    app = guarded(tmp_path, password="meadow5x5").app
    client = TestClient(app, base_url=f"{scheme}://testserver", follow_redirects=False)
    entered = client.get("/?password=meadow5x5")
    chosen = client.post("/language", data={"language": "de"}, headers=cookies_of(client))
    for answer in (entered, chosen):
        assert answer.status_code == 303
        assert ("; secure" in answer.headers["set-cookie"].lower()) is is_secure


def test_browsers_get_a_page_to_sign_in(tmp_path: Path) -> None:
    client = guarded(tmp_path, password="meadow5x5")
    assert client.get("/api/games").json()["code"] == "needs-password"
    browser = {"accept": "text/html,*/*"}
    for path, is_wrong in (("/codes", False), ("/?password=meadow", True), ("/g/nothing", True)):
        page = client.get(path, headers=browser)
        assert 400 < page.status_code < 410 and 'type="password"' in page.text
        assert ('role="alert"' in page.text) is is_wrong
    right = client.get("/codes?password=meadow5x5", headers=browser)
    assert (right.status_code, right.headers["location"]) == (303, "/codes")
    assert client.get("/api/games").status_code == 200


def test_sessions_end_with_another_password(tmp_path: Path) -> None:
    client = guarded(tmp_path, password="meadow5x5")
    client.get("/?password=meadow5x5")
    head = cookies_of(client)
    assert guarded(tmp_path, password="meadow5x5").get("/api/games", headers=head).is_success
    changed = guarded(tmp_path, password="another one").get("/api/games", headers=head)
    assert changed.status_code == 401


def bearer(client: TestClient, password: str) -> int:
    """The status of an answer to a password."""
    headers = {"authorization": f"Bearer {password}"}
    return int(client.get("/api/games", headers=headers).status_code)


def test_wrong_passwords_count_per_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(WrongPasswords, "LATE_S", 0.01)
    now_s = [1000.0]
    monkeypatch.setattr(wrong_passwords, "time", SimpleNamespace(monotonic=lambda: now_s[0]))
    client = guarded(tmp_path, password="meadow5x5")
    other = TestClient(client.app, client=("192.0.2.7", 1))
    statuses = [bearer(client, str(guess)) for guess in range(WrongPasswords.MOST + 2)]
    assert statuses == [401] * WrongPasswords.MOST + [429] * 2
    assert "wrong password of testclient" in caplog.text
    assert bearer(other, "meadow") == 401, "another phone may mistype"
    assert (bearer(other, "meadow5x5"), bearer(client, "meadow5x5")) == (200, 200)
    soon = client.get("/?password=meadow", headers={"accept": "text/html"})
    assert (soon.status_code, soon.headers["retry-after"]) == (429, "60")
    assert "not the password" in soon.text and 'type="password"' in soon.text
    now_s[0] += WrongPasswords.WHILE_S + 0.1
    assert bearer(client, "meadow") == 401


def test_guessing_has_one_limit_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WrongPasswords, "LATE_S", 0.01)
    monkeypatch.setattr(WrongPasswords, "MOST_OF_ALL", 3)
    app = guarded(tmp_path, password="meadow5x5").app
    phones = [TestClient(app, client=(f"192.0.2.{number}", 1)) for number in range(5)]
    assert [bearer(phone, "meadow") for phone in phones] == [401, 401, 401, 429, 429]
    assert bearer(phones[4], "meadow5x5") == 200


def test_addresses_of_one_household_are_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WrongPasswords, "LATE_S", 0.01)
    app = guarded(tmp_path, password="meadow5x5").app

    def try_from(address: str) -> int:
        return bearer(TestClient(app, client=(address, 1)), "meadow")

    phones = [f"2001:db8:1:2::{number:x}" for number in range(WrongPasswords.MOST)]
    assert {try_from(phone) for phone in phones} == {401}
    assert try_from("2001:db8:1:2:ffff::1") == 429
    assert try_from("2001:db8:1:3::1") == 401, "the household next door"


def test_right_password_waits_for_no_wrong_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifty wrong ones wait for answers that never come; the right one is in, by code as well."""
    monkeypatch.setattr(WrongPasswords, "LATE_S", 3600.0)
    store = Store(tmp_path / "games.sqlite")
    store.append("evening", "abcd2345", GameBegun("1"))
    app = create_app(None, store, password="meadow5x5")  # type: ignore[arg-type]
    statuses = []

    async def ask(phone: httpx2.AsyncClient, password: str) -> int:
        headers = {"authorization": f"Bearer {password}"}
        return (await phone.get("/api/games", headers=headers)).status_code

    async def guess_and_come_in() -> None:
        address = "http://testserver"
        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app), base_url=address
        ) as phone:
            for _ in range(WrongPasswords.MOST):
                statuses.append(await ask(phone, "meadow"))
            late = [asyncio.create_task(ask(phone, "meadow")) for _ in range(50)]
            # Each of them has begun when a later request is answered.
            statuses.append(await ask(phone, "meadow5x5"))
            statuses.append((await phone.get("/g/abcd2345")).status_code)
            assert not any(guess.done() for guess in late)
            for guess in late:
                guess.cancel()

    asyncio.run(guess_and_come_in())
    assert statuses == [401] * WrongPasswords.MOST + [200, 303]


def test_game_codes_are_guessed_no_faster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WrongPasswords, "LATE_S", 0.01)
    store = Store(tmp_path / "games.sqlite")
    store.append("evening", "abcd2345", GameBegun("1"))
    app = create_app(None, store, password="meadow5x5")  # type: ignore[arg-type]
    client = TestClient(app, follow_redirects=False)
    statuses = [client.get(f"/g/{guess}").status_code for guess in range(WrongPasswords.MOST + 1)]
    assert statuses == [404] * WrongPasswords.MOST + [429]
    assert client.get("/g/abcd2345").status_code == 303, "a code that is right opens its game"


def test_no_path_reaches_the_disk(tmp_path: Path) -> None:
    client = guarded(tmp_path)
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/"):
        assert client.get(path).status_code in (404, 405)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("fr, de;q=0.5", "de"),
        ("en;q=0.3, de;q=0.7", "de"),
        ("en, de", "en"),
        ("de-AT;q=1.0, en;q=0.9", "de"),
        ("en;q=0, de;q=0.1", "de"),
        ("de;q=0", "en"),
        ("fr;q=x, es", "en"),
    ],
)
def test_browser_chooses_the_language(tmp_path: Path, accepted: str, language: str) -> None:
    page = guarded(tmp_path).get("/", headers={"accept-language": accepted})
    assert f'lang="{language}"' in page.text


def test_language_that_was_chosen_stays(tmp_path: Path) -> None:
    client = guarded(tmp_path)
    answer = client.post("/language", data={"language": "de"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert 'lang="de"' in client.get("/", headers={"accept-language": "en"}).text
    client.post("/language", data={"language": "xx"})
    assert 'lang="de"' in client.get("/").text
