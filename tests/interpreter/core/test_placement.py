"""Transfers of pieces and moves of things: zones with their order, place words, and who knows where a thing is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dsl import ir
from dsl.base.types import INT, IntType, ListType, MemberType, SetType, Type
from interpreter.core import placement
from interpreter.core.errors import RulesetError
from interpreter.machine import invariants
from interpreter.machine.machine import Machine
from tests.interpreter.build import Build, C

ENDLESS = ir.Pool("endless", None, None, "bank")


def transfer(
    b: Build, amount: int, source: ir.Pool, target: ir.Pool, exact: bool = True, limit: int | None = None
) -> tuple[list[int], int]:
    """Counts of all cells afterwards, and the number moved."""
    moved = b.field("moved")
    move = ir.Transfer(C(amount), source, target, exact, limit, 0, "cube", None)
    b.proc("game", ir.Run((move, ir.Store(moved.address, INT, ir.Temp(0), "moved"))))
    m, words = b.play()
    return [words[e.base] for e in b.layout[:-1]], m.evaluate(words, moved)


def test_exact_transfers_move_all_or_fail() -> None:
    b = Build()
    assert transfer(b, 2, b.pool("a", 3), b.pool("b")) == ([1, 2], 2)
    b = Build()
    with pytest.raises(RulesetError, match="4 cube should leave `a`, but it holds only 3"):
        transfer(b, 4, b.pool("a", 3), b.pool("b"))
    b = Build()
    with pytest.raises(RulesetError, match="should go to `b`, but it has room for 1"):
        transfer(b, 2, b.pool("a", 3), b.pool("b", 1), limit=2)
    b = Build()
    with pytest.raises(RulesetError, match="must not be negative"):
        transfer(b, -1, b.pool("a", 3), b.pool("b"))


def test_other_transfers_move_what_they_can() -> None:
    b = Build()
    assert transfer(b, 9, b.pool("a", 3), b.pool("b"), exact=False) == ([0, 3], 3)
    b = Build()
    assert transfer(b, 9, b.pool("a", 3), b.pool("b", 1), exact=False, limit=2) == ([2, 2], 1)
    b = Build()
    assert transfer(b, 9, ENDLESS, b.pool("b", 1)) == ([10], 9)
    b = Build()
    assert transfer(b, 1, b.pool("b", 1), ENDLESS) == ([0], 1)


def test_slots_hold_the_code_of_one_piece() -> None:
    def slot(b: Build, name: str, code: int, value: int) -> ir.Pool:
        return ir.Pool("slot", b.field(name, IntType(0, 9), value).address, C(code), name)

    b = Build()
    assert transfer(b, 1, b.pool("a", 3), slot(b, "s", 4, 0)) == ([2, 4], 1)
    b = Build()
    assert transfer(b, 1, slot(b, "s", 4, 4), b.pool("a", 3)) == ([0, 4], 1)
    b = Build()
    with pytest.raises(RulesetError, match="it holds only 0"):
        transfer(b, 1, slot(b, "s", 4, 5), b.pool("a", 3))
    b = Build()
    with pytest.raises(RulesetError, match="room for 0"):
        transfer(b, 1, b.pool("a", 3), slot(b, "s", 4, 5))


# ------------------------------------------------------------ things

CARD = MemberType("Card", 3, 7)
CARDS = [3, 4, 5, 6, 7]
KINDS: dict[str, Type] = {"list": ListType(CARD, 4), "set": SetType(CARD), "slot": MemberType("Card", 3, 7, True)}


class Table:
    """Five cards, a row, a pile, a slot, and hands of two seats."""

    def __init__(self, known: bool = False) -> None:
        b = self.b = Build()
        for name in "abcde":
            b.thing(name)
        self.row = b.zone("row", "list", KINDS["list"], 4)
        self.pile = b.zone("pile", "set", KINDS["set"], 9)
        self.slot = b.zone("slot", "slot", KINDS["slot"], 1)
        self.deck = b.zone("deck", "list", ListType(CARD, 5), 5, "nobody")
        self.hand = [b.zone("hand", "set", KINDS["set"], 5, "owner", seat) for seat in (1, 2)]
        if known:
            b.known_base = b.words
            b.words += 8
        b.proc("game")
        self.m, self.words = b.blank()
        self.m.words = self.words

    def move(self, thing: int, zone: int, at: str | int | None = None) -> None:
        place = at if at is None or isinstance(at, str) else C(at)
        s = ir.MoveThing(C(thing), C(zone), place, None)
        self.m.ex[ir.MoveThing](self.m, s, [])

    def content(self, zone: int) -> tuple[int, ...]:
        return placement.content(self.words, self.m.program.zones[zone])

    def known(self, thing: int) -> int:
        return self.words[self.b.known_base + thing]


def test_places_in_an_ordered_zone() -> None:
    table = Table()
    for thing, at in ((3, None), (4, None), (5, "top"), (6, 1)):
        table.move(thing, table.row, at)
    assert table.content(table.row) == (5, 6, 3, 4)
    table.move(5, table.row, "bottom")
    assert table.content(table.row) == (6, 3, 4, 5)
    with pytest.raises(RulesetError, match=r"`row` is full \(4\); `e` does not fit"):
        table.move(7, table.row)
    table.move(0, table.row)
    assert table.content(table.row) == (6, 3, 4, 5)


def test_a_thing_without_a_place_word_can_not_be_moved() -> None:
    table = Table()
    with pytest.raises(RulesetError, match="`north` cannot be moved"):
        table.move(1, table.row)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(CARDS), st.integers(0, 6), st.sampled_from([None, "top", "bottom", 1]))))
def test_a_thing_is_always_in_exactly_one_place(moves: list[tuple[int, int, str | int | None]]) -> None:
    table = Table(known=True)
    model: dict[int, list[int]] = {zone: [] for zone in range(7)}
    model[0] = list(CARDS)
    for thing, zone, at in moves:
        cap = table.m.program.zones[zone].cap
        if zone and thing not in model[zone] and len(model[zone]) >= cap:
            with pytest.raises(RulesetError):
                table.move(thing, zone, at)
            continue
        table.move(thing, zone, at)
        for held in model.values():
            if thing in held:
                held.remove(thing)
        model[zone].insert(0 if at == "top" else at if isinstance(at, int) else len(model[zone]), thing)
        for number, held in model.items():
            ordered = number in (table.row, table.deck)
            assert not number or table.content(number) == tuple(held if ordered else sorted(held))
        invariants.check_places(table.m)


def test_places_are_checked() -> None:
    table = Table()
    table.move(3, table.pile)
    table.words[table.m.program.placed[3]] = table.row
    with pytest.raises(RulesetError, match="`a` should be in `row`, once, and nowhere else; see `row`"):
        invariants.check_places(table.m)
    table.words[table.m.program.placed[3]] = 0
    with pytest.raises(RulesetError, match="`a` should be in no zone; see `pile`"):
        invariants.check_places(table.m)


def test_places_are_checked_again_only_where_they_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    table, tested = Table(), []
    require = invariants.require_places
    monkeypatch.setattr(invariants, "require_places", lambda m, index: (tested.append(m), require(m, index)))
    table.move(3, table.pile)
    for _ in range(2):
        invariants.check_places(table.m)
    assert len(tested) == 1
    table.words[table.m.program.placed[3]] = table.row
    for _ in range(2):  # what has a fault is no less at fault the second time
        with pytest.raises(RulesetError):
            invariants.check_places(table.m)
    table.words[table.m.program.placed[3]] = table.pile
    invariants.check_places(table.m)
    assert len(tested) == 3


# ------------------------------------------------------------ knowledge

NORTH, SOUTH = 1 << 1, 1 << 2


def test_who_sees_one_of_the_two_zones_knows_the_thing() -> None:
    table = Table(known=True)
    table.move(3, table.row)
    assert table.known(3) == NORTH | SOUTH
    table.move(3, table.deck)
    assert table.known(3) == NORTH | SOUTH
    placement.reorder(table.m, table.deck, table.content(table.deck))
    assert table.known(3) == NORTH | SOUTH  # it lies alone there
    table.move(4, table.deck)
    placement.reorder(table.m, table.deck, table.content(table.deck))
    assert table.known(3) == 0
    table.move(3, table.hand[0])
    assert table.known(3) == NORTH


def test_an_unknown_thing_that_leaves_makes_the_rest_uncertain() -> None:
    table = Table(known=True)
    for thing in (3, 4):
        table.move(thing, table.deck)
    placement.reorder(table.m, table.deck, (4, 3))
    for thing in (3, 4):
        table.move(thing, table.hand[0])
    placement.reveal(table.m, 1 << 3, 1 << 2)
    assert (table.known(3), table.known(4)) == (NORTH | SOUTH, NORTH)
    table.move(4, table.deck)
    assert table.known(3) == NORTH
    placement.reveal(table.m, 1 << 3, 1 << 2)
    table.move(3, table.row)
    assert table.known(3) == NORTH | SOUTH


def test_shuffles_by_script_and_by_the_generator() -> None:
    b = Table(known=True).b
    b.code, b.procs = b.code[:1], []
    deck = 4
    fill = tuple(ir.MoveThing(C(thing), C(deck), None, None) for thing in CARDS)
    b.proc("game", ir.Run(fill), ir.Chance("shuffle", C(deck), None, -1, None, "deck"))

    def order(script: tuple[object, ...]) -> tuple[Machine, tuple[int, ...]]:
        m, words = b.play(script)
        assert m.draws[0].ids == tuple(m.program.thing_ids[t] for t in m.draws[0].values)
        assert words[b.known_base + 3] == 0
        return m, placement.content(words, m.program.zones[deck])

    assert order((("e", "d", "c", "b", "a"),))[1] == (7, 6, 5, 4, 3)
    assert order((["e", "d"],))[1][:2] == (7, 6)
    assert order(("c", "d"))[1][:2] == (5, 6)
    m, drawn = order(())
    assert sorted(drawn) == CARDS and m.draws[0].values == drawn
    with pytest.raises(RulesetError, match="the script names `x`, but all that is left in the zone is a, b, c, d, e"):
        order((["x"],))
