"""Positions and rulings: built row by row, run step by step, compared line by line."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter as rw
from dsl import ir
from dsl.base.types import BOOL
from interpreter.records.position import PositionError, build
from interpreter.records.ruling import RulingResult, run_ruling, run_rulings
from tests.interpreter.programs import (
    APPLES,
    BASKET,
    BLUE,
    BONUS,
    COIN,
    COINS,
    GREEN,
    P1,
    P2,
    RED,
    ZONE_DECK,
    ZONE_HAND_1,
    cell,
    const,
    fair,
)

TURN, PAY_OUT = 1, 2


def coins(amount: int, seat: int = 0) -> ir.GivenCell:
    return ir.GivenCell(COIN + seat, COINS, amount, "p1.coins")


def apples(amount: int) -> ir.GivenPieces:
    return ir.GivenPieces(((APPLES, amount, BASKET, "apple"),), symbol="p1.apples")


def position(name: str, *given: Any, base: str = "", steps: tuple[ir.RulingStep, ...] = ()) -> ir.Position:
    return ir.Position(name, name, base, 2, (("bonus", 1),), given, steps)


POSITIONS = (
    position("rich", coins(5), apples(3), ir.GivenThings(ZONE_HAND_1, (RED, BLUE))),
    position("asked", base="rich", steps=(ir.RulingStep("do", TURN, (const(P1),)),)),
    position("greedy", apples(30)),
    position("circle", base="round"),
    position("round", base="circle"),
)


def do(proc: int, seat: int) -> ir.RulingStep:
    return ir.RulingStep("do", proc, (const(seat),))


def says(who: str, *items: Any) -> ir.RulingStep:
    return ir.RulingStep("answer", who=who, items=items)


def chance(*items: Any) -> ir.RulingStep:
    return ir.RulingStep("chance", items=items)


def is_(text: str, address: int, value: int) -> ir.Expectation:
    return ir.Expectation("value", text, cell(address), const(value), COINS)


def expects(op: str, *items: Any, reason: str = "", who: str = "") -> ir.Expectation:
    text = " ".join([op, *map(str, items), *([f'because "{reason}"'] if reason else []), who]).strip()
    return ir.Expectation(op, text, items=items, reason=reason, who=who)


def run(steps: tuple[ir.RulingStep, ...], *expect: ir.Expectation, base: str = "rich", given: Any = ()) -> RulingResult:
    ruling = ir.Ruling("R_1", "a trial", ("F-1",), 0, (), given, (ir.Stage(steps, expect),), base=base)
    return run_ruling(rw.Game(fair(POSITIONS, (ruling,))), ruling)


def failed(result: RulingResult) -> list[tuple[str, str, str]]:
    assert not result.passed
    return [(f.text, f.expected, f.seen) for f in result.failures]


def test_a_position_sets_cells_counts_and_things() -> None:
    state = build(rw.Game(fair(POSITIONS)), "rich")
    shown = rw.view(state, 1)["state"]
    assert (shown["Seat.coins"], shown["Seat.hand"]["p1"]) == ({"p1": 5, "p2": 0}, ["red", "blue"])
    assert (shown["Seat.apples"]["p1"], shown["basket"]) == (3, 17), "apples come out of their supply"
    assert state.words[BONUS] == 1 and state.options == {"bonus": "true"}


def test_things_leave_the_place_where_they_were() -> None:
    rows = (ir.GivenThings(ZONE_DECK, (BLUE, GREEN)),)
    result = run((), is_("deck", BASKET, 17), given=rows)
    assert result.passed
    game = rw.Game(fair((*POSITIONS, position("moved", *rows, base="rich"))))
    shown = rw.view(build(game, "moved"), 1)["state"]
    assert shown["Seat.hand"]["p1"] == ["red"] and shown["deck"]["hidden"] == 2


def test_a_position_can_not_make_pieces_nor_begin_with_itself() -> None:
    game = rw.Game(fair(POSITIONS))
    with pytest.raises(PositionError, match="apple 30, which needs 30 from a supply of 20"):
        build(game, "greedy")
    with pytest.raises(PositionError, match="begins with itself"):
        build(game, "circle")
    with pytest.raises(PositionError, match="did you mean `rich`"):
        build(game, "rch")


def test_a_position_may_lead_to_a_question() -> None:
    state = build(rw.Game(fair(POSITIONS)), "asked")
    assert state.decision is not None and state.decision.actor == "p1"


def test_a_ruling_that_holds() -> None:
    result = run(
        (do(TURN, P1), chance(6), says("p1", ("play", "blue"), "ready", "decline", "2")),
        is_("p1.coins", COIN, 11),
        is_("p2.coins", COIN + 1, 0),
    )
    assert result.passed, result.failures
    assert result.transcript[0] == 'ruling R_1 "a trial" [F-1]'
    assert "    p1 chooses play blue, ready, decline, 2" in result.transcript
    assert "    ok p1.coins" in result.transcript


def test_a_traced_transcript_has_rules_and_clauses() -> None:
    steps = (do(TURN, P1), chance(6), says("p1", ("play", "blue"), "ready", "decline", "2"))
    ruling = ir.Ruling("R_2", "traced", (), 0, (), (), (ir.Stage(steps),), base="rich")
    game = rw.Game(fair(POSITIONS, (ruling,)))
    transcript = run_ruling(game, ruling, traced=True).transcript
    assert "        phase turn(p1)  [F-1]" in transcript
    assert "        blue: p1.hand -> pile" in transcript
    assert "        rule turn.pay_day  [F-5]" in transcript
    assert not any("pay_day" in line for line in run_ruling(game, ruling).transcript)


def test_a_wrong_value_shows_both_sides() -> None:
    assert failed(run((do(PAY_OUT, P2),), is_("p2.coins", COIN + 1, 4))) == [("p2.coins", "4", "5")]


def test_illegal_with_its_reason() -> None:
    first = (do(TURN, P2),)
    assert run(first, expects("illegal", "play red", reason="not among")).passed
    assert run(first, expects("illegal", "decline"), expects("legal", "take 1"), expects("asks", who="p2")).passed
    text, expected, seen = failed(run(first, expects("illegal", "play red", reason="too few")))[0]
    assert expected == "refused because `too few`" and "red is not among" in seen
    assert failed(run(first, expects("illegal", "take 1"))) == [
        ("illegal take 1", "a refusal", "it is legal at turn.move")
    ]
    assert failed(run(first, expects("asks", who="p1")))[0][2] == "p2 is asked at turn.move"


def test_options_are_compared_as_a_set() -> None:
    first = (do(TURN, P2),)
    assert run(first, expects("options", "rest", "take 2", "take 1", "take 3")).passed
    assert (
        failed(run(first, expects("options", "rest", "play red")))[0][2]
        == "without play red and also take 1, take 2, take 3"
    )


def test_the_wrong_one_and_an_open_question_are_failures() -> None:
    assert failed(run((do(TURN, P1), says("p2", "rest"))))[0][2] == "p1 is asked at turn.move, not p2"
    assert "is still asked at turn.move" in failed(run((do(TURN, P1), do(PAY_OUT, P2))))[0][2]
    assert "p2 is asked" in failed(run((do(TURN, P2),), expects("over")))[0][2]


def test_the_end_of_a_driven_routine_is_not_the_end_of_the_game() -> None:
    assert failed(run((do(PAY_OUT, P1),), expects("over"))) == [
        ("over", "the end of the game", "the routine has run out; nothing is asked")
    ]


def test_all_rulings_of_a_program_run_in_order() -> None:
    rulings = [
        ir.Ruling(n, n, (), 0, (), (), (ir.Stage((), (is_("coins", COIN, 5),)),), base="rich") for n in ("b", "a")
    ]
    game = rw.Game(fair(POSITIONS, rulings))
    assert [(r.name, r.passed) for r in run_rulings(game)] == [("b", True), ("a", True)]
    assert [r.name for r in run_rulings(game, ["a"])] == ["a"]


def test_given_bools_read_well() -> None:
    row = ir.GivenCell(BONUS, BOOL, 0, "bonus")
    assert "    bonus: false" in run((), is_("coins", COIN, 5), given=(row,)).transcript
