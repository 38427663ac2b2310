"""Purses: change, overpayment, preferred sources, defaults; and all ways against a plain enumeration."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dsl import ir
from dsl.base.types import INT, IntType, MapType
from interpreter.core.change import ChangeSource, payments_with_change
from interpreter.core.errors import RulesetError
from interpreter.machine.machine import Machine
from interpreter.semantics import purses
from interpreter.semantics.purses import Payment
from tests.interpreter.build import Build, C, equal, less

OVER = 3


def source(pool: ir.Pool, worth: int, target: ir.Pool | None = None, first: bool = False) -> ir.PurseSource:
    return ir.PurseSource(0, None, pool, C(worth), target, first, None)


def purse_of(
    *sources: ir.PurseSource,
    change: ir.Pool | None = None,
    require: tuple[ir.Expr, ...] = (),
    keys: tuple[tuple[bool, ir.Expr], ...] = (),
) -> ir.Purse:
    return ir.Purse("coins", (), 5, sources, change, OVER, require, keys)


def pay(b: Build, amount: int, gain: bool = False) -> tuple[Machine, list[int]]:
    b.proc("game", ir.Run((ir.Pay(0, (), C(amount), gain, None),)))
    return b.play()


def counts(b: Build, words: list[int]) -> list[int]:
    return [words[e.base] for e in b.layout]


def coins(ones: int, threes: int, bank: int, change: bool = True) -> tuple[Build, ir.Pool]:
    b = Build()
    one, three = b.pool("one", ones, "coin"), b.pool("three", threes, "coin")
    till = b.pool("bank", bank, "coin")
    b.purses.append(purse_of(source(one, 1, till), source(three, 3, till), change=till if change else None))
    return b, till


def test_exact_ways_come_first_and_in_the_order_of_sources() -> None:
    b, _ = coins(4, 2, 0)
    _, words = pay(b, 4)
    assert counts(b, words) == [0, 2, 4]


def test_a_piece_goes_down_to_a_lower_source() -> None:
    b, _ = coins(0, 1, 0)
    _, words = pay(b, 2)
    assert counts(b, words) == [1, 0, 0]


def test_change_comes_from_its_zone() -> None:
    b, _ = coins(0, 1, 5)
    _, words = pay(b, 1)
    assert counts(b, words) == [2, 0, 4]


def test_too_little_change_is_overpaid_as_little_as_possible() -> None:
    b, _ = coins(0, 1, 0)
    _, words = pay(b, 1)
    assert counts(b, words) == [1, 0, 0]


def test_overpayment_may_be_refused() -> None:
    b = Build()
    three, till = b.pool("three", 1, "coin"), b.pool("bank", 1, "coin")
    allowed = ir.Or((equal(ir.Temp(OVER), C(0)), equal(ir.Cell(till.address or C(0), INT), C(0))))
    b.purses.append(purse_of(source(three, 3, till), require=(allowed,)))
    assert b.value(ir.Payable(0, (), C(2))) == 0
    with pytest.raises(RulesetError, match="2 cannot be paid from `coins`"):
        pay(b, 2)
    b.init = [(b.layout[0].base, 1)]
    b.code, b.procs = b.code[:1], []
    _, words = pay(b, 2)
    assert counts(b, words) == [0, 1]


def test_first_sources_are_used_up_before_others() -> None:
    b = Build()
    other, spare = b.pool("other", 5), b.pool("spare", 2)
    b.purses.append(purse_of(source(other, 1), source(spare, 1, first=True)))
    _, words = pay(b, 3)
    assert counts(b, words) == [4, 0]


def test_the_default_follows_the_keys_after_paying() -> None:
    b, till = coins(6, 2, 3, change=False)
    assert till.address is not None
    bank = ir.Cell(till.address, INT)
    for highest, expected in ((True, [0, 2, 9]), (False, [6, 0, 5])):
        b.purses[0] = purse_of(*b.purses[0].sources, keys=((highest, bank),))
        b.code, b.procs = b.code[:1], []
        _, words = pay(b, 6)
        assert counts(b, words) == expected


def test_gaining_is_exact_or_the_nearest_below() -> None:
    b, till = coins(0, 0, 3)
    _, words = pay(b, 5, gain=True)
    assert counts(b, words) == [2, 1, 0]
    b, till = coins(0, 0, 1)
    _, words = pay(b, 5, gain=True)
    assert counts(b, words) == [0, 1, 0]
    b, till = coins(0, 0, 0)
    _, words = pay(b, 5, gain=True)
    assert counts(b, words) == [0, 0, 0]


def test_sources_of_several_members_with_a_condition() -> None:
    b = Build()
    grid = b.field("grid", MapType((IntType(1, 3),), IntType(0, 9)))
    base = b.layout[0].base
    b.init += [(base, 2), (base + 1, 2), (base + 2, 2)]
    pool = ir.Pool("count", ir.Linear(base - 1, ((ir.Temp(0), 1),)), None, "grid")
    members = ir.Domain("range", C(1), C(3))
    b.purses.append(purse_of(ir.PurseSource(0, members, pool, ir.Temp(0), None, False, less(C(1), ir.Temp(0)))))
    assert [b.value(ir.Payable(0, (), C(n))) for n in (2, 5, 9, 10, 11)] == [1, 1, 1, 1, 0]
    m, words = pay(b, 5)
    assert m.evaluate(words, grid) == (2, 1, 1)


def test_a_source_with_a_limit_counts_what_it_gave() -> None:
    b = Build()
    own, spare, used = b.pool("own", 5), b.pool("spare", 5), b.field("used")
    unused = equal(used, C(0))
    address = b.layout[2].base
    b.purses.append(
        purse_of(
            ir.PurseSource(0, None, spare, C(1), None, False, unused, C(2), address),
            source(own, 1),
            keys=((True, ir.Cell(own.address or C(0), INT)),),
        )
    )
    twice = tuple(ir.Pay(0, (), C(n), False, None) for n in (3, 2))
    assert [b.value(ir.Payable(0, (), C(n))) for n in (7, 8)] == [1, 0]
    b.proc("game", ir.Run(twice))
    _, words = b.play()
    assert counts(b, words) == [2, 3, 2]


def test_nothing_and_less_than_nothing() -> None:
    b, _ = coins(1, 0, 0)
    _, words = pay(b, 0)
    assert counts(b, words) == [1, 0, 0]
    assert b.value(ir.Payable(0, (), C(0))) == 1
    b.code, b.procs = b.code[:1], []
    with pytest.raises(RulesetError, match="must not be negative"):
        pay(b, -1)


def test_a_piece_steps_down_while_a_smaller_one_is_given() -> None:
    # a one, a five and an empty two: 4 are paid by the one and by the five, for which a two comes back; the others are
    # the five, back a one; never the one and a two that was not there before
    b = Build()
    pools = [b.pool("ones", 1, "coin"), b.pool("twos", 0, "coin"), b.pool("fives", 1, "coin")]
    till = b.pool("bank", 0, "coin")
    b.purses.append(purse_of(*(source(p, w, till) for p, w in zip(pools, (1, 2, 5), strict=True)), change=till))
    m, words = b.blank()
    m.words = words
    found = purses.ranked_payments(m, purses.open_purse(m, 0, []), 4)
    assert set(found) == {Payment((0, 0, 1), (1, 0, 0), 0), Payment((1, 0, 1), (0, 1, 0), 0)}
    assert set(purses.ranked_payments(m, purses.open_purse(m, 0, []), 1)) == {Payment((1, 0, 0), (0, 0, 0), 0)}


def test_small_pieces_go_where_a_better_one_steps_down() -> None:
    # two ones and a three, an empty two: 3 are paid by the three; or by all, for which a two comes back, and the bank
    # has most
    b = Build()
    pools = [b.pool("ones", 2, "coin"), b.pool("twos", 0, "coin"), b.pool("threes", 1, "coin")]
    till = b.pool("bank", 0, "coin")
    assert till.address is not None
    sources = [source(p, w, till) for p, w in zip(pools, (1, 2, 3), strict=True)]
    b.purses.append(purse_of(*sources, change=till, keys=((True, ir.Cell(till.address, INT)),)))
    _, words = pay(b, 3)
    assert counts(b, words) == [0, 1, 0, 2]


def test_pieces_may_be_changed_while_something_is_paid() -> None:
    # two threes, 3 are paid by one of them; or by both, for which three ones come back; never by both for a three, that
    # is the first way
    b, _ = coins(0, 2, 3)
    m, words = b.blank()
    m.words = words
    found = purses.ranked_payments(m, purses.open_purse(m, 0, []), 3)
    assert found == [Payment((0, 1), (0, 0), 0), Payment((0, 2), (3, 0), 0)]
    assert b.value(ir.Payments(0, (), C(3))) == b.value(ir.Payments(0, (), C(3), most=2)) == 2
    assert b.value(ir.Payments(0, (), C(3), most=1)) == 1


def enumerate_payments(worths: list[int], have: list[int], bank: int, change: bool, amount: int) -> set[Payment]:
    """All (spent, back) by trying every spread of the pieces: the worth of all falls by the amount, that from any worth
    on does not rise, and there are enough pieces; least overpayment only, with no piece given needlessly."""
    total = sum(w * n for w, n in zip(worths, have, strict=True))
    found = set()
    for after in product(*(range(total // w + 1 if change else n + 1) for w, n in zip(worths, have, strict=True))):
        fallen = [(w, n - now) for w, n, now in zip(worths, have, after, strict=True)]
        over = sum(w * by for w, by in fallen) - amount
        spent, back = tuple(max(by, 0) for _, by in fallen), tuple(max(-by, 0) for _, by in fallen)
        if (
            0 <= over < min((w for w, n in zip(worths, spent, strict=True) if n), default=1)
            and (change or not any(back))
            and all(sum(w * by for w, by in fallen if w >= least) >= 0 for least in worths)
            and sum(after) <= sum(have) + bank
        ):
            found.add(Payment(spent, back, over))
    least = min((w.over for w in found), default=0)
    return {w for w in found if w.over == least}


@settings(max_examples=200, deadline=None)
@given(
    pieces=st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3)), min_size=1, max_size=4),
    bank=st.integers(0, 3),
    change=st.booleans(),
    amount=st.integers(1, 12),
)
def test_ways_are_all_ways(pieces: list[tuple[int, int]], bank: int, change: bool, amount: int) -> None:
    b = Build()
    pools = [b.pool(f"p{i}", n, "coin") for i, (_, n) in enumerate(pieces)]
    till = b.pool("bank", bank, "coin")
    worths = [w for w, _ in pieces]
    sources = [source(p, w, till) for p, w in zip(pools, worths, strict=True)]
    b.purses.append(purse_of(*sources, change=till if change else None))
    m, words = b.blank()
    m.words = words
    found = purses.ranked_payments(m, purses.open_purse(m, 0, []), amount)
    assert len(found) == len(set(found))
    assert set(found) == enumerate_payments(worths, [n for _, n in pieces], bank, change, amount)
    assert m.evaluate(words, ir.Payable(0, (), C(amount))) == (1 if found else 0)


SOURCES = st.lists(
    st.builds(
        ChangeSource,
        worth=st.integers(1, 4),
        held=st.integers(0, 3),
        first=st.just(False),
        takes_change=st.booleans(),
        refills=st.booleans(),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=200, deadline=None)
@given(sources=SOURCES, need=st.integers(1, 9), stock=st.integers(0, 4))
def test_spreads_are_all_in_which_no_worth_moves_up(sources: list[ChangeSource], need: int, stock: int) -> None:
    """Also where nothing may come into some sources, or what is spent from some cannot come back."""
    total = sum(p.worth * p.held for p in sources)
    expected = set()
    for moved in product(*(range(-(total // p.worth) if p.takes_change else 0, p.held + 1) for p in sources)):
        fallen = [(p.worth, p.worth * n) for p, n in zip(sources, moved, strict=True)]
        back = sum(-n for n in moved if n < 0)
        if (
            sum(by for _, by in fallen) == need
            and all(sum(by for w, by in fallen if w >= least) >= 0 for least, _ in fallen)
            and back <= stock + sum(n for p, n in zip(sources, moved, strict=True) if n > 0 and p.refills)
        ):
            expected.add((tuple(max(n, 0) for n in moved), tuple(max(-n, 0) for n in moved)))
    found = list(payments_with_change(sources, need, stock))
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_large_numbers_are_paid_at_once() -> None:
    b = Build()
    b.purses.append(purse_of(source(b.pool("gold", 900_000), 1)))
    _, words = pay(b, 700_001)
    assert counts(b, words) == [199_999]
