"""Playing: new games, options, single and whole answers, refusals that change nothing."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import pytest

import interpreter as rw
from dsl import ir
from interpreter.session.game import find_ruleset
from interpreter.session.setup import GameSetupError
from tests.interpreter.programs import ANSWER, NUMBER, const, fair
from tools.base.home import find_ruleset as from_commands


@pytest.fixture(scope="module")
def game() -> rw.Game:
    return rw.Game(fair())


def play_randomly(state: rw.State, seed: int, steps: int = 1000) -> rw.State:
    chooser = random.Random(seed)
    while state.decision is not None and steps:
        rw.apply(state, chooser.choice(rw.legal(state)))
        steps -= 1
    return state


def ids(state: rw.State) -> list[str]:
    return [" ".join(o.ids) for o in rw.legal(state)]


def test_a_new_game_stops_at_the_first_question(game: rw.Game) -> None:
    state = game.new(seed=3)
    assert state.decision is not None
    assert (state.decision.address, state.decision.seat, state.decision.actor) == ("turn.move", 1, "p1")
    held = rw.view(state, 1)["state"]["Seat.hand"]["p1"]
    assert ids(state) == ["take 1", "take 2", "take 3", *(f"play {c}" for c in held), "rest"]
    assert not state.over


def test_the_same_seed_gives_the_same_game(game: rw.Game) -> None:
    first, second = (play_randomly(game.new(seed=5), 1) for _ in range(2))
    assert first.over and first.words == second.words and first.log == second.log
    assert play_randomly(game.new(seed=6), 1).digest() != first.digest()


def test_wrong_beginnings_are_refused(game: rw.Game) -> None:
    with pytest.raises(GameSetupError, match="7 seats, but this game is for 2 to 2"):
        game.new(seats=7)
    with pytest.raises(GameSetupError, match="did you mean `bonus`"):
        game.new(options={"bonis": "true"})
    with pytest.raises(GameSetupError, match="cannot be `perhaps`"):
        game.new(options={"bonus": "perhaps"})
    for wrong in (1.5, None, 2, ["true"]):
        with pytest.raises(GameSetupError, match=r"option `bonus` cannot be `.*\(one of: false, true\)"):
            game.new(options={"bonus": wrong})  # type: ignore[dict-item]
    assert game.new(options={"bonus": "true"}).options == {"bonus": "true"}
    assert game.new(options={"bonus": True}).options == {"bonus": "true"}
    assert game.new(options={"bonus": False}).options == {"bonus": "false"}


def test_an_answer_that_is_not_offered_changes_nothing(game: rw.Game) -> None:
    state = game.new(seed=3)
    before, log = state.words[:], list(state.log)
    with pytest.raises(rw.IllegalAnswer):
        rw.apply(state, (9, 9, 9))
    with pytest.raises(rw.IllegalAnswer):
        rw.answer(state, "take 1, nonsense")
    assert (state.words, state.log) == (before, log)


def test_the_refusal_names_guard_values_and_clause(game: rw.Game) -> None:
    state = game.new(seed=3, script=("red", "blue", "green", "gold"))
    held = rw.view(state, 2)["state"]["Seat.hand"]["p2"][0]
    rw.answer(state, ["take 1"])
    rw.answer(state, ["decline"])
    rw.answer(state, ["0"])
    assert state.decision is not None and state.decision.actor == "p2"
    with pytest.raises(rw.IllegalAnswer) as refusal:
        rw.answer(state, f"play {held}")
    assert refusal.value.guard == "p.coins >= 1"
    assert refusal.value.values == (("p.coins", "0"),)
    assert refusal.value.cites == ("F-3",)
    assert "[F-3]" in str(refusal.value)


def test_the_wrong_seat_is_told_whose_turn_it_is(game: rw.Game) -> None:
    state = game.new(seed=3)
    with pytest.raises(rw.IllegalAnswer, match="p1 is asked at turn.move, not p2"):
        rw.answer(state, "rest", who="p2")
    rw.answer(state, "rest", who=1)


def test_an_unknown_word_gives_the_nearest_one(game: rw.Game) -> None:
    state = game.new(seed=3)
    with pytest.raises(rw.IllegalAnswer, match="did you mean `take`"):
        rw.answer(state, "tak 1")


def test_a_whole_answer_runs_through_several_questions(game: rw.Game) -> None:
    state = game.new(seed=3)
    rw.answer(state, ["take(2)", "p2 1", "p1 1", "4"])
    assert [(e.address, e.ids) for e in state.log if e.kind == "choice"] == [
        ("turn.move", ("take", "2")),
        ("turn.share", ("p1", "1")),
        ("turn.share", ("p2", "1")),
        ("turn.secret", ("4",)),
    ]
    apples = rw.view(state, None)["state"]["Seat.apples"]
    assert apples == {"p1": 5, "p2": 3}


def test_a_long_answer_that_is_not_complete_is_refused(game: rw.Game) -> None:
    state = game.new(seed=3)
    rw.answer(state, "take 1")
    before = state.words[:]
    with pytest.raises(rw.IllegalAnswer):
        rw.answer(state, "p1 1, 4")
    assert state.words == before


def test_aliases_are_legal_input(game: rw.Game) -> None:
    state = game.new(seed=3)
    rw.answer(state, ["take 1", "first 2", "0"])
    assert any(e.ids == ("p1", "2") for e in state.log)


def test_a_copy_shares_nothing(game: rw.Game) -> None:
    state = game.new(seed=3)
    twin = rw.copy(state)
    play_randomly(twin, 2)
    assert state.decision is not None and len(state.log) < len(twin.log)
    assert state.words != twin.words


def test_texts_have_numbers_names_and_languages(game: rw.Game) -> None:
    state = game.new(seed=3)
    options = rw.legal(state)
    assert [o.text() for o in options[:2]] == ["Take 1 apple, leaving 15", "Take 2 apples, leaving 14"]
    assert options[1].text("ja") == "りんごを2個取る"
    assert state.decision is not None and state.decision.prompt() == "Anna, your move"


def test_forced_answers_without_end_are_a_fault_of_the_ruleset() -> None:
    """A routine that asks the same forced question for ever."""
    program = fair()
    site = program.sites[3]
    only = ir.Alternative("", (("n", 0, ir.Domain("range", const(0), const(0)), ANSWER),), (), ((NUMBER, ANSWER),))
    program.sites = (*program.sites[:3], dataclasses.replace(site, alternatives=(only,)))
    ask = next(i for i, row in enumerate(program.code) if isinstance(row, ir.Ask) and row.site == 3)
    program.code = (*program.code[: ask + 1], ir.Jump(ask), *program.code[ask + 2 :])
    state = rw.Game(program).new()
    before = state.words[:]
    with pytest.raises(rw.RulesetError, match="turn.secret"):
        rw.answer(state, "rest, decline")
    assert state.words == before


def test_a_ruleset_is_found_by_id_or_path(tmp_path: Path) -> None:
    folder = tmp_path / "rulesets" / "orchard"
    folder.mkdir(parents=True)
    (folder / "ruleset.yaml").write_text("id: orchard\n", encoding="utf-8")
    assert find_ruleset("orchard", tmp_path) == folder
    assert find_ruleset(folder) == folder
    with pytest.raises(FileNotFoundError, match="no ruleset `orchid` here; did you mean `orchard`"):
        find_ruleset("orchid", tmp_path)


def test_python_finds_rulesets_where_the_command_line_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the home that is named, in folders above the current one, and among those that came with the program."""
    named, above = tmp_path / "named", tmp_path / "above"
    for home in (named, above):
        (home / "rulesets" / "orchard").mkdir(parents=True)
        (home / "rulesets" / "orchard" / "ruleset.yaml").write_text("id: orchard\n", encoding="utf-8")
    inside = above / "notes" / "orchard"  # a folder of that name is no ruleset
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside.parent)
    for home in (named, above):
        if home is named:
            monkeypatch.setenv("RULEWRIGHT_HOME", str(named))
        else:
            monkeypatch.delenv("RULEWRIGHT_HOME")
        assert find_ruleset("orchard").resolve() == home / "rulesets" / "orchard" == from_commands("orchard")
        assert find_ruleset("nim").resolve() == from_commands("nim")
    monkeypatch.setenv("RULEWRIGHT_HOME", str(inside))
    with pytest.raises(FileNotFoundError, match="there is no folder 'rulesets'"):
        find_ruleset("orchard")


def test_an_overlay_brings_along_those_that_it_is_on(tmp_path: Path) -> None:
    folder = tmp_path / "rulesets" / "dial"
    files = {
        "ruleset.yaml": "id: dial\nversion: 1\ntitle: {en: Dial}\nseats: 2\nload: [dial.rules]\n",
        "dial.rules": "kind Seat\n    field mark: 0..99\nphase game\n    for every p in seats: set p.mark to 1\n",
        "variants/wide/wide.variant": "variant wide on dial\n    phase again\n        set p1.mark to 2\n",
        "variants/wider/wider.variant": "variant wider on wide\n    replace game\n        do again()\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    named = rw.load("dial+wider", home=tmp_path).program
    assert rw.load("dial", overlays=["wider"], home=tmp_path).program.digest == named.digest
    assert "again" in {proc.name for proc in named.procs}
