"""Where photos are scored: threads, processes, Dask; and what becomes of a worker that dies."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from kdvision.errors import UsageError
from kdvision.options import DEFAULT_OPTIONS
from kdvision.pipeline.scorer import Scorer
from kdvision.serve.app import create_app
from kdvision.serve.executors import Workers, dask_workers, process_workers, thread_workers
from kdvision.serve.run import Served, workers_for
from kdvision.serve.settings import DEFAULT_SETTINGS
from kdvision.serve.store import SqliteStore
from tests.support.desk import score_fake
from tests.support.fakes import fake_photo
from tests.support.serving import sample
from tests.support.waiting import PATIENCE_S

LINE = "C F1 F F F"


@contextmanager
def client_of(workers: Workers, folder: Path) -> Iterator[TestClient]:
    """A client of a server with these workers."""
    app = create_app(workers, SqliteStore(folder / "e.sqlite"))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def send(client: TestClient, data: bytes) -> tuple[int, dict[str, Any]]:
    answer = client.post("/api/photos", files={"photo": ("a.jpg", data)})
    return answer.status_code, answer.json()


def asked(workers: Workers, *photos: bytes) -> list[dict[str, Any]]:
    """What workers say of photos."""
    executor = workers.start()
    try:
        futures = [
            executor.submit(workers.score, photo, "a.jpg", DEFAULT_OPTIONS, {}) for photo in photos
        ]
        return [future.result(timeout=PATIENCE_S) for future in futures]
    finally:
        executor.shutdown()


def test_threads_and_processes_say_the_same(scorer: Scorer) -> None:
    photos = [sample("plus.jpg"), sample("not_a_kingdom.jpg"), b"no photo"]
    expected = asked(thread_workers(scorer, 2), *photos)
    assert [one["status"] for one in expected] == ["sure", "no-kingdom", "unreadable"]
    assert asked(process_workers(1), *photos) == expected


def test_dask_says_the_same(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    here = {"processes": False, "protocol": "tcp", "dashboard_address": None}
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, **here) as cluster,
        dask_workers(cluster.scheduler_address) as workers,
    ):
        assert workers.count == 1
        photo = sample("plus.jpg")
        assert asked(workers, photo) == asked(thread_workers(scorer, 1), photo)


def test_a_photo_that_kills_its_worker_is_refused_and_others_are_scored(tmp_path: Path) -> None:
    workers = replace(process_workers(1), score=score_fake)
    with client_of(workers, tmp_path) as client:
        assert send(client, fake_photo(LINE))[0] == 201
        deadly = fake_photo(LINE, act="die", number=2)
        assert send(client, deadly)[0] == 503
        status, found = send(client, deadly)
        assert (status, found["status"]) == (422, "unreadable")
        assert "die" in found["error"]
        assert send(client, fake_photo(LINE, number=3))[0] == 201
        assert client.get("/healthz").status_code == 200


def test_an_innocent_photo_comes_again_and_is_scored(tmp_path: Path) -> None:
    """It was under way when another one killed the worker."""
    times: list[int] = []

    def score(data: bytes, *more: Any) -> dict[str, Any]:
        times.append(1)
        if len(times) == 1:
            raise MemoryError
        return score_fake(data, *more)

    start: Callable[[], Any] = thread_workers(None, 1).start  # type: ignore[arg-type]
    with client_of(Workers(start, score, 1, (MemoryError,)), tmp_path) as client:
        assert [send(client, fake_photo(LINE))[0] for _ in range(3)] == [503, 201, 201]


@pytest.mark.parametrize(
    ("more", "count"), [({}, 3), ({"processes": True}, 3)], ids=["threads", "processes"]
)
def test_so_many_workers_as_asked_for(tmp_path: Path, more: dict[str, Any], count: int) -> None:
    served = Served("127.0.0.1", 8000, tmp_path / "e.sqlite", **more)
    with workers_for(served, replace(DEFAULT_SETTINGS, threads=count)) as workers:
        assert workers.count == count


def test_a_scheduler_that_is_none(tmp_path: Path) -> None:
    served = Served("127.0.0.1", 8000, tmp_path / "e.sqlite", dask="foo")
    with pytest.raises(UsageError, match="--dask is 'foo'"), workers_for(served, DEFAULT_SETTINGS):
        pass
