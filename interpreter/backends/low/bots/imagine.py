"""A position as a seat may imagine it, as `interpreter.visibility.imagine` makes it, with the same draws."""

from __future__ import annotations

from dsl.program import ASKING, FP, FRAME_LINK, PC, SCRIPT, SEATS, SITE
from interpreter.backends.low.base.context import FRESH, GO, SEERS, TOP_SEERS, Lowering
from interpreter.backends.low.base.exported import COUNT
from interpreter.backends.low.base.make import ONE, ZERO, add, both, word
from interpreter.backends.low.bots import cells, dealing
from interpreter.backends.low.bots.looking import ASKED
from interpreter.backends.low.bots.stores import BACK, KEEP, STASH
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op
from interpreter.backends.low.generators.bot_numbers import BELOW, RESEED
from interpreter.backends.low.rules.answers import TAKE
from interpreter.backends.low.values.functions import FUNCTION
from interpreter.machine.hidden import HiddenParts, HiddenSort, hidden_of

IMAGINE, SURVEY, DEAL, ROUND = "bot_imagine", "bot_survey", "bot_deal", "bot_round"
"""Functions: make the store what a seat may imagine, with the generator at an address; note what the seat cannot see;
deal that again; let those who answered before in a round answer anew."""

MOST_DEALS = 100  # until one keeps all invariants, as in the reference


def prepare(lo: Lowering) -> None:
    """Before the table of zones is written: the cells that are imagined are asked for like zones."""
    lo.cells = hidden_of(lo.program).cells


def write(lo: Lowering) -> None:
    hidden = hidden_of(lo.program)
    secrets = bool(hidden.sorts or hidden.cells)
    marks = dealing.marks(lo)
    if secrets:
        _write_survey(lo, hidden, marks)
        dealing.write(lo, marks)
        with lo.function(DEAL, ("at",)) as w:
            dealing.deal_things(lo, hidden, marks)
            cells.deal_pieces(lo, hidden, marks)
            cells.draw_fields(lo, hidden, marks)
            w.give(ZERO)
    if hidden.rounds:
        _write_round(lo, hidden)
    with lo.function(IMAGINE, ("seat", "at")) as w:
        w.call(RESEED, Local("at"))
        w.put(ASKING, ZERO)
        w.put(SCRIPT, ZERO)
        if secrets:
            w.call(FRESH)
            w.call(SURVEY, Local("seat"))
            _deal_lawfully(lo, [i.fn for i in lo.program.invariants if i.reads & hidden.symbols])
        if hidden.rounds:
            w.call(ROUND, Local("seat"), Local("at"))
        w.give(ZERO)


def _deal_lawfully(lo: Lowering, invariants: list[int]) -> None:
    """Deal until these invariants hold, or too often."""
    w = lo.w
    if not invariants:
        w.call(DEAL, Local("at"))
        return
    stash = w.let(Global(STASH))
    kept = w.let(low.Call(KEEP))
    w.set("left", Num(MOST_DEALS))

    def once(label: str) -> None:
        w.call(DEAL, Local("at"))
        w.call(FRESH)
        holds: Expr = ONE
        for number in invariants:
            holds = both(holds, low.Call(lo.want(FUNCTION, number)))
        w.leave_if(holds, label)
        w.set("left", add(Local("left"), -1))
        w.leave_if(low.Not(Local("left")), label)
        w.call(BACK, kept)

    w.loop(once)
    w.emit(low.SetGlobal(STASH, stash))


def _write_survey(lo: Lowering, hidden: HiddenParts, marks: dealing.UnseenMarks) -> None:
    """Note which zones and cells the seat does not see, and which things of theirs it does not know; each mark is the
    number of a sort from 1 on."""
    program, known = lo.program, lo.program.known_base
    with lo.function(SURVEY, ("seat",)) as w:
        rows = [
            (number, program.zones[number].base, int(bool(program.zones[number].top)), k + 1)
            for k, sort in enumerate(hidden.sorts)
            for number in sort.zones
        ]
        table = lo.memory.words([part for row in rows for part in row])

        def zone(n: Expr) -> None:
            row = w.let(add(Op("*", n, Num(4)), table))
            number = w.let(low.Load(row))
            unseen = low.Not(_sees(SEERS, number))
            w.store(number, marks.hidden, low.Choice(unseen, low.Load(row, 3), ZERO))

        things = [(k + 1, t, program.placed[t]) for k, sort in enumerate(hidden.sorts) for t in _things(sort)]
        moved = lo.memory.words([part for row in things for part in row])

        def thing(n: Expr) -> None:
            row = w.let(add(Op("*", n, Num(3)), moved))
            which = w.let(low.Load(row, 1))
            home = w.let(low.Load(low.Load(row, 2)))
            knowing = w.let(low.Load(which, known))
            w.store(which, marks.home, home)
            w.store(which, marks.knowing, knowing)
            there = Op("==", low.Load(home, marks.hidden), low.Load(row))
            unknown = low.Not(Op("&", Op(">>u", knowing, Local("seat")), ONE))
            w.when(both(there, unknown), lambda: w.store(which, marks.unseen, low.Load(row)))

        def top(n: Expr) -> None:
            row = w.let(add(Op("*", n, Num(4)), table))
            number, base = w.let(low.Load(row)), w.let(low.Load(row, 1))
            lies = both(both(low.Load(row, 2), low.Load(number, marks.hidden)), low.Load(base))
            w.when(both(lies, _sees(TOP_SEERS, number)), lambda: w.store(low.Load(base, 1), marks.unseen, ZERO))

        if rows:
            w.emit(low.Clear(Num(marks.unseen), Num(len(program.thing_ids))))
            w.upto(ZERO, Num(len(rows)), zone)
            w.upto(ZERO, Num(len(things)), thing)
            w.upto(ZERO, Num(len(rows)), top)
        seats = program.domains[program.seat_kind].values
        places = [seats.index(cell.holder) + 1 if cell.holder in seats else 0 for cell in hidden.cells]
        if places:
            held, first = lo.memory.words(places), len(program.zones)

            def cell(n: Expr) -> None:
                plays = Op("<=", low.Load(n, held), word(SEATS))
                unseen = both(plays, low.Not(_sees(SEERS, add(n, first))))
                w.store(add(n, first), marks.hidden, unseen)

            w.upto(ZERO, Num(len(places)), cell)
        w.give(ZERO)


def _things(sort: HiddenSort) -> list[int]:
    return sorted({thing for deal in sort.deals for thing in deal.alike})


def _sees(function: str, zone: Expr) -> Expr:
    return Op("&", Op(">>u", low.Call(function, (zone,)), Local("seat")), ONE)


def _write_round(lo: Lowering, hidden: HiddenParts) -> None:
    with lo.function(ROUND, ("seat", "at")) as w:
        for number, (asked, top) in hidden.rounds.items():
            w.when(
                both(Op("==", word(SITE), Num(number + 1)), Op("==", word(PC), Num(asked))),
                lambda n=number, t=top: _answer_anew(lo, n, t),  # type: ignore[misc]
            )
        w.give(ZERO)


def _answer_anew(lo: Lowering, number: int, top: int) -> None:
    w, site = lo.w, lo.program.sites[number]
    assert site.at_once is not None
    reached = low.Load(word(FP), FRAME_LINK + site.at_once[1])
    if site.cursor >= 0:
        w.emit(low.If(low.Load(word(FP), FRAME_LINK + site.cursor), (low.Return(ZERO),)))
    member = w.let(reached)
    stash = w.let(Global(STASH))
    kept = w.let(low.Call(KEEP))
    w.store(word(FP), FRAME_LINK + site.at_once[1], ONE)
    w.put(SITE, ZERO)
    w.call(FRESH)
    w.call(GO, Num(top))

    def one(label: str) -> None:
        w.leave_if(low.Not(word(SITE)), label)
        w.leave_if(Op(">=", reached, member), label)
        w.leave_if(Op("==", low.Call(ASKED), Local("seat")), label)
        chosen = w.let(low.Call(BELOW, (Local("at"), Global(COUNT))))
        w.call(FRESH)
        w.call(GO, low.Call(TAKE, (chosen,)))

    w.loop(one)
    arrived = both(Op("==", word(SITE), Num(number + 1)), Op("==", reached, member))
    w.when(low.Not(arrived), lambda: w.call(BACK, kept))
    w.emit(low.SetGlobal(STASH, stash))
