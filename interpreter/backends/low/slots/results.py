"""The result of a game that is over, for its seats: the score of each, and the winners as a set of seat numbers."""

from __future__ import annotations

from dsl.base.types import MemberType, SetType, Type
from dsl.program import SEATS
from interpreter.backends.low.base.context import FRESH, Lowering
from interpreter.backends.low.base.kinds import Number, kind_of
from interpreter.backends.low.base.make import ONE, ZERO, add, bit
from interpreter.backends.low.base.make import word as load_word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.values.functions import FUNCTION, result_name
from interpreter.backends.low.whole.zones import everybody

OUTCOME = "outcome_of_seats"  # function: write the scores of the seats at an address; gives the winners


def write(lo: Lowering) -> None:
    """Write the function. What it cannot say, since scores or winners are not those of seats, gives up."""
    program = lo.program
    score, won = program.result.get("score", -1), program.result.get("winners", -1)
    seats = program.domains[program.seat_kind].values
    with lo.function(OUTCOME, ("at",)) as w:
        w.call(FRESH)
        params = program.functions[score].params if score >= 0 else ()
        if params:
            known = len(params) == 1 and _is_seat(lo, params[0][1])
            if not known or not isinstance(kind_of(program.functions[score].result), Number):
                w.trap(Reason.GAP)

            def of_seat(n: Expr) -> None:
                value = low.Call(lo.want(FUNCTION, score), (add(n, seats[0]),))
                w.store(Op("+", Local("at"), n), 0, value)

            if known:
                w.upto(ZERO, load_word(SEATS), of_seat)
        if won >= 0:
            w.give(_named(lo, won))
        elif params:
            w.give(_best(lo))
        else:
            w.give(ZERO)


def _is_seat(lo: Lowering, t: Type) -> bool:
    return isinstance(t, MemberType) and t.domain == lo.program.seat_kind


def _best(lo: Lowering) -> Expr:
    """The seats with the highest score; nobody where one plays alone."""
    w = lo.w
    w.set("best", low.Load(Local("at")))
    w.set("won", ZERO)

    def look(n: Expr) -> None:
        score = w.let(low.Load(Op("+", Local("at"), n)))
        higher = Op(">", score, Local("best"))
        w.emit(low.If(higher, (low.Set("won", ZERO), low.Set("best", score))))
        mine = Op("<<", Op("==", score, Local("best")), add(n, 1))
        w.set("won", Op("|", Local("won"), mine))

    w.upto(ZERO, load_word(SEATS), look)
    return low.Choice(Op(">", load_word(SEATS), ONE), Local("won"), ZERO)


def _named(lo: Lowering, number: int) -> Expr:
    """The winners that the rules name."""
    w, fn = lo.w, lo.program.functions[number]
    seats = lo.program.domains[lo.program.seat_kind].values
    if isinstance(fn.result, SetType) and _is_seat(lo, fn.result.elem):
        kind = kind_of(fn.result)
        words = getattr(kind, "words", range(0))
        parts = {k: f"part{k}" for k in words}
        w.set(parts[words[0]], low.Call(lo.want(FUNCTION, number), ()))
        for n, k in enumerate(words[1:], 1):
            w.set(parts[k], Global(result_name(n)))
        found: Expr = ZERO
        for seat, thing in enumerate(seats, 1):
            if thing >> 6 in parts:
                mine = Op("<<", bit(Local(parts[thing >> 6]), Num(thing & 63)), Num(seat))
                found = mine if found == ZERO else Op("|", found, mine)
        return Op("&", found, everybody())
    if _is_seat(lo, fn.result):
        winner = w.let(low.Call(lo.want(FUNCTION, number), ()))
        mine = Op("<<", ONE, w.let(add(winner, 1 - seats[0])))
        return Op("&", low.Choice(winner, mine, ZERO), everybody())
    w.trap(Reason.GAP)
    return ZERO
