"""Chance that is drawn: a member of a set, a number, a piece of a map of counts, the order of a zone."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.types import INT_HIGH, bounds
from dsl.program import ASKING, DRAWN, FRAME_LINK, MOST_OPTIONS, Program
from interpreter.backends.low.base.context import BULK, LOOKING, Held, Lowering, Words
from interpreter.backends.low.base.kinds import Dense, ItemsKind, MembersKind, Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, shifted, union, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.rules.keyed import Least, event_number
from interpreter.backends.low.rules.writes import number_bounds
from interpreter.backends.low.values.loops import each_member
from interpreter.backends.low.values.numbers import keep_within
from interpreter.backends.low.values.ranges import number_kind, set_kind
from interpreter.backends.low.values.sets import count, size_of_range, words_of
from interpreter.backends.low.values.weights import Weighed

BELOW, SHUFFLE, FORGET = "below", "shuffle", "forget"  # functions of the runtime
NOTE_ONE, NOTE_ORDER, UNORDERED = "note_outcome", "note_order", "unordered"
"""Functions of the runtime: note an outcome; the first so many things of a zone, as an order; how many things a zone
has whose order is drawn."""

OUTCOMES, OUTCOME = "outcomes", "outcome"
"""Functions of a chance event, by the number of its instruction: list what can come, each with its weight, and give how
many outcomes that are; take one, and give the instruction that follows."""

NO_AUDIENCE = Num(-1)  # in a note, where no audience is named
MOST_DRAWN = 1 << 32  # numbers among which one is drawn
MOST_ADDED = 16  # counts of pieces that are added up without a loop

Empty = Callable[[], None]


def chance(lo: Lowering, i: ir.Chance, empty: Empty) -> None:
    """Draw, and store what was drawn; `empty` writes what follows where there is nothing to draw from."""
    value = drawn(lo, i, empty)
    if value is not None:
        lo.w.store(lo.w.frame(), FRAME_LINK + i.slot, value)


def drawn(lo: Lowering, i: ir.Chance, empty: Empty) -> Expr | None:
    """Draw; gives what was drawn, in bounds of its type, and None where that is no value."""
    if i.op == "shuffle":
        zone = zone_of(lo, i)
        lo.w.call(SHUFFLE, zone, Num(lo.keyed.events.index(i.address) if lo.keyed is not None else 0))
        note_order(lo, i, zone, Num(-1))
        return None
    ways = {"member": _member, "piece": _piece, "number": _number}
    value, kind = (_weighed if i.weights is not None else ways[i.op])(lo, i, empty)
    if i.type is None:
        return None
    value = lo.w.let(keep_within(lo, value, kind, number_bounds(i.type)))
    note_one(lo, i, value)
    return value


def zone_of(lo: Lowering, i: ir.Chance) -> Expr:
    """The number of the zone that is shuffled."""
    return lo.w.let(keep_within(lo, lo.number(i.a), number_kind(lo, i.a), (0, len(lo.program.zones) - 1)))


# ------------------------------------------------------------ chance that is asked


def ask(lo: Lowering, i: ir.Chance, pc: int, empty: Empty, wait: Empty) -> None:
    """Stop where chance is asked and several outcomes can come: `wait` writes that. Draw where it is not asked."""
    if not lo.asks_chance:
        chance(lo, i, empty)
        return
    asked = word(ASKING)
    if lo.keyed is not None:
        asked = both(asked, low.Not(Global(BULK)))
    if i.op == "shuffle":
        several = either(word(DRAWN), Op(">", low.Call(UNORDERED, (zone_of(lo, i),)), ONE))
        lo.w.when(both(asked, several), wait)
        chance(lo, i, empty)
    else:
        lo.w.when(asked, lambda: _ask(lo, i, pc, empty, wait), lambda: chance(lo, i, empty))


def _ask(lo: Lowering, i: ir.Chance, pc: int, empty: Empty, wait: Empty) -> None:
    """Wait, unless there is one outcome alone, which is taken."""
    w = lo.w
    if i.op == "number":
        first, last = ends(lo, i)
        w.when(Op(">", first, last), empty)
        w.when(Op(">", last, first), wait)
        w.call(lo.want(OUTCOME, pc), first)
        return
    size = w.let(low.Call(lo.want(OUTCOMES, pc)))
    w.when(low.Not(size), empty)
    w.when(Op(">", size, ONE), wait)
    w.call(lo.want(OUTCOME, pc), word(lo.memory.options))


# ------------------------------------------------------------ notes for the host


def note_one(lo: Lowering, i: ir.Chance, value: Expr) -> None:
    """Note an outcome for the host: which event it is, the seats that are its audience, and what was drawn."""
    if lo.memory.noted:
        lo.w.when(_is_noted(lo), lambda: lo.w.call(NOTE_ONE, _number_of(lo, i), _audience(lo, i), value))


def note_order(lo: Lowering, i: ir.Chance, zone: Expr, most: Expr) -> None:
    """Note the order of a zone: its first `most` things (-1: all)."""
    if lo.memory.noted:
        lo.w.when(_is_noted(lo), lambda: lo.w.call(NOTE_ORDER, _number_of(lo, i), zone, most))


def _is_noted(lo: Lowering) -> Expr:
    wanted: Expr = low.Not(Global(BULK))
    return both(wanted, low.Not(Global(LOOKING))) if lo.looks else wanted


def _number_of(lo: Lowering, i: ir.Chance) -> Expr:
    return Num(next(n for n, event in enumerate(events(lo.program)) if event is i))


def _audience(lo: Lowering, i: ir.Chance) -> Expr:
    """The seats that learn an outcome, by the bits of their numbers."""
    if i.audience is None:
        return NO_AUDIENCE
    seats = lo.program.domains[lo.program.seat_kind].values
    before, found = seats[0] - 1, None
    for number, part in lo.members(i.audience).items():
        if 64 * number <= seats[-1] and seats[0] < 64 * number + 64:
            found = union(found, shifted(part, 64 * number - before))
    return Op("&", found or ZERO, Num((2 << len(seats)) - 2))


def events(program: Program) -> list[ir.Chance]:
    """The chance events of a program, by their numbers in notes."""
    return [i for i in program.code if isinstance(i, ir.Chance)]


def _member(lo: Lowering, i: ir.Chance, empty: Empty) -> tuple[Expr, Number]:
    w = lo.w
    kind = set_kind(lo, i.a)
    held = lo.hold_words(kind, lo.members(i.a))
    words = words_of(held)
    size = w.let(count(words))
    w.when(low.Not(size), empty)
    member = Number(kind.low, max(kind.low, kind.high))

    def by_keys(found: str) -> None:
        least = Least(lo, event_number(lo, i.address, Op(">", size, Num(1))), found)
        each_member(lo, words, member, lambda p: least.look(Local(p.member.names[0]), i.type))

    found = _asked_or_drawn(lo, by_keys, lambda: _member_in_turn(lo, words, size))
    if lo.program.known_base:
        w.when(Op(">", size, ONE), lambda: forget(lo, held))
    return found, member


def _weighed(lo: Lowering, i: ir.Chance, empty: Empty) -> tuple[Expr, Number]:
    weighed = Weighed(lo, i)
    weighed.add_up(empty)

    def by_keys(found: str) -> None:
        least = Least(lo, event_number(lo, i.address, Op(">", Local(weighed.count), ONE)), found)
        weighed.each(lambda member, weight, label: least.look_at_weight(member, i.type, weight))

    found = _asked_or_drawn(lo, by_keys, lambda: weighed.draw(lambda n: low.Call(BELOW, (n,))))
    weighed.forget(forget_one)
    return found, weighed.member


def _asked_or_drawn(lo: Lowering, by_keys: Callable[[str], None], in_turn: Callable[[], Expr]) -> Expr:
    """Draw by numbers with keys where chance is asked, else with the generator of the store. `by_keys` writes what is
    drawn into a variable."""
    if lo.keyed is None:
        return in_turn()
    found = lo.w.fresh("outcome")
    lo.w.when(word(ASKING), lambda: by_keys(found), lambda: lo.w.set(found, in_turn()))
    return Local(found)


def _member_in_turn(lo: Lowering, words: Words, size: Expr) -> Expr:
    w = lo.w
    left, found = w.fresh("left"), w.fresh("drawn")
    w.set(left, low.Call(BELOW, (size,)))

    def look(label: str) -> None:
        for number, part in words.items():
            here = lo.w.fresh("word")

            def choose(part: Expr = part, number: int = number, here: str = here) -> None:
                w.set(here, part)

                def drop(inner: str) -> None:
                    w.leave_if(low.Not(Local(left)), inner)
                    w.set(here, Op("&", Local(here), add(Local(here), -1)))
                    w.set(left, add(Local(left), -1))

                w.loop(drop)
                w.set(found, add(low.Lowest(Local(here)), 64 * number))
                w.leave(label)

            w.when(Op("<", Local(left), low.Ones(part)), choose)
            w.set(left, Op("-", Local(left), low.Ones(part)))

    w.block(look)
    return Local(found)


def forget(lo: Lowering, held: Held) -> None:
    """Let whoever does not see the zone of one of these things forget that it is there."""
    kind = held.kind
    assert isinstance(kind, MembersKind)
    member = Number(kind.low, max(kind.low, kind.high))
    each_member(lo, words_of(held), member, lambda p: forget_one(lo, Local(p.member.names[0])))


def forget_one(lo: Lowering, thing: Expr) -> None:
    lo.w.call(FORGET, thing, ZERO)


def _piece(lo: Lowering, i: ir.Chance, empty: Empty) -> tuple[Expr, Number]:
    w, kind = lo.w, lo.kind(i.a)
    row, number, lowest = pieces(lo, i)
    few = isinstance(kind, Dense) and number <= MOST_ADDED and isinstance(kind.item, Number) and kind.item.low >= 0
    most = number * (kind.item.high if isinstance(kind, Dense) and isinstance(kind.item, Number) else INT_HIGH)

    def by_keys(found: str) -> None:
        sorts = w.fresh("sorts")
        w.set(sorts, ZERO)
        w.upto(ZERO, Num(number), lambda n: w.set(sorts, add(Local(sorts), Op(">", low.Load(add(row, n)), ZERO))))
        w.when(low.Not(Local(sorts)), empty)
        least = Least(lo, event_number(lo, i.address, Op(">", Local(sorts), Num(1))), found)

        def look(n: Expr) -> None:
            least.look(w.let(add(n, lowest)), i.type, w.let(low.Load(add(row, n))))

        w.upto(ZERO, Num(number), look)

    def in_turn() -> Expr:
        if few:
            return add(_few_pieces(lo, row, number, most, empty), lowest)
        return add(_many_pieces(lo, row, number, empty), lowest)

    return _asked_or_drawn(lo, by_keys, in_turn), Number(lowest, lowest + number - 1)


def pieces(lo: Lowering, i: ir.Chance) -> tuple[Expr, int, int]:
    """The address of the counts of pieces, how many counts these are, and what the first of them stands for."""
    kind = lo.kind(i.a)
    if not isinstance(kind, Dense | ItemsKind) or isinstance(kind.item, MembersKind):
        raise Unsupported("a draw among what is no map of counts")
    row = lo.w.let(lo.row(i.a))
    lowest = bounds(i.type)[0] if i.type is not None else 0
    if isinstance(kind, ItemsKind):
        return lo.w.let(add(row, 1)), kind.most, lowest
    return row, kind.count, lowest


def _many_pieces(lo: Lowering, row: Expr, number: int, empty: Empty) -> Expr:
    """The index of the count to which a drawn piece belongs."""
    w = lo.w
    total, k = w.fresh("total"), w.fresh("k")
    w.set(total, ZERO)

    def add_up(n: Expr) -> None:
        pieces = w.let(low.Load(add(row, n)))
        w.emit(low.If(Op(">", pieces, ZERO), (low.Set(total, add(Local(total), pieces)),)))

    w.upto(ZERO, Num(number), add_up)
    w.when(low.Not(Local(total)), empty)
    w.trap_if(Op(">", Local(total), Num(INT_HIGH)), Reason.RANGE)
    left = w.fresh("left")
    w.set(left, low.Call(BELOW, (Local(total),)))
    w.set(k, ZERO)

    def look(label: str) -> None:
        pieces = w.let(low.Load(add(row, Local(k))))
        w.leave_if(Op("<", Local(left), pieces), label)
        w.emit(low.If(Op(">", pieces, ZERO), (low.Set(left, Op("-", Local(left), pieces)),)))
        w.set(k, add(Local(k), 1))

    w.loop(look)
    return Local(k)


def _few_pieces(lo: Lowering, row: Expr, number: int, most: int, empty: Empty) -> Expr:
    """The index of the count, of a few with `most` pieces together, to which a drawn piece belongs: as many as have no
    more pieces, with those before them, than the number that is drawn."""
    w, sums = lo.w, []
    total: Expr = ZERO
    for k in range(number):
        total = w.let(add(total, low.Load(row, k)))
        sums.append(total)
    w.when(low.Not(total), empty)
    if most > INT_HIGH:
        w.trap_if(Op(">", total, Num(INT_HIGH)), Reason.RANGE)
    left = w.let(low.Call(BELOW, (total,)))
    found: Expr = ZERO
    for part in sums[:-1]:
        found = add(found, Op("<=", part, left))
    return found


def _number(lo: Lowering, i: ir.Chance, empty: Empty) -> tuple[Expr, Number]:
    w, kind = lo.w, _number_kind(lo, i)
    first, last = ends(lo, i)
    w.when(Op(">", first, last), empty)
    size = w.let(size_of_range(first, last))
    if kind.high - kind.low >= MOST_DRAWN:
        w.trap_if(Op(">", size, Num(MOST_DRAWN)), Reason.RANGE)

    def by_keys(found: str) -> None:
        w.trap_if(Op(">", size, Num(MOST_OPTIONS)), Reason.FAULT)
        least = Least(lo, event_number(lo, i.address, Op(">", size, Num(1))), found)
        w.upto(first, add(last, 1), lambda n: least.look(n, i.type))

    drawn = _asked_or_drawn(lo, by_keys, lambda: w.let(add(first, low.Call(BELOW, (size,)))))
    return drawn, kind


def _number_kind(lo: Lowering, i: ir.Chance) -> Number:
    if i.b is None:
        raise Unsupported("a number that is drawn without an end")
    a, b = number_kind(lo, i.a), number_kind(lo, i.b)
    return Number(a.low, max(a.low, b.high))


def ends(lo: Lowering, i: ir.Chance) -> tuple[Expr, Expr]:
    """The first and the last of the numbers among which one is drawn."""
    if i.b is None:
        raise Unsupported("a number that is drawn without an end")
    return lo.w.let(lo.number(i.a)), lo.w.let(lo.number(i.b))
