"""Long runs whose output is read by nobody at a terminal: they say how far they are, and leave what they have when they
are stopped by a signal, or by the time that they were given."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.base.errors import UserError
from tools.workers import progress as lines
from tools.workers.stopping import TimeIsUp, seconds_of, stoppable, ticking

ROOT = Path(__file__).parents[3]
COMMANDS = {
    "simulate": ["simulate", "endless", "--games", "1000000", "--jobs", "1", "--backend", "reference"],
    "simulate by two": ["simulate", "endless", "--games", "1000000", "--jobs", "2", "--backend", "reference"],
    "mutate": ["mutate", "endless", "--max-decisions", "300", "--jobs", "1"],
    "mutate by two": ["mutate", "endless", "--max-decisions", "300", "--jobs", "2"],
    "diff": ["errata", "diff", "endless", "longer", "--sample", "1000"],
    "balance": ["errata", "diff", "endless", "longer", "--sample", "1", "--games", "1000000", "--backend", "reference"],
}
RULES = (
    "field n: 0..{most}\nvalue score(p: Seat): int = n\n"
    + """\
phase game
    round robin p in seats while n < {most}: do turn(p)
phase turn(p: Seat)
    choose k in 1..2 by p
    set n to min(n + k, {most})
"""
)
RULES = RULES.replace("{most}", "60")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with a game of many steps, whose mutants are many too."""
    root = tmp_path_factory.mktemp("home")
    folder = root / "rulesets" / "endless"
    (folder / "variants").mkdir(parents=True)
    values = "".join(f"value v{i}(p: Seat): int = n + {i} if n < {i} else n * 2 - {i + 1}\n" for i in range(30))
    uses = "invariant all_used: " + " + ".join(f"v{i}(p1)" for i in range(30)) + " >= -100000\n"
    (folder / "game.rules").write_text(RULES + values + uses)
    (folder / "ruleset.yaml").write_text(
        "id: endless\nversion: 1\ntitle: {en: E}\nseats: 2\nload: [game.rules]\nresult: {score: score}\n"
    )
    (folder / "variants" / "longer.variant").write_text(
        "variant longer on endless\n    replace turn.set\n        set n to min(n + 1, 60)\n"
    )
    yield root


@contextlib.contextmanager
def begun(home: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A run, which does not live longer than its test."""
    environment = os.environ | {"RULEWRIGHT_HOME": str(home), "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    code = "import tools.workers.progress as p, sys; p.SECONDS = 0.5; from tools.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, *arguments, "--json"]
    with subprocess.Popen(
        command,
        cwd=home,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals if os.name == "posix" else None,
    ) as run:
        try:
            yield run
        finally:
            run.kill()


def heed_signals() -> None:
    """Take no signal as ignored because the tests were started with `nohup` or in the background."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


PROGRESS = re.compile(r"^\w+ \d+/\d+, \d+ s$", re.MULTILINE)


def has_some(found: dict[str, object], name: str) -> bool:
    if name.startswith("simulate"):
        return int(str(found["finished"])) > 0
    if name.startswith("mutate"):
        return bool(found["results"])
    balance = found["balance"]
    return bool(found["games"]) if balance is None else isinstance(balance, dict) and balance["played"] > 0


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timer")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_run_reports_what_it_has_when_its_time_is_up(name: str, home: Path) -> None:
    with begun(home, *COMMANDS[name], "--for", "2s") as run:
        out, err = run.communicate(timeout=60)
    found = json.loads(out)
    assert run.returncode == 0, err
    assert found["time_is_up"] and has_some(found, name), err
    assert PROGRESS.search(err), err


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="the system has no such signals")
@pytest.mark.parametrize(
    ("name", "number"), [("simulate", "SIGINT"), ("simulate", "SIGHUP"), ("mutate", "SIGTERM"), ("diff", "SIGTERM")]
)
def test_a_run_reports_what_it_has_when_a_signal_stops_it(name: str, number: str, home: Path) -> None:
    with begun(home, *COMMANDS[name]) as run:
        assert run.stderr is not None
        while not re.match(r"(games|mutants) [1-9]", run.stderr.readline()):
            assert run.poll() is None
        run.send_signal(getattr(signal, number))
        out, err = run.communicate(timeout=60)
    found = json.loads(out)
    assert run.returncode == 1, err
    interrupted = found["interrupted"] or found.get("balance", {}).get("interrupted")
    assert interrupted and not found["time_is_up"] and has_some(found, name), err


def test_a_run_killed_at_once_leaves_the_cache_whole(home: Path) -> None:
    """What is written is written under another name first, so the next run reads what is whole or nothing."""
    for name, wait in (("simulate", 0.3), ("mutate", 0.9), ("diff", 0.6)):
        with begun(home, *COMMANDS[name]):
            time.sleep(wait)
    with begun(home, "simulate", "endless", "--games", "3", "--jobs", "1") as run:
        out, err = run.communicate(timeout=60)
    assert json.loads(out)["finished"] == 3, err


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_a_killed_run_had_written_of_failures_is_whole(home: Path, tmp_path: Path, jobs: str) -> None:
    """Each game that fails is written at once, wholly or not at all, so that nothing told is lost."""
    folder = home / "rulesets" / "faulty"
    folder.mkdir(exist_ok=True)
    (folder / "game.rules").write_text(RULES.replace("min(n + k, 60)", "n + k"))
    manifest = "id: faulty\nversion: 1\ntitle: {en: F}\nseats: 2\nload: [game.rules]\nresult: {score: score}\n"
    (folder / "ruleset.yaml").write_text(manifest)
    out = tmp_path / "failures"
    command = ["simulate", "faulty", "--games", "1000000", "--backend", "reference", "--jobs", jobs, "--out", str(out)]
    with begun(home, *command) as run:
        while not out.is_dir() or len(list(out.glob("*.json"))) < 12:
            assert run.poll() is None, run.communicate()
            time.sleep(0.02)
        run.kill()
        run.wait()
    files = list(out.glob("*.json"))
    saves = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    assert len(saves) >= 12 and all(save["log"] for save in saves)
    assert all(file in files or file.name.startswith(".") for file in out.iterdir())


@pytest.mark.parametrize(("text", "seconds"), [("60s", 60), ("5m", 300), ("2min", 120), ("1h", 3600), ("7", 7)])
def test_times_are_read(text: str, seconds: int) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "0s", "-1", "1.5h", "60 seconds", "9" * 30, "1d"])
def test_other_times_are_refused(text: str) -> None:
    with pytest.raises(UserError, match="--for should be a time such as"):
        seconds_of(text)


def test_a_deadline_ends_what_takes_long_and_leaves_the_signals_as_they_were() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGALRM)]
    with pytest.raises(TimeIsUp), stoppable(time.monotonic() + 0.6):
        time.sleep(30)
    with pytest.raises(TimeIsUp), stoppable(time.monotonic() - 1):
        raise AssertionError("it does not begin")
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGALRM)] == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_lines_come_while_one_step_takes_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lines, "SECONDS", 0.4)
    with lines.progress(9, False, "games") as advance, ticking(lambda: None):
        advance(2)
        time.sleep(1.3)
    told = capsys.readouterr().err
    assert told.startswith("games 2/9, ") and told.count("\n") >= 2
    with lines.progress(9, True) as advance:
        advance()
    assert capsys.readouterr().err == ""
