"""The functions of one purse, and the nodes that call them: `Payable`, `Payments` and `Pay`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl import ir
from interpreter.backends.low.base.context import HEAP, KindMaker, Lowering, NumberMaker
from interpreter.backends.low.base.kinds import ANY, TRUTH, Kind, Number, Unsupported, kind_of
from interpreter.backends.low.base.make import ONE, ZERO, add, both
from interpreter.backends.low.base.status import demand
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.purses import applying, change, gains, ways
from interpreter.backends.low.purses import layout as at
from interpreter.backends.low.purses.applying import APPLY, CHOOSE, RESTORE, SAVE
from interpreter.backends.low.purses.change import PAYMENTS
from interpreter.backends.low.purses.gains import GAINS
from interpreter.backends.low.purses.layout import OPEN
from interpreter.backends.low.purses.reading import OPENS, given, write_open
from interpreter.backends.low.values.best import rank
from interpreter.backends.low.values.functions import fitted, flat
from interpreter.semantics.purses import MAX_PAYMENTS

PAYS, COUNTS, LEGAL, RATE, SETTLE, OFFER = "can_pay", "count_ways", "legal", "rate_ways", "settle", "offer_ways"
"""Functions of a purse. Whether an amount can be paid; in how many ways; the payments with the least overpayment, which
are found and counted; the keys of all ways that are found; a payment or gain in the way with a number, which gives
whether there is one; and the purse, left open with all ways in it, for a host."""


PARAMETERS: dict[str, tuple[str, ...]] = {
    OPENS: (),
    PAYS: ("amount",),
    COUNTS: ("amount", "gains", "limit"),
    LEGAL: ("purse", "amount", "limit"),
    RATE: ("purse", "gains"),
    SETTLE: ("amount", "gains", "number"),
    OFFER: ("amount", "gains"),
}


def parameters_of(lo: Lowering, sort: str, number: int) -> tuple[str, ...]:
    """The parameters of a function of a purse: its own, then the arguments of the purse."""
    return (*PARAMETERS[sort], *given(lo, number)[0])


def _arguments(lo: Lowering, number: int) -> tuple[Expr, ...]:
    """The arguments of the purse, as a function of it passes them on."""
    return tuple(map(Local, given(lo, number)[0]))


def _open(lo: Lowering, number: int) -> None:
    """Open the purse in a function of it; the variable `purse` becomes its address."""
    lo.w.set("mark", Global(HEAP))
    lo.w.set("purse", low.Call(lo.want(OPENS, number), _arguments(lo, number)))
    ways.begin(lo, OPEN, len(lo.program.purses[number].keys))


def _leave(lo: Lowering, value: Expr) -> None:
    lo.w.emit(low.SetGlobal(HEAP, Local("mark")))
    lo.w.give(value)


# ------------------------------------------------------------ questions


def _write_pays(lo: Lowering, number: int) -> None:
    purse = lo.program.purses[number]
    amount = Local("amount")
    counters = [s.counter for s in purse.sources if s.counter]
    with lo.function(f"{PAYS}{number}", parameters_of(lo, PAYS, number)) as w:
        w.emit(low.If(Op("<=", amount, ZERO), (low.Return(ONE),)))
        _open(lo, number)
        w.set("sum", ZERO)
        w.set("shared", ZERO)

        def one(row: Expr) -> None:
            held = w.let(low.Load(row, at.SOURCE + at.HELD))
            some = low.Choice(Op("<", held, amount), held, amount)
            w.set("sum", Op("+", Local("sum"), Op("*", some, low.Load(row, at.WORTH))))
            if len(set(counters)) < len(counters):
                w.emit(low.If(low.Load(row, at.GROUP), (low.Set("shared", ONE),)))

        OPEN.each(lo, one)
        w.when(Op("<", Local("sum"), amount), lambda: _leave(lo, ZERO))
        legal = low.Call(lo.want(LEGAL, number), (OPEN.at, amount, ONE, *_arguments(lo, number)))
        if purse.require:
            w.set("found", legal)
        else:
            w.set("found", ONE)
            if len(set(counters)) < len(counters):
                w.emit(low.If(Local("shared"), (low.Set("found", legal),)))
        _leave(lo, Op("!=", Local("found"), ZERO))


def _write_counts(lo: Lowering, number: int) -> None:
    amount = Local("amount")
    with lo.function(f"{COUNTS}{number}", parameters_of(lo, COUNTS, number)) as w:
        w.emit(low.If(Op("<=", amount, ZERO), (low.Return(ZERO),)))
        _open(lo, number)
        _find(lo, number, Local("limit"))
        _leave(lo, Local("found"))


def _find(lo: Lowering, number: int, limit: Expr) -> None:
    """Find the ways to pay or gain the amount; the variable `found` becomes their number."""
    w, amount = lo.w, Local("amount")
    legal = low.Call(lo.want(LEGAL, number), (OPEN.at, amount, limit, *_arguments(lo, number)))
    gain = low.Call(GAINS, (OPEN.at, amount, limit))
    w.emit(low.If(Local("gains"), (low.Set("found", gain),), (low.Set("found", legal),)))


def _write_legal(lo: Lowering, number: int) -> None:
    purse = lo.program.purses[number]
    with lo.function(f"{LEGAL}{number}", parameters_of(lo, LEGAL, number)) as w:
        lo.bound = given(lo, number)[1]
        w.set("sum", ZERO)
        w.set("greatest", ZERO)

        def one(row: Expr) -> None:
            held, worth = w.let(low.Load(row, at.SOURCE + at.HELD)), w.let(low.Load(row, at.WORTH))
            w.set("sum", Op("+", Local("sum"), Op("*", held, worth)))
            greater = both(held, Op(">", worth, Local("greatest")))
            w.emit(low.If(greater, (low.Set("greatest", worth),)))

        OPEN.each(lo, one)
        w.emit(low.If(Op("<", Local("sum"), Local("amount")), (low.Return(ZERO),)))
        w.set("prefer", ONE)

        def by_preference(label: str) -> None:
            w.set("some", ZERO)
            w.set("over", ZERO)

            def by_overpayment(inner: str) -> None:
                w.leave_if(Op(">=", Local("over"), Local("greatest")), inner)
                asked = (OPEN.at, Local("amount"), Local("over"), Local("prefer"), Local("limit"))
                w.set("found", low.Call(PAYMENTS, asked))

                def allowed() -> None:
                    w.set("some", ONE)
                    _when_all(lo, purse.require, lambda: w.give(Local("found")))

                w.when(Local("found"), allowed)
                w.set("over", add(Local("over"), 1))

            w.loop(by_overpayment)
            ended = low.Either(Local("some"), low.Not(Local("prefer")))
            w.leave_if(ended, label)
            w.set("prefer", ZERO)

        w.loop(by_preference)
        ways.forget(lo, OPEN)
        w.give(ZERO)


def _when_all(lo: Lowering, tests: Sequence[ir.Expr], work: Callable[[], None]) -> None:
    if not tests:
        work()
        return
    lo.w.when(lo.number(tests[0]), lambda: _when_all(lo, tests[1:], work))


# ------------------------------------------------------------ payments


def _write_rate(lo: Lowering, number: int) -> None:
    """Note the keys of each way, read in the store after it."""
    purse = lo.program.purses[number]
    with lo.function(f"{RATE}{number}", parameters_of(lo, RATE, number)) as w:
        lo.bound = given(lo, number)[1]
        w.set("over", low.Choice(Local("gains"), ZERO, OPEN.word(at.OVER)))
        w.call(SAVE, OPEN.at)

        def one(n: Expr) -> None:
            way = ways.way(lo, OPEN, n)
            w.call(APPLY, OPEN.at, way, Local("gains"))
            with lo.cut_back():
                for k, key in enumerate(rank(lo, purse.keys)):
                    w.emit(low.StoreLong(OPEN.keys(way), 2 * k, key))
            w.call(RESTORE, OPEN.at)

        w.upto(ZERO, OPEN.word(at.FOUND), one)
        w.give(ZERO)


def _write_settle(lo: Lowering, number: int) -> None:
    with lo.function(f"{SETTLE}{number}", parameters_of(lo, SETTLE, number)) as w:
        w.trap_if(Op("<", Local("amount"), ZERO), Reason.FAULT)
        w.emit(low.If(low.Not(Local("amount")), (low.Return(ONE),)))
        _open(lo, number)
        _find(lo, number, Num(MAX_PAYMENTS))
        w.when(low.Not(Local("found")), lambda: _leave(lo, ZERO))
        _rate(lo, number)
        outside = low.Either(Op("<=", Local("number"), ZERO), Op(">", Local("number"), Local("found")))
        w.emit(low.If(outside, (low.Set("number", ONE),)))
        w.call(APPLY, OPEN.at, low.Call(CHOOSE, (OPEN.at, Local("number"))), Local("gains"))
        _leave(lo, ONE)


def _rate(lo: Lowering, number: int) -> None:
    """Compare the ways that are found, if there are several."""
    w, several = lo.w, Op(">", Local("found"), ONE)
    if lo.program.purses[number].keys:
        rated = (OPEN.at, Local("gains"), *_arguments(lo, number))
        w.when(several, lambda: w.call(lo.want(RATE, number), *rated), lambda: _without_keys(lo))


def _write_offer(lo: Lowering, number: int) -> None:
    with lo.function(f"{OFFER}{number}", parameters_of(lo, OFFER, number)) as w:
        _open(lo, number)
        _find(lo, number, Num(MAX_PAYMENTS))
        _rate(lo, number)
        w.give(OPEN.at)


def _without_keys(lo: Lowering) -> None:
    """Compare no keys, since there is one way only."""
    lo.w.store(OPEN.at, at.KEYS, ZERO)


# ------------------------------------------------------------ nodes


def _passed(lo: Lowering, number: int, args: Sequence[ir.Expr]) -> tuple[Expr, ...]:
    """The arguments of a purse, worked out."""
    purse = lo.program.purses[number]
    if len(args) != purse.over_slot:
        raise Unsupported(f"a purse with other arguments than its own (`{purse.name}`)")
    kinds = [kind_of(t) for _, t in purse.params]
    kinds += [ANY] * (len(args) - len(kinds))
    return flat([fitted(lo, arg, kind) for arg, kind in zip(args, kinds, strict=True)])


def _amount(lo: Lowering, e: ir.Expr) -> Expr:
    return Local(fitted(lo, e, ANY).names[0])


def _payable(lo: Lowering, e: ir.Payable) -> Expr:
    amount = _amount(lo, e.amount)
    return lo.w.let(low.Call(lo.want(PAYS, e.purse), (amount, *_passed(lo, e.purse, e.args))), "payable")


def _payments(lo: Lowering, e: ir.Payments) -> Expr:
    amount = _amount(lo, e.amount)
    asked = (amount, Num(int(e.gain)), Num(ways.most(e.most)), *_passed(lo, e.purse, e.args))
    return lo.w.let(low.Call(lo.want(COUNTS, e.purse), asked), "ways")


def offered(lo: Lowering, e: ir.Payments) -> Expr:
    """The address of the purse, open with all ways to pay or gain in it."""
    amount = _amount(lo, e.amount)
    return lo.w.let(
        low.Call(lo.want(OFFER, e.purse), (amount, Num(int(e.gain)), *_passed(lo, e.purse, e.args))), "offer"
    )


def _pay(lo: Lowering, s: ir.Pay) -> None:
    amount, args = _amount(lo, s.amount), _passed(lo, s.purse, s.args)
    way = ZERO if s.way is None else lo.w.let(lo.number(s.way))
    paid = low.Call(lo.want(SETTLE, s.purse), (amount, Num(int(s.gain)), way, *args))
    demand(lo, lo.w.let(paid, "paid"))


def _truth(lo: Lowering, e: ir.Payable) -> Kind:
    return TRUTH


def _count(lo: Lowering, e: ir.Payments) -> Kind:
    return Number(0, MAX_PAYMENTS)


KINDS: dict[type, KindMaker] = {ir.Payable: _truth, ir.Payments: _count}
NUMBERS: dict[type, NumberMaker] = {ir.Payable: _payable, ir.Payments: _payments}
STATEMENTS: dict[type, Callable[[Lowering, ir.Pay], None]] = {ir.Pay: _pay}

WRITERS: dict[str, Callable[[Lowering, int], None]] = {
    OPENS: write_open,
    PAYS: _write_pays,
    COUNTS: _write_counts,
    LEGAL: _write_legal,
    RATE: _write_rate,
    SETTLE: _write_settle,
    OFFER: _write_offer,
}


def write_runtime(lo: Lowering) -> None:
    """Write what all purses call, if any purse is asked."""
    if any(sort in WRITERS for sort, _ in lo.known):
        for room in (ways, change, gains, applying):
            room.write(lo)
