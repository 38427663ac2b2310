"""Rulings and their stored transcripts: the command line, its `--update` and `--watch`, and the pytest plugin."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from tests.tools.conftest import lay_out, rewrite
from tools.base.transcripts import read_transcripts, transcript_file, write_transcripts
from tools.base.watch import watch_changes
from tools.cli import run
from tools.commands.rulings import is_part

ROOT = Path(__file__).parents[3]
RULES = """\
kind Seat
    field mark: 0..99
procedure lay(p: Seat)                                                                          [DI-1]
    choose number n in 0..3 by p
    set p.mark to n
phase game
    for every p in seats: do lay(p)
"""
RULINGS = """\
position start
    seats: 2
ruling DI_1 "a number is laid"                                                                  [DI-1]
    given start
    when
        do lay(p1)
        p1 chooses 2
    expect
        p1.mark: 2
ruling DI_2 "three is the most"
    given start
    when
        do lay(p1)
    expect
        legal 3
"""
FILES = {
    "rulesets/dial/ruleset.yaml": "id: dial\nversion: 1\ntitle: {en: Dial}\nseats: 2\nload: [dial.rules]\n",
    "rulesets/dial/dial.rules": RULES,
    "rulesets/dial/clauses.yaml": "DI-1: A number is laid\n",
    "rulesets/dial/rulings/dial.ruling": RULINGS,
    "rulesets/dial/variants/wide/wide.variant": "variant wide on dial\n    alter lay from 0..3 to 0..9\n",
    "rulesets/dial/variants/wide/rulings/wide.ruling": (
        'ruling DI_9 "nine is the most there"\n    given start\n    when\n        do lay(p1)\n    expect\n'
        "        legal 9\n"
    ),
}
PLACE = Path("rulesets/dial/rulings/dial.ruling")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lay_out(FILES, tmp_path, monkeypatch)
    return tmp_path


@pytest.mark.parametrize("deed", ["kill", "exit", "raise"])
def test_one_ruling_that_ends_the_run_ends_only_itself(
    home: Path, deed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the first ruling does to its process, the second one is run, and told with the first."""
    import tools.commands.rulings as module

    run_one = module.run_ruling

    def run_badly(game: rw.Game, ruling: Any, *how: Any, **more: Any) -> Any:
        if ruling.name == "DI_1":
            if deed == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            if deed == "exit":
                os._exit(4)
            if deed == "raise":
                raise ZeroDivisionError("a trial")
        return run_one(game, ruling, *how, **more)

    def begin(program: Any) -> Any:
        module.run_ruling = run_badly
        return module_begin(program)

    module_begin = module.begin_rulings
    monkeypatch.setattr(module, "begin_rulings", begin)
    monkeypatch.setattr(module, "run_ruling", run_one)
    assert run(["rulings", "dial", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    first, second = found["dial"]["results"]
    why = {"kill": "SIGKILL", "exit": "code 4", "raise": "ZeroDivisionError"}[deed]
    assert not first["passed"] and why in first["failures"][0]["seen"] and second["passed"]
    assert found["dial+wide"]["passed"] == 1


def test_progress_counts_the_rulings_that_are_run(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []

    @contextmanager
    def counting(total: int, quiet: bool, what: str) -> Iterator[Callable[[], None]]:
        done: list[str] = []
        yield lambda: done.append(what)
        counted.extend((total, len(done)))

    monkeypatch.setattr("tools.commands.rulings.progress", counting)
    for only in ((), ("--only", "DI_9"), ("--only", "nine is the most")):
        run(["rulings", "dial", *only])
    assert counted == [3, 3, 1, 1, 1, 1]


def test_a_run_that_is_stopped_tells_what_it_has(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import tools.commands.rulings as module

    whole = module.guarded

    def stopped(*how: Any) -> Any:
        yield from list(whole(*how))[:1]
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "guarded", stopped)
    assert run(["rulings", "dial", "--update"]) == 130
    assert "1" in capsys.readouterr().out and set(read_transcripts(home / PLACE)) == {"DI_1"}


def test_transcripts_are_kept_and_compared(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulings", "dial"]) == 0
    assert "another way" not in capsys.readouterr().out and not transcript_file(home / PLACE).exists()
    assert run(["rulings", "dial", "--update"]) == 0
    assert "3 transcripts written" in capsys.readouterr().out
    assert set(read_transcripts(home / PLACE)) == {"DI_1", "DI_2"}
    assert transcript_file(home / "rulesets/dial/variants/wide/rulings/wide.ruling").is_file()
    rewrite(home / "rulesets/dial/dial.rules", "    set p.mark to n\n", "    set p.mark to 1\n    set p.mark to n\n")
    capsys.readouterr()
    assert run(["rulings", "dial"]) == 0
    captured = capsys.readouterr().out
    assert "another way DI_1" in captured and "1 in another way than on file" in captured
    assert run(["rulings", "dial", "--update"]) == 0 and run(["rulings", "dial"]) == 0
    assert "another way" not in capsys.readouterr().out.split("transcript written")[1]


def test_an_update_never_hides_a_failure(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulings", "dial", "--update"]) == 0
    kept = read_transcripts(home / PLACE)
    rewrite(home / "rulesets/dial/dial.rules", "0..3 by p", "0..2 by p")
    capsys.readouterr()
    assert run(["rulings", "dial", "--update"]) == 1
    captured = capsys.readouterr()
    assert "FAILED DI_2" in captured.out and "dial: 1 passed, 1 failed" in captured.out
    assert "dial+wide cannot be played" in captured.err  # its patch does not find what it changes; the others are run
    assert read_transcripts(home / PLACE)["DI_2"] == kept["DI_2"]


def test_transcripts_of_rulings_that_are_gone_are_dropped(home: Path) -> None:
    assert run(["rulings", "dial", "--update"]) == 0
    write_transcripts(home / PLACE, {**read_transcripts(home / PLACE), "DI_7": ("old",)})
    assert run(["rulings", "dial", "--only", "DI_1", "--update"]) == 0
    assert "DI_7" in read_transcripts(home / PLACE)  # only a run of all knows what is gone
    assert run(["rulings", "dial", "--update"]) == 0
    assert set(read_transcripts(home / PLACE)) == {"DI_1", "DI_2"}


def test_transcripts_of_the_game_are_those_without_the_variant(home: Path) -> None:
    """A run with it stores only what stands in the variant's own files."""
    with (home / PLACE).open("a", encoding="utf-8") as file:
        file.write(
            'ruling DI_4 "ten is too many"\n    given start\n    when\n        do lay(p1)\n    expect\n'
            "        illegal 10\n"
        )
    assert run(["rulings", "dial", "--update"]) == 0
    kept = read_transcripts(home / PLACE)
    assert "outside 0..3" in kept["DI_4"][-1]
    wide = home / "rulesets/dial/variants/wide/rulings/wide.ruling"
    transcript_file(wide).unlink()
    assert run(["rulings", "dial+wide", "--update"]) == 0
    assert read_transcripts(home / PLACE) == kept and set(read_transcripts(wide)) == {"DI_9"}
    transcript_file(wide).unlink()
    assert run(["rulings", "dial+wide@2020-01-01", "--update"]) == 0
    assert read_transcripts(home / PLACE) == kept and not read_transcripts(wide)


def test_data_of_rulings(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulings", "dial", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {name: found["passed"] for name, found in data.items()} == {"dial": 2, "dial+wide": 1}


def test_a_broken_ruling_spoils_itself(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are run, its transcript is kept, the game is played; it is an error nevertheless."""
    assert run(["rulings", "dial", "--update"]) == 0
    rewrite(home / PLACE, "p1.mark: 2", "p1.mrak: 2")
    capsys.readouterr()
    assert run(["rulings", "dial", "--update"]) == 1
    captured = capsys.readouterr()
    assert "dial: 1 passed" in captured.out and "dial: 1 broken, not run: DI_1" in captured.out
    assert "dial.ruling:9:9: error[RW0260]" in captured.out and "p1.mrak" in captured.out
    assert "note: dial is loaded without its broken ruling DI_1; `rulewright check` says why." in captured.err
    assert set(read_transcripts(home / PLACE)) == {"DI_1", "DI_2"}
    assert run(["rulings", "dial", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["dial"]["broken"] == ["DI_1"] and data["dial"]["passed"] == 1
    assert run(["check", "dial"]) == 1 and run(["simulate", "dial", "--games", "1"]) == 0
    with pytest.warns(rw.RulingsLeftOut, match="dial is loaded without its broken rulings: DI_1"):
        assert rw.load("dial", home=home).new(seats=2).decision is not None
    with pytest.warns(rw.RulingsLeftOut):  # from the cache as well
        rw.load("dial", home=home)


def test_what_begins_with_a_broken_position_is_broken(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(home / PLACE, "    seats: 2\n", "    seats: 2\n    p1.mark 1\n")
    assert run(["rulings", "dial"]) == 1
    assert "dial: 3 broken, not run: DI_1, DI_2, start" in capsys.readouterr().out


def test_a_broken_rule_still_stops_the_game(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(home / PLACE, "p1.mark: 2", "p1.mrak: 2")
    rewrite(home / "rulesets/dial/dial.rules", "set p.mark to n", "set p.mark to m")
    assert run(["rulings", "dial"]) == 1
    assert "dial cannot be played until these errors are fixed" in capsys.readouterr().err


def test_watching_gives_once_and_then_for_each_change(home: Path) -> None:
    seen: Iterator[None] = watch_changes(lambda: [home / "rulesets" / "dial"], pause=0.01)
    next(seen)
    rewrite(home / PLACE, "three is the most", "three is the largest")
    next(seen)  # would wait for ever without the change
    (home / "cards" / "dial").mkdir(parents=True)
    (home / "cards" / "dial" / "new.cards").write_text("# nothing yet\n", encoding="utf-8")
    next(seen)


def pytest_in(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    outer = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = {**outer, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *arguments]
    return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True)


def test_every_ruling_is_a_test(home: Path) -> None:
    first = pytest_in(home, "rulesets", "--snapshot-update")
    assert "3 passed" in first.stdout and "3 snapshots generated" in first.stdout, first.stdout
    assert run(["rulings", "dial", "--update"]) == 0  # both keep the same files
    second = pytest_in(home, "rulesets")
    assert "3 passed" in second.stdout and "3 snapshots passed" in second.stdout, second.stdout
    rewrite(home / "rulesets/dial/dial.rules", "0..3 by p", "0..2 by p")
    third = pytest_in(home, "rulesets/dial/rulings", "--snapshot-update")
    assert third.returncode == 1 and "1 failed, 1 passed" in third.stdout, third.stdout
    assert "legal 3: expected" in third.stdout
    rewrite(home / PLACE, "p1.mark: 2", "p1.mrak: 2")
    fourth = pytest_in(home, "rulesets/dial/rulings")
    assert fourth.returncode == 2 and "dial.ruling:9:9: error[RW0260]" in fourth.stdout, fourth.stdout


def test_pytest_sees_where_a_ruling_goes_another_way(home: Path) -> None:
    assert run(["rulings", "dial", "--update"]) == 0
    snapshot = next((home / "rulesets/dial/rulings").rglob("*.ambr"))
    rewrite(snapshot, "  p1 chooses 2\n", "")
    done = pytest_in(home, "rulesets")
    assert done.returncode == 1 and "1 failed" in done.stdout, done.stdout


def test_an_overlay_has_no_part_in_one_whose_name_goes_on() -> None:
    wide = "rulesets/dial/variants/wide"
    assert is_part(f"{wide}/rulings/wide.ruling", wide) and is_part("cards/dial/new.cards", "")
    assert not is_part(f"{wide}_and_deep/rulings/wide.ruling", wide)


def test_files_outside_rulesets_are_left_alone(home: Path) -> None:
    (home / "loose.ruling").write_text(RULINGS, encoding="utf-8")
    assert pytest_in(home, "loose.ruling").returncode != 1


@pytest.mark.parametrize(
    ("only", "loaded"),
    [("DI_9", ["dial", "dial+wide"]), ("NINE", ["dial", "dial+wide"]), ("wide.ruling", ["dial", "dial+wide"]),
     ("DI_1", ["dial"]), (None, ["dial", "dial+wide"])],
)  # fmt: skip
def test_only_loads_the_overlays_that_it_may_mean(
    home: Path, only: str | None, loaded: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import tools.commands.rulings as module

    found, load = [], module.load_game

    def load_and_note(rules: Any) -> rw.Game:
        found.append(rules.label)
        return load(rules)

    monkeypatch.setattr(module, "load_game", load_and_note)
    assert run(["rulings", "dial", *(["--only", only] if only else [])]) == 0
    assert found == loaded


MANY = {
    **{f"rulesets/dial/variants/v{n}/v{n}.variant": f"variant v{n} on dial\n    alter lay from 0..3 to 0..{n}\n"
       for n in range(4, 9)},
    **{f"rulesets/dial/variants/v{n}/rulings/{part}.ruling":
       f'ruling DI_{n}_{part} "{n} {part}"\n    given start\n    when\n        do lay(p1)\n    expect\n'
       f"        legal {n}\n"
       for n in range(4, 9) for part in ("one", "two")},
    "rulesets/dial/rulings/both.ruling": "".join(
        f'ruling DI_B{n} "b{n}"\n    holds with v{n}\n    given start\n    when\n        do lay(p1)\n    expect\n'
        f"        legal {n}\n" for n in (4, 5)
    ),
    "rulesets/dial/variants/v8/rulings/table.ruling": (
        'ruling DI_T(n: 0..9) "most"\n    given start\n    when\n        do lay(p1)\n    expect\n        legal n\n'
        "    cases\n        few: 1\n        many: 8\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("only", "variants"),
    [(None, ["v4", "v5", "v6", "v7", "v8", "wide"]), ("DI_6_two", ["v6"]), ("one", ["v4", "v5", "v6", "v7", "v8"]),
     ("DI_B5", ["v5"]), ("DI_T.few", ["v8"]), ("DI_9", ["wide"])],
)  # fmt: skip
def test_a_run_loads_and_begins_each_variant_once(
    home: Path, monkeypatch: pytest.MonkeyPatch, only: str | None, variants: list[str]
) -> None:
    """However many files and rulings a variant has, and though rulings of the game hold with it only."""
    import tools.commands.rulings as module

    for name, text in MANY.items():
        edit_new(home / name, text)
    loaded, begun = [], []
    load, guarded = module.load_game, module.guarded

    def load_and_count(rules: Any) -> rw.Game:
        loaded.append(rules.label)
        return load(rules)

    def guard_and_count(begin: Any, program: Any, tasks: Any) -> Any:
        begun.append(program.named)
        return guarded(begin, program, tasks)

    monkeypatch.setattr(module, "load_game", load_and_count)
    monkeypatch.setattr(module, "guarded", guard_and_count)
    assert run(["rulings", "dial", *(["--only", only] if only else [])]) == 0
    assert loaded == ["dial", *(f"dial+{name}" for name in variants)]
    assert begun == loaded


def edit_new(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_what_holds_elsewhere_only_is_counted_and_run_there(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A ruling of the game that holds with a variant is run with it; transcripts of what is left out are kept."""
    rewrite(home / PLACE, '"three is the most"\n', '"three is the most"\n    holds without wide\n')
    more = RULINGS.partition("ruling DI_2")[2].replace('"three is the most"', "").replace("legal 3", "legal 8")
    with (home / PLACE).open("a", encoding="utf-8") as file:
        file.write('ruling DI_3 "more with the wide one"\n    holds with wide' + more)
    assert run(["rulings", "dial", "--update"]) == 0
    told = capsys.readouterr().out
    assert "4 of 4 passed" in told and "elsewhere" not in told
    kept = read_transcripts(home / PLACE)
    assert set(kept) == {"DI_1", "DI_2", "DI_3"}
    assert run(["rulings", "dial", "--update"]) == 0 and read_transcripts(home / PLACE) == kept
    capsys.readouterr()
    assert run(["rulings", "dial+wide", "--update"]) == 0
    assert "dial+wide: 1 ruling holds elsewhere only" in capsys.readouterr().out
    assert read_transcripts(home / PLACE) == kept
    assert run(["rulings", "dial+wide", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["dial+wide"]["elsewhere"] == ["DI_2"]
    assert run(["rulings", "dial", "--only", "DI_3"]) == 0
    assert "dial+wide: 1 passed" in capsys.readouterr().out


def test_a_variant_that_a_ruling_names_and_that_goes_is_missed(home: Path) -> None:
    """Also where the rules have not changed since they were read last, and are kept."""
    rewrite(home / PLACE, '"three is the most"\n', '"three is the most"\n    holds without wide\n')
    assert run(["check", "dial"]) == 0
    folder = home / "rulesets/dial/variants/wide"
    folder.rename(folder.with_name("broad"))
    assert run(["check", "dial"]) == 1
    folder.with_name("broad").rename(folder)
    assert run(["check", "dial"]) == 0
