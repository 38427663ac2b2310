"""Labels and names of values (`dsl.knowledge`): what is joined where ways meet, and when a name ends."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import INT
from dsl.knowledge.branches import controlled
from dsl.knowledge.choices import contains
from dsl.knowledge.labels import OPEN, Fact, Parameter, Secret, Seer, Who, put_in, with_seer
from dsl.knowledge.state import change, join, leave_join, put

HAND = frozenset({Secret("Seat.hand", frozenset({Seer("owner", Who(("const", 2)))}))})
DECK = frozenset({Secret("deck")})


def test_a_value_tells_what_its_parts_tell_wherever_ways_meet() -> None:
    a = {"x": Fact(HAND, HAND, HAND, Who("p")), "only": Fact(DECK, DECK, DECK)}
    b = {"x": Fact(DECK, OPEN, DECK, Who("q"))}
    met = join(a, b, 7)
    assert met["x"].label == HAND | DECK and met["x"].size == HAND and met["only"].label == DECK
    assert met["x"].who == Who(("joined", 7, "x"), frozenset({("joined", 7, "x")}))


def test_a_name_ends_where_its_place_is_passed_once_more() -> None:
    env: dict[object, Fact] = {}
    put(env, "p", Fact(), "head of the loop")
    put(env, "before", env["p"], "end of the loop")
    assert env["before"].who == env["p"].who
    put(env, "p", Fact(), "head of the loop")
    assert env["before"].who is None and env["p"].who is not None


def test_a_cell_that_changes_leaves_equal_names_equal() -> None:
    asker = Who(("cell", "asker"), frozenset({"asker"}))
    env: dict[object, Fact] = {}
    put(env, "q", Fact(who=asker), 1)
    put(env, "r", Fact(who=asker), 2)
    change(env, frozenset({"asker"}), 3)
    assert env["q"].who == env["r"].who != asker
    change(env, frozenset({"asker"}), 3)
    assert env["q"].who is None or env["q"].who != asker


def test_a_join_that_is_passed_again_names_anew() -> None:
    here = ("joined", 5, "p")
    env = {"p": Fact(who=Who(here, frozenset({here}))), "last": Fact(who=Who(here, frozenset({here})))}
    assert {k: f.who for k, f in leave_join(env, 5).items()} == {"p": None, "last": None}


def test_arguments_are_put_in_with_all_who_see_them() -> None:
    shown = Seer("seats", Who("w"))
    parameter = frozenset({Secret(Parameter(("function", 1), 0), frozenset({shown}))})
    assert put_in(parameter, lambda p: HAND) == with_seer(HAND, shown)
    assert put_in(parameter, lambda p: OPEN) == OPEN and put_in(parameter, lambda p: None) == parameter


def test_only_what_is_certain_to_be_in_a_set_of_seats_counts() -> None:
    assert contains(("set", "p", "q"), {"p"}) and contains(("|", ("set", "r"), "p"), {"p"})
    assert not contains(("if", "t", "p", "q"), {"p"}) and not contains(("set", "q"), {"p"})


def test_a_branch_controls_what_lies_before_the_ways_meet() -> None:
    test, store = ir.Const(1), ir.Run((ir.SetFrame(0, INT, ir.Const(1)),))
    code = [ir.Branch(test, 3), store, ir.Jump(4), store, store, ir.Leave()]
    assert controlled(code, 0, {0: DECK}) == {1: DECK, 2: DECK, 3: DECK}
    leaving = [ir.Branch(test, 2), ir.Give(None, 4), store, store, ir.Leave()]
    assert set(controlled(leaving, 0, {0: DECK})) == {1, 2, 3}
    assert controlled(code, 0, {}) == {}


def test_a_loop_is_controlled_by_its_own_test() -> None:
    store = ir.Run(())
    code = [ir.Branch(ir.Const(1), 3), store, ir.Jump(0), ir.Leave()]
    assert set(controlled(code, 0, {0: HAND})) == {0, 1, 2}
