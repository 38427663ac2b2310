"""Games that begin from a position: rows of a text, named positions, rulings; their saves bring the beginning along."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.records.save import sealed
from tests.tools.conftest import CLAUSES, MANIFEST, RULES, RULINGS

ROWS = """
    seats: 2
    tree: 7, others gone
    p2.basket: 2
"""
TURN = "    when\n        do turn(p2)\n"
SECRET = """\
kind Seat
    zone hand: Card seen by owner
    field luck: 1..6
kind Card
card ace "Ace": Card
card king "King": Card
zone deck: Card ordered seen by nobody
invariant one_card: every(p in seats: size(p.hand) <= 1)
phase game
    stop game
phase turn(p: Seat)
    move front(deck) to p.hand
    random number n in 1..6
    set p.luck to n
    choose number m in 0..9 by p
    set p.luck to min(6, m + 1)
"""


@pytest.fixture
def apples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "rulesets" / "last_apple"
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    (folder / "rulings").mkdir(parents=True)
    files = {"ruleset.yaml": MANIFEST, "clauses.yaml": CLAUSES, "game.rules": RULES, "rulings/apples.ruling": RULINGS}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def game(apples: Path) -> rw.Game:
    return rw.load(apples)


def secrets(folder: Path, backend: str = "native") -> rw.Game:
    home = folder / "rulesets" / "secrets"
    (home / "rulings").mkdir(parents=True, exist_ok=True)
    (home / "ruleset.yaml").write_text("id: secrets\nversion: 1\ntitle: {en: S}\nseats: 2\nload: [s.rules]\n")
    (home / "s.rules").write_text(SECRET)
    (home / "rulings" / "s.ruling").write_text(
        'position dealt "dealt"\n    seats: 2\n    p1.hand: ace\n    deck: king\n'
        'position full "full"\n    seats: 2\n    p1.hand: ace, king\n'
        'ruling S_1 "luck"\n    given dealt\n        p2.luck: 5\n    when\n        chance gives 4\n'
        "        do turn(p2)\n"
        "        p2 chooses 3\n    expect\n        p2.luck: 4\n"
        'ruling S_2 "still"\n    given dealt\n    expect\n        p1.hand: ace\n'
    )
    return rw.load(home, backend=backend)


def test_rows_make_a_state_to_look_at(game: rw.Game) -> None:
    state = rw.position(game, ROWS)
    assert state.decision is None and not state.over
    shown = rw.view(state, 1)["state"]
    assert shown["tree"] == 7 and state.seats == 2
    assert rw.position(game, "p2.basket: 2\ntree: 1", begins="three_left").seats == 2


def test_what_the_steps_begin_is_the_game(game: rw.Game) -> None:
    state = rw.position(game, ROWS + TURN, seed=5)
    assert state.decision is not None and (state.decision.address, state.decision.seat) == ("turn.n", 2)
    assert state.log == [] and state.seed == 5
    rw.answer(state, "3")
    assert state.over and rw.result(state).winners == [2]


@pytest.mark.parametrize("name", ["LA_001"])
def test_a_ruling_is_begun_with_its_first_routine(game: rw.Game, name: str) -> None:
    state = rw.begun_from(game, name, 3)
    assert state.decision is not None and state.decision.seat == 1 and len(state.decision.options) == 3


def test_a_save_brings_its_beginning_along(game: rw.Game) -> None:
    state = rw.position(game, ROWS + TURN, seed=5)
    for _ in range(2):
        data = json.loads(json.dumps(rw.save(state)))
        again, replayed = rw.restore(game, data), rw.replay(game, data)
        for found in (again, replayed, rw.migrate(game, data).state):
            assert (found.digest(), found.log, found.begun) == (state.digest(), state.log, state.begun)
        if not state.over:
            rw.answer(state, "2")
    assert state.over and rw.replay(game, rw.save(state), to=0).decision is not None


@pytest.mark.parametrize("backend", ["native", "reference"])
def test_chance_and_secrets_replay_from_there(apples: Path, backend: str) -> None:
    game = secrets(apples.parents[1], backend)
    state = rw.begun_from(game, "S_1", 9)
    assert [entry.ids for entry in state.log] == [] and state.decision is not None and state.decision.seat == 2
    rw.answer(state, "3")
    assert state.over
    assert rw.replay(game, rw.save(state)).digest() == state.digest()
    begun = rw.begun_from(game, "S_1", 9)
    hands = [json.dumps(rw.view(begun, seat)["state"]) for seat in (1, 2)]
    assert "king" not in hands[0] and "king" in hands[1] and "ace" in hands[0]
    asked = rw.begun_from(game, "S_1", 9, "ask")
    assert rw.replay(game, rw.save(asked)).digest() == asked.digest()


def test_both_back_ends_begin_alike(apples: Path) -> None:
    states = [rw.begun_from(secrets(apples.parents[1], b), "S_1", 9) for b in ("native", "reference")]
    assert states[0].digest() == states[1].digest()


def test_positions_that_cannot_be(game: rw.Game, apples: Path) -> None:
    told = {
        "tree: 30": "so it holds apple 21, not apple 30",
        "seats: 2\ntreee: 3": "did you mean `tree`?",
        "seats: 9": "`seats` takes 2..4",
        "seats: 2\np3.basket: 1": "does not play: this position has 2 seats",
        "given three_left\n    tree: 3": 'begins="three_left"',
        "seats: 2\nwhen\n    do turn(p1)\n    p1 chooses 9": "a step of it cannot be taken: `9` is not legal at turn.n",
        "seats: 2\nexpect\n    tree: 3": "RW0903",
    }
    for rows, words in told.items():
        with pytest.raises(rw.PositionError) as fault:
            rw.position(game, rows)
        assert words in str(fault.value), rows
    with pytest.raises(rw.PositionError, match="did you mean `three_left`"):
        rw.position(game, begins="three_lef")
    with pytest.raises(rw.PositionError, match="nothing is asked in it"):
        rw.begun_from(game, "three_left", 1)
    other = secrets(apples.parents[1])
    with pytest.raises(rw.PositionError, match="the invariant `one_card` does not hold"):
        rw.position(other, begins="full")
    with pytest.raises(rw.PositionError, match="nothing is asked in it"):
        rw.begun_from(other, "S_2", 1)
    assert rw.position(other, "p2.luck: 3", begins="dealt").seats == 2  # told ones spoil nothing


def test_rules_that_have_changed_meanwhile(game: rw.Game, apples: Path) -> None:
    rules = apples / "game.rules"
    rules.write_text(rules.read_text(encoding="utf-8") + "\nvalue left(): int = tree\n", encoding="utf-8")
    with pytest.raises(rw.PositionError, match="no longer those that it was loaded from"):
        rw.position(game, ROWS)
    data = rw.save(rw.begun_from(game, "LA_001", 3))
    with pytest.raises(rw.SaveError, match="began from a position"):
        rw.migrate(rw.load(apples), data)


@pytest.mark.parametrize("change", ["short", "word", "seats", "none"])
def test_a_beginning_that_is_forged_is_refused(game: rw.Game, change: str) -> None:
    data = rw.save(rw.begun_from(game, "LA_001", 3))
    words = data["begun"]["words"]
    if change == "short":
        words.pop()
    elif change == "word":
        words[-1] = 2**30
    elif change == "seats":
        data["seats"] = 3
    else:
        data["begun"] = 3
    with pytest.raises((rw.SaveError, rw.ReplayError)):
        rw.replay(game, sealed(data))
