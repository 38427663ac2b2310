"""Histories: how often the chosen parts of the state stood as they stand now, in the reference and in native code."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, errors, game, options, play_on_both, value

BOTH = pytest.mark.parametrize("backend", ["wasm", "reference"])

# A strip of four points, on which stones are taken by the rules of go; no position may come again.
GO = """
lattice Point: square by 1..4, 1..1
    field stone: Seat or none

history boards of Point.stone max {most}

value chain(x: Point): set of Point = reach(a in {{x}}, b in a.next where b.stone is x.stone)
value breathes(x: Point): bool = any(a in chain(x): any(b in a.next: b.stone is none))
value stood(): int = recorded(boards)

action place(p: Seat, x: Point) of moves where x.stone is none
    set x.stone to p
    for every q in seats from next(p)
        for every y in set(x in Point where x.stone is q and not breathes(x)): set y.stone to none
    require recorded(boards) is 0 because "the board stood so before"
    record boards

phase game
    record boards
    for every i in 1..30
        for every p in seats: offer moves by p or decline
    stop game
"""


def board(state: rw.State) -> str:
    return "".join({"none": "-", "p1": "1", "p2": "2"}[str(cell(state, f"point_{n}_1.stone"))] for n in range(1, 5))


def placed(before: str, stone: str, at: int) -> str:
    """The board after a stone, by hand: the other one's chains without a free neighbour are taken, then one's own."""
    now = before[:at] + stone + before[at + 1 :]
    for colour in "21" if stone == "1" else "12":
        gone = set()
        for n in range(4):
            low, high = n, n
            while low and now[low - 1] == now[n]:
                low -= 1
            while high < 3 and now[high + 1] == now[n]:
                high += 1
            around = [now[k] for k in (low - 1, high + 1) if 0 <= k < 4]
            if now[n] == colour and "-" not in around:
                gone.add(n)
        now = "".join("-" if n in gone else c for n, c in enumerate(now))
    return now


@BOTH
@pytest.mark.parametrize("seed", range(3))
def test_no_position_comes_again(seed: int, backend: str) -> None:
    state = rw.Game(game(GO.format(most=200), seats=(2, 2)).program, backend).new(seed=1)
    rng, stood, turns = Random(seed), [board(state)], 0
    while state.decision is not None:
        now, stone = board(state), state.decision.actor[1]
        wanted = {n for n in range(4) if now[n] == "-" and placed(now, stone, n) not in stood}
        offered = {int(o.ids[1].split("_")[1]) - 1 for o in rw.legal(state) if o.kind == "pick"}
        assert offered == wanted, (now, stone, stood)
        rw.apply(state, rng.choice(rw.legal(state)))
        if board(state) != now:
            stood.append(board(state))
        turns += 1
    assert turns > 10 and max(Counter(stood).values()) == 1


@pytest.mark.parametrize("seed", range(2))
def test_both_machines_remember_the_same(seed: int) -> None:
    assert play_on_both(game(GO.format(most=200), seats=(2, 2)).program, seed)


@BOTH
def test_it_is_told_why(backend: str) -> None:
    state = rw.Game(game(GO.format(most=200).replace("1..4", "1..3"), seats=(2, 2)).program, backend).new(seed=1)
    answer_all(state, "place point_1_1", "place point_3_1", "place point_2_1", "place point_3_1")
    assert options(state) == ["place point_2_1", "decline"]
    assert [r.because for r in rw.explain(state, "place point_1_1")] == ["the board stood so before"]
    assert value(state, "stood") == 1


LAMP = """
field lamp: 0..5
field found: 0..9
history seen of lamp max 3
phase game
    record seen
    repeat
        choose number n in 0..5 by p1
        set lamp to n
        set found to recorded(seen)
        record seen
"""


@BOTH
def test_the_oldest_is_forgotten(backend: str) -> None:
    state = rw.Game(game(LAMP).program, backend).new(seed=1)
    # what is remembered before each: 0 | 0 1 | 0 1 2 | 1 2 0 | 2 0 1 | 0 1 5 | 1 5 2 | 5 2 2 | 2 2 2
    for lamp, found in ((1, 0), (2, 0), (0, 1), (1, 1), (5, 0), (2, 0), (2, 1), (2, 2), (2, 3)):
        answer_all(state, str(lamp))
        assert cell(state, "found") == found


def test_it_is_in_copies_and_saves_and_in_no_view() -> None:
    played = game(GO.format(most=200), seats=(2, 2))
    state = played.new(seed=1)
    answer_all(state, "place point_1_1", "place point_3_1")
    later, before = rw.copy(state), list(state.words)
    assert list(rw.restore(played, rw.save(state)).words) == before
    answer_all(later, "place point_2_1")
    assert list(state.words) == before
    assert list(rw.replay(played, rw.save(later)).words) == list(later.words)
    assert "boards" not in str(rw.view(later, 1)) and "boards" not in str(rw.log_for(later, 1))


SORTS = """
enum Cause: dealt
enum Hue: pale, dark
kind Man: 3 faces up, down
    field strength: -5..5
    field held: set of Hue
    zone bag: pebble
kind Seat
    field ready: bool
piece pebble by Hue
field count_: 0..3000000
field mover: Seat or none
zone camp: Man
zone line: Man ordered
zone throne: Man max 1
history all_ of Man.face, Man.strength, Man.held, Man.bag, Seat.ready, count_, mover, camp, line, throne max 500
value stood(): int = recorded(all_)
phase game
    for every m in Man: move m to camp as dealt
    record all_
    repeat while count_ < 3000000
        choose one by p1
            case turned(m: Man)
                if m.face is up
                    turn m to down
                else
                    turn m to up
            case stronger(m: Man, n: -5..5): set m.strength to n
            case hold(m: Man): set m.held to {pale} if no m.held else {dark} if m.held is {pale} else {}
            case add(m: Man, h: Hue): gain 1 pebble[h] to m.bag
            case drop(m: Man, h: Hue): lose 1 pebble[h] from m.bag
            case ready: set p2.ready to not p2.ready
            case counted(n: 0..3): set count_ to 1023 * n + 1
            case move_on(p: Seat): set mover to p
            case to_camp(m: Man): move m to camp as dealt
            case to_line(m: Man): move m to line as dealt
            case to_throne(m: Man) where throne is none: move m to throne as dealt
            case enough: set count_ to 3000000
        record all_
    stop game
"""


def everything(state: rw.State) -> tuple[Any, ...]:
    men = [f"man_{n}" for n in (1, 2, 3)]
    own = [(cell(state, f"{m}.face"), cell(state, f"{m}.strength"), tuple(cell(state, f"{m}.held"))) for m in men]
    bags = [cell(state, f"{m}.bag", h) for m in men for h in ("pale", "dark")]
    rest = [cell(state, name) for name in ("count_", "mover", "throne")]
    return (*own, *bags, *rest, cell(state, "p2.ready"), tuple(cell(state, "camp")), tuple(cell(state, "line")))


@BOTH
@pytest.mark.parametrize("seed", range(2))
def test_all_sorts_of_state_are_compared(seed: int, backend: str) -> None:
    state = rw.Game(game(SORTS, seats=(2, 2)).program, backend).new(seed=1)
    rng, stood = Random(seed), Counter({everything(state): 1})
    for _ in range(80):
        rw.apply(state, rng.choice([o for o in rw.legal(state) if o.ids != ("enough",)]))
        stood[everything(state)] += 1
        assert value(state, "stood") == stood[everything(state)]
    assert max(stood.values()) > 1 and len(stood) > 40


BEGIN = """
kind Spot: 4
    field worth: 0..9
    field way: list of Spot
    field secret: 0..9 seen by nobody
zone deck: Spot ordered seen by nobody
phase game
    record past
    stop game
"""
WRONG = {
    "history past of Spot.worth max 0": "RW0724",
    "history past of Spot.worth max 20000": "RW0724",
    "history past of Spot.wort max 9": "RW0724",
    "history past of Spot.way max 9": "RW0724",
    "history past of Spot.secret max 9": "RW0724",
    "history past of deck max 9": "RW0724",
    "history past of Spot.worth": "RW0120",
    "history passed of Spot.worth max 9": "RW0725",
    "history past of Spot.worth max 9\nfield past: bool": "RW0202",
}


@pytest.mark.parametrize("line", WRONG)
def test_what_is_refused(line: str) -> None:
    assert [d.code for d in errors(f"{line}\n{BEGIN}")] == [WRONG[line]]


def test_too_much_is_refused() -> None:
    rules = (
        "lattice Spot: square by 1..90, 1..90\n    field worth: 0..1000000 by 1..9\n" + BEGIN[BEGIN.index("phase") :]
    )
    found = errors(f"history past of Spot.worth max 9\n{rules}")
    assert [d.code for d in found] == ["RW0724"] and "145800 values" in found[0].message


def test_histories_count_as_state() -> None:
    many = "".join(f"history past{n or ''} of Spot.worth max {10_000 - n}\n" for n in range(60))
    found = [d for d in errors(many + BEGIN) if d.code == "RW0329"]
    assert [d.message for d in found] == ["`past` takes 30001 words of the state, which has at most 1000000"]
