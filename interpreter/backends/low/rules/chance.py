"""Chance that is drawn: a member of a set, a number, a piece of a map of counts, the order of a zone."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.types import bounds
from dsl.program import ASKING, FRAME_LINK, Program
from interpreter.backends.low.base.context import DRAWING, Held, Lowering, Words
from interpreter.backends.low.base.kinds import Dense, Items, Members, Number, Unsupported
from interpreter.backends.low.base.make import ZERO, add, scale, word
from interpreter.backends.low.base.memory import MOST_NOTES, NOTE
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.rules.keyed import Least, event_number
from interpreter.backends.low.rules.writes import number_bounds
from interpreter.backends.low.values.loops import Pass, each_member
from interpreter.backends.low.values.numbers import keep_within
from interpreter.backends.low.values.ranges import number_kind, set_kind
from interpreter.backends.low.values.sets import count, size_of_range, words_of

BELOW, SHUFFLE, FORGET = "below", "shuffle", "forget"  # functions of the runtime
MOST_DRAWN = 1 << 32  # numbers among which one is drawn
MOST_ADDED = 16  # counts of pieces that are added up without a loop
HALF = 31  # bits of a word of a note

Empty = Callable[[], None]


def chance(lo: Lowering, i: ir.Chance, empty: Empty) -> None:
    """Draw, and store what was drawn; `empty` writes what follows where there is nothing to draw from."""
    value = drawn(lo, i, empty)
    if value is not None:
        lo.w.store(lo.w.frame(), FRAME_LINK + i.slot, value)


def drawn(lo: Lowering, i: ir.Chance, empty: Empty) -> Expr | None:
    """Draw; gives what was drawn, in bounds of its type, and None where that is no value."""
    if i.weights is not None:
        raise Unsupported("chance with weights")
    if i.op == "shuffle":
        zone = keep_within(lo, lo.number(i.a), number_kind(lo, i.a), (0, len(lo.program.zones) - 1))
        lo.w.call(SHUFFLE, zone, Num(lo.keyed.events.index(i.address) if lo.keyed is not None else 0))
        _note(lo, i, ZERO)
        return None
    value, kind = {"member": _member, "piece": _piece, "number": _number}[i.op](lo, i, empty)
    if i.type is None:
        return None
    value = lo.w.let(keep_within(lo, value, kind, number_bounds(i.type)))
    _note(lo, i, value)
    return value


def _note(lo: Lowering, i: ir.Chance, value: Expr) -> None:
    """Note an outcome for the host, unless answers are drawn: which event it is, what was drawn, and the first 62 of
    the things that are its audience (in two words; -1: no audience is named)."""
    w, noted = lo.w, lo.memory.noted
    if not noted:
        return
    audience = w.fresh("audience")
    w.set(audience, Num(-1))
    if i.audience is not None:
        w.set(audience, Op("&", lo.members(i.audience).get(0, ZERO), Num((1 << 2 * HALF) - 1)))
    number = next(n for n, event in enumerate(events(lo.program)) if event is i)

    def write() -> None:
        at = w.let(add(scale(word(noted), NOTE), noted + 1), "note")
        halves = Op("&", Local(audience), Num((1 << HALF) - 1)), Op(">>", Local(audience), Num(HALF))
        for k, part in enumerate((Num(number), value, *halves)):
            w.store(at, k, part)
        w.count(noted)

    room = Op("<", word(noted), Num(MOST_NOTES))
    w.when(low.Both(room, low.Not(Global(DRAWING))), write)


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
        w.when(Op(">", size, Num(1)), lambda: _forget(lo, held, member))
    return found, member


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


def _forget(lo: Lowering, held: Held, kind: Number) -> None:
    """Whoever does not see the zone of one of these things no longer knows that it is there."""

    def one(p: Pass) -> None:
        lo.w.call(FORGET, Local(p.member.names[0]), ZERO)

    each_member(lo, words_of(held), kind, one)


def _piece(lo: Lowering, i: ir.Chance, empty: Empty) -> tuple[Expr, Number]:
    w, kind = lo.w, lo.kind(i.a)
    if not isinstance(kind, Dense | Items) or isinstance(kind.item, Members):
        raise Unsupported("a draw among what is no map of counts")
    lowest = bounds(i.type)[0] if i.type is not None else 0
    row = w.let(lo.row(i.a))
    row = w.let(add(row, 1)) if isinstance(kind, Items) else row
    number = kind.most if isinstance(kind, Items) else kind.count
    item, few = kind.item, number <= MOST_ADDED and isinstance(kind, Dense)
    few = few and isinstance(item, Number) and item.low >= 0

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
        return add((_few_pieces if few else _many_pieces)(lo, row, number, empty), lowest)

    return _asked_or_drawn(lo, by_keys, in_turn), Number(lowest, lowest + number - 1)


def _many_pieces(lo: Lowering, row: Expr, number: int, empty: Empty) -> Expr:
    """Which count a drawn piece belongs to."""
    w = lo.w
    total, k = w.fresh("total"), w.fresh("k")
    w.set(total, ZERO)

    def add_up(n: Expr) -> None:
        pieces = w.let(low.Load(add(row, n)))
        w.emit(low.If(Op(">", pieces, ZERO), (low.Set(total, add(Local(total), pieces)),)))

    w.upto(ZERO, Num(number), add_up)
    w.when(low.Not(Local(total)), empty)
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


def _few_pieces(lo: Lowering, row: Expr, number: int, empty: Empty) -> Expr:
    """Which of a few counts a drawn piece belongs to: as many as have no more pieces, with those before them, than the
    number that is drawn."""
    w, sums = lo.w, []
    total: Expr = ZERO
    for k in range(number):
        total = w.let(add(total, low.Load(row, k)))
        sums.append(total)
    w.when(low.Not(total), empty)
    left = w.let(low.Call(BELOW, (total,)))
    found: Expr = ZERO
    for part in sums[:-1]:
        found = add(found, Op("<=", part, left))
    return found


def _number(lo: Lowering, i: ir.Chance, empty: Empty) -> tuple[Expr, Number]:
    w = lo.w
    if i.b is None:
        raise Unsupported("a number that is drawn without an end")
    a, b = number_kind(lo, i.a), number_kind(lo, i.b)
    first, last = w.let(lo.number(i.a)), w.let(lo.number(i.b))
    w.when(Op(">", first, last), empty)
    size = w.let(size_of_range(first, last))
    if b.high - a.low >= MOST_DRAWN:
        w.trap_if(Op(">", size, Num(MOST_DRAWN)), Reason.RANGE)

    def by_keys(found: str) -> None:
        least = Least(lo, event_number(lo, i.address, Op(">", size, Num(1))), found)
        w.upto(first, add(last, 1), lambda n: least.look(n, i.type))

    drawn = _asked_or_drawn(lo, by_keys, lambda: w.let(add(first, low.Call(BELOW, (size,)))))
    return drawn, Number(a.low, max(a.low, b.high))
