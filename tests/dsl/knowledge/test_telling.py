"""The work of the knowledge pass: what has to do with nothing hidden is not looked into."""

from __future__ import annotations

from collections import Counter

import pytest

from dsl import ir
from dsl.base.types import INT
from dsl.driver import load
from dsl.driver.load import check_texts
from dsl.knowledge import ruleset
from dsl.knowledge.run import FollowedRoutine, World
from dsl.knowledge.telling import Telling
from tests.games import ROOT


def cell(symbol: str) -> ir.Cell:
    return ir.Cell(ir.Const(0), INT, symbol)


def doubled(e: ir.Expr) -> ir.Expr:
    return ir.Arith("+", e, e)


def test_variables_decide_what_a_public_expression_tells() -> None:
    telling = Telling({"bid"}, [], ())
    x, y = ir.Temp(1), ir.FrameVar(2, INT)
    assert telling.variables(doubled(cell("points"))) == frozenset()
    assert telling.variables(ir.MakeSet((x, doubled(y)))) == {("temp", 1), ("frame", 2)}
    assert telling.variables(ir.MakeSet((x, doubled(cell("bid"))))) is None


def test_a_function_tells_what_its_body_reads() -> None:
    def function(body: ir.Expr) -> ir.Function:
        return ir.Function("f", (("p", INT),), 1, INT, body)

    again = function(ir.CallFn(3, (ir.Temp(0),)))
    telling = Telling({"bid"}, [function(ir.Temp(0)), function(cell("bid")), None, again], ())
    of = [telling.variables(ir.CallFn(n, (ir.Temp(7),))) for n in range(4)]
    assert of[0] == of[2] == {("temp", 7)}
    assert of[1] is None
    assert of[3] is None  # it calls itself


HEAD = """\
enum Cause: played
kind Seat
    field points: 0..9
    field bid: 0..5 seen by owner
field total: 0..99
"""
RULES = (
    HEAD
    + """\
value worth(p: Seat): int = p.points
phase game
    do copy(SUCH)
    do look(p1)
    do quiet(p1)
    do bidding(p1)
procedure copy(n: 0..9)
    until end of game: modify worth(p) by n
procedure look(p: Seat): set total to worth(p)
procedure quiet(p: Seat): set total to p.points
procedure bidding(p: Seat): set p.bid to p.bid
"""
)


@pytest.mark.parametrize(
    "copied, followed", [("p1.points", {"game", "bidding"}), ("p1.bid", {"game", "copy", "look", "bidding"})]
)
def test_only_routines_that_something_hidden_comes_to_are_followed(
    monkeypatch: pytest.MonkeyPatch, copied: str, followed: set[str]
) -> None:
    seen: set[str] = set()

    def follow(world: World, number: int) -> FollowedRoutine:
        seen.add(world.procs[number].name)
        return original(world, number)

    original = ruleset.follow
    monkeypatch.setattr(ruleset, "follow", follow)
    assert not [d for d in check_texts({"x.rules": RULES.replace("SUCH", copied)}, None) if d.severity.value == "error"]
    assert seen - {"setup"} == followed


def test_a_heavy_game_is_followed_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """A routine is followed anew where calls tell it more, or tell more of what they give."""
    times: Counter[int] = Counter()

    def follow(world: World, number: int) -> FollowedRoutine:
        times[number] += 1
        return original(world, number)

    original = ruleset.follow
    monkeypatch.setattr(ruleset, "follow", follow)
    monkeypatch.setattr(load, "load_compiled", lambda digest: None)
    load.compile_ruleset(ROOT / "rulesets" / "through_the_ages")
    assert len(times) > 50
    assert times.total() < 3 * len(times)
