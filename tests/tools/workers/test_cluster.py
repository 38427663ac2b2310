"""Games over a cluster: the same report as in one process, lost workers, and what is told where there is no cluster."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path

import pytest

from tools.base.errors import UserError
from tools.commands.simulate import simulate_command
from tools.workers.cluster import LARGEST, connected, require_listener, shard_size

TIMES = {"seconds", "decisions_per_second", "decisions_per_second_and_process", "jobs"}


def test_shards_are_small_enough_for_all_to_end_together() -> None:
    assert shard_size(3, 2, 0.1) == 1 and shard_size(320, 2, 0.1) == 20, "two seconds"
    assert shard_size(320, 2, 0.001) == 80 and shard_size(10**6, 2, 0.0) == LARGEST


def test_a_cluster_that_is_not_there_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="there is no Ray cluster at RAY_ADDRESS '127.0.0.1:9'"):
        require_listener("127.0.0.1:9")
    require_listener("auto")  # which Ray understands


def test_another_kind_of_cluster_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="did you mean 'ray'"):
        simulate_command("nim", 1, None, 1, 1, False, True, [], "random", tmp_path, cluster="rey")


def doubling(marker: str) -> Callable[[Sequence[int]], list[int]]:
    """Work whose process is lost at the first 5."""

    def double(numbers: Sequence[int]) -> list[int]:
        if 5 in numbers and not os.path.exists(marker):
            Path(marker).touch()
            os._exit(1)
        return [2 * number for number in numbers]

    return double


def failing(message: str) -> Callable[[Sequence[int]], list[int]]:
    def fail(numbers: Sequence[int]) -> list[int]:
        raise ValueError(message)

    return fail


@pytest.fixture
def no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="the extra `ray` is not installed")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)


def test_the_shard_of_a_lost_worker_is_played_again(no_address: None, tmp_path: Path) -> None:
    marker = tmp_path / "lost"
    with connected(2) as cluster:
        assert cluster.processors == 2
        assert list(chain(*cluster.results(doubling, str(marker), range(40)))) == list(range(0, 80, 2))
        assert marker.exists()
        assert list(chain(*cluster.results(doubling, str(marker), range(3)))) == [0, 2, 4], "and it takes other work"
        with pytest.raises(ValueError, match="what went wrong"):
            list(cluster.results(failing, "what went wrong", range(3)))


def test_a_cluster_reports_what_one_process_does(
    no_address: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for jobs, cluster in ((1, None), (2, "ray")):
        assert simulate_command(
            "love_letter", 60, "2..4", 4, jobs, False, True, [], "random", tmp_path, cluster=cluster
        ) == 0  # fmt: skip
        report = json.loads(capsys.readouterr().out)
        found.append({key: value for key, value in report.items() if key not in TIMES})
    assert found[0] == found[1] and found[0]["finished"] == 60
