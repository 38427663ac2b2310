"""Simulated games in native code: the reports of the reference, and what happens where it gives up or is not there."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dsl.program import RNG
from interpreter import Game, replay
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ZERO
from interpreter.backends.low.form.nodes import Local, Num
from interpreter.backends.low.generators import bot_numbers
from interpreter.backends.low.generators.bot_numbers import BELOW, MIX, RESEED
from interpreter.backends.low.generators.store import seed_store
from interpreter.backends.low.notes import book, trace
from interpreter.backends.low.trials.draw import FRACTION
from interpreter.backends.low.whole.lowering import TABLES, finished
from interpreter.backends.native import games as games_module
from interpreter.backends.native.walks import NativeWalks
from interpreter.backends.wasm import host
from interpreter.choices.generator import Generator
from interpreter.core import rng
from interpreter.rules.rules import REFERENCE
from tests.campaign import lay_out_campaign
from tests.concepts.play import game as small
from tests.conformance.tables import ruleset
from tests.interpreter.low_pair import WITH_A_GAP
from tests.native import needs_compiler, needs_wasmtime
from tests.printed import printed
from tests.tools.simulation.test_simulate import RIVALS, STUCK
from tools import cli
from tools.base.loading import choose_backend
from tools.commands.replay import repeat_failure
from tools.commands.simulate import Task, make_setups, run
from tools.simulation.native import NativePlay
from tools.simulation.playout import play_out
from tools.simulation.report import Report

TIMES = {"seconds", "decisions_per_second", "decisions_per_second_and_process"}


# rulesets, with the bots, the games of each number of seats, and the most decisions of a game
SIMULATED = [
    *((name, "random", 5, 500) for name in (
        "tic_tac_toe", "connect_four", "breakthrough", "hex", "nim", "kuhn_poker", "leduc_poker",
        "liars_dice", "love_letter", "goofspiel", "foundry", "kettle", "masks",
    )),
    ("othello", "random", 1, 20),
    ("pentominoes", "random", 1, 3),
    *((name, bots, 3, 300) for name in ("nim", "leduc_poker", "love_letter", "foundry", "kettle", "masks")
      for bots in ("greedy", "greedy,random")),
    ("dominant_species", "random", 1, 100),
    ("dominant_species", "greedy,random", 1, 8),
]  # fmt: skip
HEAVY: list[tuple[str, str, int, int]] = [
    ("othello", "random", 5, 500),
    ("pentominoes", "random", 2, 20),
    ("dominant_species", "random", 2, 1500),
    ("dominant_species", "greedy", 1, 120),
    ("dominant_species", "random,greedy", 1, 150),
]
HEAVY += [
    (name, bots, 2, most)
    for name in ("civilization", "bios_origins", "bios_mesofauna", "through_the_ages")
    for bots, most in (("random", 250), ("greedy", 25), ("greedy,random", 40))
]


MOMENTS = """
field turns: 0..99
piece coin
kind Seat
    zone purse: coin
    field ready: bool
    field points: 0..999
kind Hill: 4
    field flag: Seat or none
action shout(p: Seat) at any moment where not p.ready
    pay 1 coin
    choose number k in 1..3 by p
    set p.points to p.points + k
    set p.ready to true
value promise(p: Seat): int = p.points * 2 + size(p.purse) + count(h in Hill where h.flag is p)
phase game
    for every p in seats: gain 4 coin by p
    repeat while turns < 12
        for every p in seats
            choose h in Hill where h.flag is not p by p
            set h.flag to p
            set p.ready to false
        set turns to turns + 1
"""  # rules with an action at any moment


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a run saves of games that fail lands there."""
    monkeypatch.chdir(tmp_path)


def load(name: str) -> Game:
    return Game(ruleset(name))


def report(
    game: Game,
    backend: str,
    bots: str = "random",
    games: int = 12,
    most: int = 500,
    out: Path = Path("failures"),
    **how: Any,
) -> Report:
    """The report of a run in this process; one with native code must not fall back unless it is said."""
    if backend == REFERENCE:
        game = Game(game.program, REFERENCE)
    task = Task("none", tuple(bots.split(",")), how.pop("checked", False), (), backend, most)
    low, high = game.program.seats
    setups = make_setups(games, how.pop("seats", range(low, high + 1)), 7)
    return run(game, task, setups, 1, out, quiet=True, **how)


def told(found: Report) -> str:
    """All that a report tells but for times, in its order."""
    return json.dumps({name: value for name, value in found.to_json().items() if name not in TIMES})


def compare(name: str, bots: str, each: int, most: int) -> None:
    game = load(name)
    low, high = game.program.seats
    games = max(each * (high - low + 1), 6)  # the first five are looked at as well
    native = NativePlay(game, "wasm", tuple(bots.split(",")), {}, most, False)
    assert native.notice == ""
    mine = report(game, "wasm", bots, games, most)
    assert mine.played == games
    assert told(mine) == told(report(game, "reference", bots, games, most))


@needs_wasmtime
@pytest.mark.parametrize(("name", "bots", "each", "most"), SIMULATED)
def test_reports_are_those_of_the_reference(name: str, bots: str, each: int, most: int) -> None:
    compare(name, bots, each, most)


@needs_wasmtime
@pytest.mark.soak
@pytest.mark.parametrize(("name", "bots", "each", "most"), HEAVY)
def test_reports_of_heavy_games_are_those_of_the_reference(name: str, bots: str, each: int, most: int) -> None:
    compare(name, bots, each, most)


@needs_compiler
@pytest.mark.parametrize("bots", ["random", "greedy", "random,greedy"])
def test_c_gives_the_same_reports(bots: str) -> None:
    game = load("foundry")
    assert told(report(game, "c", bots)) == told(report(game, "reference", bots))


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "greedy", "greedy,random"])
@pytest.mark.parametrize("seldom", ["", "seldom: [shout]\n"])
def test_actions_at_any_moment_are_taken_as_by_the_reference(bots: str, seldom: str) -> None:
    game = small(MOMENTS, manifest="evaluate: promise\n" + seldom)
    mine = report(game, "wasm", bots, 40)
    assert mine.finished == 40 and (seldom or "shout" in mine.answer_usage.taken)
    assert told(mine) == told(report(game, "reference", bots, 40))


FULL = """
kind Seat
    field total: 0..999
kind Tree: 6
    field height: 0..9
    field owner: Seat or none
value promise(p: Seat): int = sum(t in Tree where t.owner is p: t.height) * 2 + p.total
phase game
    for every t in Tree
        random number n in 1..9
        set t.height to n
    for every round in 1..4
        for every p in seats
            choose some ts in Tree exactly 3 by p
            for every t in ts: set t.owner to p
            choose number k in 0..3 by p
            set p.total to p.total + (k if k < 3 else 0)
"""  # rules with an answer of several members


@needs_wasmtime
@pytest.mark.parametrize("bots", ["greedy", "greedy,random"])
def test_long_answers_are_filled_as_by_the_reference(bots: str) -> None:
    game = small(FULL, manifest="evaluate: promise\nresult: {score: promise}\n")
    made = report(game, "wasm", bots, 20)
    assert made.finished == 20
    assert told(made) == told(report(game, "reference", bots, 20))


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "greedy,random"])
@pytest.mark.parametrize("winners", ["", ", winners: best"])
def test_winners_and_places_at_the_end_are_told(bots: str, winners: str) -> None:
    """A card is laid away behind the last answer."""
    manifest = "result: {score: points_of" + winners + "}\nevaluate: points_of"
    game = small(RIVALS + "    move low to box\n", seats=(2, 2), manifest=manifest)
    mine = report(game, "wasm", bots, 40)
    assert mine.card_usage.places["box", "low"] == 40
    assert told(mine) == told(report(game, "reference", bots, 40))


# ------------------------------------------------------------ the random numbers


SEEDS = (0, 1, 9, 10, 7_000_001, 2**32 - 1, 2**32, 2**53 + 11, 123_456_789_012_345_678, 2**62 - 1)


def test_the_random_numbers_of_bots_are_those_of_python() -> None:
    lowering = Lowering(load("nim").program, TABLES)
    items, at = lowering.memory.room(40), Num(lowering.memory.room(bot_numbers.STATE))
    bot_numbers.write(lowering)
    bot_numbers.write_fraction(lowering, at)
    with lowering.function("start", ("seed",)) as w:
        bot_numbers.start(lowering, at, Local("seed"))
        w.give(ZERO)
    runner = printed(finished(lowering).module)
    for seed in (*SEEDS, *(~seed for seed in SEEDS)):
        chance = Generator(seed)
        runner.call("start", seed)
        for n in (1, 2, 3, 16, 17, 255, 256, 1000, 3 << 30, 1 << 32):
            assert runner.call(BELOW, at.value, n) == chance.below(n)
        assert runner.call(FRACTION) == chance.random() * 2**53
        things = list(range(40))
        runner.memory[items : items + 40] = things
        chance.shuffle(things)
        runner.call(MIX, at.value, items, 40)
        assert list(runner.memory[items : items + 40]) == things
        words = [0] * (RNG + 3)
        rng.set_state(words, chance.bits64())
        runner.call(RESEED, at.value)
        assert list(runner.memory[RNG : RNG + 3]) == words[RNG:]


def test_games_of_a_seed_have_the_chance_that_python_gives_them() -> None:
    lowering = Lowering(load("nim").program, TABLES)
    with lowering.function("seeded", ("seed",), exported=True) as w:
        seed_store(lowering, Local("seed"))
        w.give(ZERO)
    runner = printed(finished(lowering).module)
    for seed in SEEDS:
        words = [0] * (RNG + 3)
        rng.seed(words, seed)
        runner.call("seeded", seed)
        assert list(runner.memory[RNG : RNG + 3]) == words[RNG:]


# ------------------------------------------------------------ games with the same figures


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "random,greedy"])
def test_games_with_the_same_figures_are_one_outcome(bots: str) -> None:
    game = load("kuhn_poker")
    native = NativePlay(game, "wasm", tuple(bots.split(",")), {}, 500, False)
    batch = native.play(make_setups(2000, (2,), 7))
    assert sum(outcome.games for outcome in batch.outcomes) == 2000 > 10 * len(batch.outcomes)
    assert [outcome.setup.number for outcome in batch.outcomes[:5]] == [0, 1, 2, 3, 4]
    for outcome in batch.outcomes:
        alone = play_out(game, outcome.setup, native.bots, False, {}, 500)
        assert (outcome.seat_scores, outcome.decisions) == (alone.seat_scores, alone.decisions)
    assert told(report(game, "wasm", bots, 2000)) == told(report(game, "reference", bots, 2000))


@needs_wasmtime
def test_more_different_games_than_there_are_rows_for_are_all_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "MOST_RESULTS", 4)
    game = small(MOMENTS)
    mine = report(game, "wasm", games=60, seats=(2, 3))
    assert mine.finished == 60
    assert told(mine) == told(report(game, "reference", games=60, seats=(2, 3)))


# ------------------------------------------------------------ where low code gives up


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "greedy", "random,greedy"])
def test_failures_are_those_of_the_reference(bots: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = small(STUCK, seats=(2, 2))
    found = {}
    for backend in ("wasm", "reference"):
        mine = report(rules, backend, bots, 20, out=tmp_path / backend)
        files = {Path(f["file"]).name: Path(f["file"]).read_text(encoding="utf-8") for f in mine.failures}
        for failure in mine.failures:
            failure["file"] = Path(failure["file"]).name
        assert 0 < len(files) == mine.dead_ends and mine.finished == 20 - len(files)
        found[backend] = told(mine), files
    assert found["wasm"] == found["reference"]
    for text in found["wasm"][1].values():
        data = json.loads(text)
        assert repeat_failure(replay(rules, data), data["failure"], tmp_path) == 0
    assert "it fails again" in capsys.readouterr().out


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "greedy", "greedy,random"])
def test_what_low_code_gives_up_at_is_decided_by_the_reference(bots: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_module, "ENOUGH", 1 << 30)
    value = "value promise(p: Seat): int = p.total * 2 + sum(t in Tree: t.grown)\n"
    game = small(WITH_A_GAP + value, manifest="evaluate: promise\n")
    made: list[NativeWalks] = []
    keep(monkeypatch, made)
    mine = report(game, "wasm", bots, 4)
    assert made[0].given_up > 20 and made[0].replayed == 0 and made[0].notice == ""
    assert told(mine) == told(report(game, "reference", bots, 4))


@needs_wasmtime
def test_the_reference_plays_where_low_code_gives_up_too_often(capsys: pytest.CaptureFixture[str]) -> None:
    game = small(WITH_A_GAP)
    mine = report(game, "wasm", games=60, telling=True)
    assert capsys.readouterr().err.startswith("note: low code gives up too often in this ruleset: conditions on")
    assert told(mine) == told(report(game, "reference", games=60))


@needs_wasmtime
def test_a_game_that_is_too_long_for_the_trace_is_played_by_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "TRACE_WORDS", 182)
    game = small(MOMENTS)
    made: list[NativeWalks] = []
    keep(monkeypatch, made)
    mine = report(game, "wasm", games=30)
    assert 0 < made[0].replayed < 30
    assert told(mine) == told(report(game, "reference", games=30))


def keep(monkeypatch: pytest.MonkeyPatch, made: list[NativeWalks]) -> None:
    """Note what plays in native code."""
    begin: Callable[..., None] = NativeWalks.__init__

    def noting(self: NativeWalks, *args: Any) -> None:
        begin(self, *args)
        made.append(self)

    monkeypatch.setattr(NativeWalks, "__init__", noting)


# ------------------------------------------------------------ runs


@needs_wasmtime
def test_a_run_that_is_stopped_reports_the_games_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    play = NativeWalks.play

    def stopped(self: NativeWalks, *args: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        return play(self, *args)

    monkeypatch.setattr(NativeWalks, "play", stopped)
    mine = report(load("nim"), "wasm", games=500)
    assert mine.interrupted and 1 <= mine.played < 500 and mine.finished == mine.played
    assert len(mine.answer_usage.asked) == 1


@needs_wasmtime
def test_the_number_of_processes_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for jobs in ("1", "2"):
        words = ["simulate", "love_letter", "--games", "70", "--jobs", jobs, "--json", "--backend", "wasm"]
        assert cli.run(words) == 0
        data = json.loads(capsys.readouterr().out)
        found.append({name: value for name, value in data.items() if name not in (*TIMES, "jobs")})
    assert found[0] == found[1] and found[0]["finished"] == 70


@needs_wasmtime
def test_games_begin_from_the_ends_of_others(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(home / "cache"))
    monkeypatch.setattr("tools.base.home.homes", lambda: iter([home]))
    lay_out_campaign(home)
    made: list[NativeWalks] = []
    keep(monkeypatch, made)
    found = []
    for backend in ("wasm", "reference"):
        how = ["--seats", "2,3", "--games", "12", "--jobs", "1", "--json", "--backend", backend]
        assert cli.run(["simulate", "spring", "--then", "summer", *how]) == 0
        told_of_both = json.loads(capsys.readouterr().out)
        found.append([{k: v for k, v in data.items() if k not in TIMES} for data in told_of_both])
    assert found[0] == found[1] and [data["finished"] for data in found[0]] == [12, 12]
    assert len(made) == 2 and all(walks.answers and not walks.replayed for walks in made)


# ------------------------------------------------------------ where it is not there


def test_without_the_package_python_plays(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """By itself it is silent; asked for by name, it says so once."""
    monkeypatch.setattr(host, "wasmtime", None)
    monkeypatch.setattr("tools.base.loading.find_spec", lambda name: None)
    assert choose_backend(None, 11) == "printed" and choose_backend(None, 10) == "native"
    assert cli.run(["simulate", "nim", "--games", "12", "--jobs", "1", "--json"]) == 0
    silent = capsys.readouterr()
    assert silent.err == ""
    assert cli.run(["simulate", "nim", "--games", "12", "--jobs", "1", "--json", "--backend", "wasm"]) == 0
    named = capsys.readouterr()
    assert named.err.count("note: ") == 1 and "the extra `native` installs it; the reference plays." in named.err
    assert without_times(silent.out) == without_times(named.out)


def without_times(text: str) -> dict[str, Any]:
    return {name: value for name, value in json.load(io.StringIO(text)).items() if name not in TIMES}


@needs_wasmtime
def test_it_is_used_by_itself(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    made: list[NativeWalks] = []
    keep(monkeypatch, made)
    assert choose_backend(None, 1) == "wasm"
    assert cli.run(["simulate", "nim", "--games", "3", "--jobs", "1"]) == 0
    assert made[0].answers > 5 and capsys.readouterr().err == ""


def test_a_back_end_that_is_not_there_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["simulate", "nim", "--backend", "wasn"]) == 2
    assert "wasn" in capsys.readouterr().err
