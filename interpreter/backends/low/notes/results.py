"""The end of a game as a row of figures: scores, winners, and the actors that decided something."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.types import MemberType, SetType, Type, bounds
from dsl.program import SEATS, SITE, Program
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.kinds import MembersKind, Number, Unsupported, kind_of
from interpreter.backends.low.base.make import ONE, ZERO, add, both, scale, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.notes.book import ACTOR, MOST_ACTORS, SCORES, Book
from interpreter.backends.low.rules.questions import guarded
from interpreter.backends.low.values.functions import FUNCTION, result_name

MEET, RESULT = "meet_actor", "game_result"
"""Functions: note who is asked, if it is no seat; write scores, winners and actors to a row of results."""

MET = "actors_met"  # global: how many actors there are


def winner_words(program: Program) -> int:
    """The words that name the winners in a result; 0 where the highest score says it."""
    number = program.result.get("winners", -1)
    if number < 0:
        return 0
    kind = kind_of(program.functions[number].result)
    if isinstance(kind, MembersKind):
        return 2 * len(kind.words)
    if not isinstance(kind, Number):
        raise Unsupported("winners that are a list")
    return 1


def other_actors(program: Program) -> dict[int, str]:
    """The questions that are asked of no seat, with the kind of who is asked."""
    asked = enumerate(site.actor_type for site in program.sites)
    return {n: t.domain for n, t in asked if isinstance(t, MemberType) and t.domain != program.seat_kind}


def write(lo: Lowering, book: Book) -> None:
    met = lo.memory.room(3 * MOST_ACTORS)
    _write_meet(lo, met)
    _write_result(lo, book, met)


def _write_meet(lo: Lowering, met: int) -> None:
    sites = lo.program.sites
    others = other_actors(lo.program)
    kinds = {kind: n for n, kind in enumerate(dict.fromkeys(others.values()))}
    with lo.function(MEET, ()) as w:

        def meet(site: ir.Site, kind: int) -> Callable[[], None]:
            def work() -> None:
                w.set("actor", add(scale(w.let(lo.number(site.actor)), len(kinds)), kind))

            return work

        def seat(site: ir.Site) -> Callable[[], None]:
            return lambda: w.set("seat", lo.number(site.seat))

        if others:
            rest: dict[int, Callable[[], None]] = {
                n + 1: lambda: w.give(ZERO) for n in range(len(sites)) if n not in others
            }
            known = {n + 1: guarded(lo, n, meet(sites[n], kinds[kind])) for n, kind in others.items()}
            w.cases(word(SITE), {**rest, **known})
            w.set("n", ZERO)

            def look(label: str) -> None:
                w.leave_if(Op(">=", Local("n"), Global(MET)), label)
                same = Op("==", low.Load(scale(Local("n"), 3), met), Local("actor"))
                w.emit(low.If(same, (low.Return(ZERO),)))
                w.set("n", add(Local("n"), 1))

            w.loop(look)
            w.trap_if(Op(">=", Global(MET), Num(MOST_ACTORS)), Reason.ROOM)
            w.cases(word(SITE), {**rest, **{n + 1: guarded(lo, n, seat(sites[n])) for n in others}})
            at = w.let(scale(Global(MET), 3))
            for k, value in enumerate((Local("actor"), word(SITE), Local("seat"))):
                w.store(at, met + k, value)
            w.emit(low.SetGlobal(MET, add(Global(MET), 1)))
        w.give(ZERO)


def _write_result(lo: Lowering, book: Book, met: int) -> None:
    program = lo.program
    score = program.result.get("score", -1)
    params = program.functions[score].params if score >= 0 else ()
    if len(params) > 1 or (params and not isinstance(kind_of(program.functions[score].result), Number)):
        raise Unsupported("a score of several values")
    seats = program.domains[program.seat_kind].values
    by_actor = bool(params) and isinstance(params[0][1], MemberType) and params[0][1].domain != program.seat_kind
    kinds = list(dict.fromkeys(other_actors(program).values()))
    with lo.function(RESULT, ("to",)) as w:
        if params and not by_actor:

            def of_seat(n: Expr) -> None:
                value = low.Call(lo.want(FUNCTION, score), (add(n, seats[0]),))
                w.store(add(Local("to"), n), SCORES, value)

            w.upto(ZERO, word(SEATS), of_seat)
        _write_winners(lo, book)

        def of_actor(n: Expr) -> None:
            source = w.let(scale(n, 3))
            at = w.let(add(add(Local("to"), book.actors), scale(n, ACTOR)))
            actor = w.let(low.Load(source, met))
            value = w.let(Op("/", actor, Num(max(len(kinds), 1))))
            w.store(at, 0, add(low.Load(source, met + 1), -1))
            w.store(at, 1, value)
            w.store(at, 2, low.Load(source, met + 2))
            if by_actor and isinstance(params[0][1], MemberType) and params[0][1].domain in kinds:
                own = Op("==", Op("-", actor, scale(value, len(kinds))), Num(kinds.index(params[0][1].domain)))
                within = _inside(value, params[0][1])
                w.when(both(own, within), lambda: w.store(at, 3, low.Call(lo.want(FUNCTION, score), (value,))))

        w.upto(ZERO, Global(MET), of_actor)
        w.give(ONE)


def _inside(value: Expr, t: Type) -> Expr:
    low_, high = bounds(t)
    return both(Op(">=", value, Num(min(low_, 0))), Op("<=", value, Num(max(high, 0))))


def _write_winners(lo: Lowering, book: Book) -> None:
    """Write what names the winners: a number, or the halves of the words of a set."""
    number = lo.program.result.get("winners", -1)
    if number < 0:
        return
    w, at = lo.w, book.actors - book.winners
    fn = lo.program.functions[number]
    first = w.let(low.Call(lo.want(FUNCTION, number), ()))
    if not isinstance(fn.result, SetType):
        w.store(Local("to"), at, first)
        return
    for k in range(book.winners // 2):
        part = first if not k else w.let(Global(result_name(k)))
        w.store(Local("to"), at + 2 * k, part)
        w.store(Local("to"), at + 2 * k + 1, Op(">>", part, Num(32)))
