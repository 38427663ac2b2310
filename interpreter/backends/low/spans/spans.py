"""Values over an answer that is not known yet: a number lies between two numbers, a set between two sets.

While an answer is searched, some of its members are chosen, others may still come. A temp that depends on it is bound
to the most that it may be, and `Spans` knows the least. What does not depend on the answer is worked out as always, and
once for a question where its temps stay the same meanwhile. What cannot be seen through lies anywhere within its kind
until all that it reads is decided. Decided, both ends are the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from dsl import ir
from dsl.base.record import dataclass
from dsl.ir.walk import free, walk
from interpreter.backends.low.base.context import Bound, Held, Lowering, Words
from interpreter.backends.low.base.kinds import TRUTH, Dense, MembersKind, Number, Pairs
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.values.numbers import held_number, same_words
from interpreter.backends.low.values.ranges import number_kind, set_kind
from interpreter.backends.low.values.sets import words_of

MOST_DEPTH = 40  # functions inside each other
COSTLY = (ir.Fold, ir.Reach, ir.CallFn, ir.ListOp, ir.CellSum)


class UnseenSpan(Exception):
    """The structure of a value cannot be seen: what reads it has to wait until the answer is decided."""


class NumberSpan(NamedTuple):
    """A number lies from `least` to `most`; both may be read more than once."""

    least: Expr
    most: Expr

    @property
    def known(self) -> bool:
        return self.least is self.most


class Between(NamedTuple):
    """A set of this kind has all of `must` and nothing but `may`."""

    kind: MembersKind
    must: Words
    may: Words


class MapSpan(NamedTuple):
    """A dense map whose items lie between those of two rows in memory, at these addresses."""

    kind: Dense
    must: Expr
    may: Expr


class AnswerSpan(NamedTuple):
    """The answer of a site where it stands as a whole: the variables of what it has at least and at most, and what puts
    both into fresh ones."""

    site: int
    least: tuple[str, ...]
    most: tuple[str, ...]
    ends: Callable[[], tuple[Held, Held]]


class Shared(NamedTuple):
    """A call of a function with the answer of a site (None) and with values that stay the same."""

    site: int
    fn: int
    args: tuple[ir.Expr | None, ...]


class SpanTables(NamedTuple):
    """The functions that see through each class of expressions: numbers, sets, and maps; a map that does not depend on
    the answer; the maker of the pairs of a sparse map of a row; and the span of a call that is shared, None if it is
    not."""

    numbers: Mapping[type, Callable[[Spans, Any], NumberSpan]]
    sets: Mapping[type, Callable[[Spans, Any], Between]]
    maps: Mapping[type, Callable[[Spans, Any], MapSpan]]
    known_map: Callable[[Spans, ir.Expr], MapSpan]
    pairs: Callable[[Lowering, Dense, Expr], Expr]
    shared: Callable[[Spans, ir.CallFn], NumberSpan | None]


@dataclass(frozen=True, slots=True)
class Spans:
    """The spans of expressions while part of an answer is open. `lower`: the temps that depend on the answer, with
    their least numbers or the members that they certainly have; `lo.bound` has the greatest and all; of a map, each has
    a row of its items. `fixed`: other temps that stay the same while one question is searched."""

    lo: Lowering
    tables: SpanTables
    lower: Mapping[int, Held]
    fixed: frozenset[int] = frozenset()
    depth: int = 0
    answer: AnswerSpan | None = None

    # ------------------------------------------------------------ what is known

    def is_known(self, e: Any) -> bool:
        """True for a value that does not depend on the answer."""
        return not free(e) & self.lower.keys()

    def is_fixed(self, e: Any) -> bool:
        """True for a value that is the same whenever it is read while one question is searched."""
        return free(e) <= self.fixed

    def is_answer(self, e: ir.Expr) -> bool:
        """True for the answer as a whole, as a set or dense map."""
        match e:
            case ir.ListOp("dense", (ir.Temp(slot), ir.Const(size), ir.Const(0))):
                least = self.lower.get(slot)
                whole = least is not None and isinstance(least.kind, Dense) and least.kind.count == size
            case ir.Temp(slot):
                most = self.lo.bound.get(slot)
                whole = isinstance(most, Held) and not isinstance(most.kind, Pairs)
            case _:
                return False
        return whole and slot in self.lower and self._is_named(slot)

    def _is_named(self, slot: int) -> bool:
        most = self.lo.bound.get(slot)
        if self.answer is None or not isinstance(most, Held):
            return False
        return (self.lower[slot].names, most.names) == (self.answer.least, self.answer.most)

    def is_kept(self, e: ir.Expr) -> bool:
        return self.is_fixed(e) and any(isinstance(node, COSTLY) for node in walk(e))

    def _kept(self, words: int, work: Callable[[int], None]) -> int:
        """The address of what `work` stores there when it is first needed for a question."""
        memory, w = self.lo.memory, self.lo.w
        at = memory.room(2 + 2 * words)
        number = word(round_of(self.lo))

        def make() -> None:
            with self.lo.cut_back():
                work(at + 2)
            w.put(at, number)

        w.when(Op("!=", word(at), number), make)
        return at + 2

    def known_number(self, e: ir.Expr) -> Expr:
        lo = self.lo
        if not self.is_kept(e):
            return lo.w.let(lo.number(e))
        at = self._kept(1, lambda to: lo.w.emit(low.StoreLong(ZERO, to, lo.number(e))))
        return lo.w.let(low.LoadLong(ZERO, at))

    def known_set(self, e: ir.Expr) -> Between:
        lo, kind = self.lo, set_kind(self.lo, e)
        if not self.is_kept(e):
            held = lo.hold_words(kind, lo.members(e))
            return Between(kind, words_of(held), words_of(held))

        def store(to: int) -> None:
            for k, name in enumerate(lo.hold_words(kind, lo.members(e)).names):
                lo.w.emit(low.StoreLong(ZERO, to + 2 * k, Local(name)))

        at = self._kept(len(kind.words), store)
        words = {n: lo.w.let(low.LoadLong(ZERO, at + 2 * k)) for k, n in enumerate(kind.words)}
        return Between(kind, words, words)

    # ------------------------------------------------------------ what is not

    def number(self, e: ir.Expr) -> NumberSpan:
        """The span of numbers in which a number lies."""
        if self.is_known(e):
            value = self.known_number(e)
            return NumberSpan(value, value)
        handler = self.tables.numbers.get(type(e))
        if handler is None:
            return self._opaque(e)
        try:
            with self.lo.w.inside() as written:
                found = handler(self, e)
        except UnseenSpan:
            return self._opaque(e)
        self.lo.w.out += written
        return found

    def truth(self, e: ir.Expr) -> NumberSpan:
        """The span of the test that a value is other than 0: 1 at the least if it certainly is, 1 at the most if it may
        be."""
        found = self.number(e)
        if number_kind(self.lo, e) == TRUTH:
            return found
        w = self.lo.w
        most = w.let(either(Op("!=", found.least, ZERO), Op("!=", found.most, ZERO)))
        if found.known:
            return NumberSpan(most, most)
        return NumberSpan(w.let(either(Op(">", found.least, ZERO), Op("<", found.most, ZERO))), most)

    def set(self, e: ir.Expr) -> Between:
        """The two sets between which a set lies. Raises UnseenSpan where that cannot be said."""
        if self.is_known(e):
            return self.known_set(e)
        handler = self.tables.sets.get(type(e))
        if handler is None:
            raise UnseenSpan
        return handler(self, e)

    def map(self, e: ir.Expr) -> MapSpan:
        """The two maps between which a map lies. Raises UnseenSpan where that cannot be said."""
        if self.is_known(e):
            return self.tables.known_map(self, e)
        handler = self.tables.maps.get(type(e))
        if handler is None:
            raise UnseenSpan
        return handler(self, e)

    def _opaque(self, e: ir.Expr) -> NumberSpan:
        """A number that is worked out once all is decided that it reads."""
        lo, kind = self.lo, number_kind(self.lo, e)
        decided: Expr = ONE
        for slot in sorted(free(e) & self.lower.keys()):
            decided = both(decided, self._is_decided(slot))
        least, most = lo.w.fresh("least"), lo.w.fresh("most")

        def work() -> None:
            with lo.cut_back(), lo.also(self._decided(e)):
                lo.w.set(least, lo.number(e))
            lo.w.set(most, Local(least))

        def anything() -> None:
            lo.w.set(least, Num(kind.low))
            lo.w.set(most, Num(kind.high))

        lo.w.when(decided, work, anything)
        return NumberSpan(Local(least), Local(most))

    def _decided(self, e: ir.Expr) -> dict[int, Bound]:
        """The answer, if a value reads it as the sparse map that it is in the rules, and it is decided."""
        found: dict[int, Bound] = {}
        for slot in sorted(free(e) & self.lower.keys()):
            least, most = self.lower[slot], self.lo.bound[slot]
            if isinstance(most, Held) and isinstance(most.kind, Pairs) and isinstance(least.kind, Dense):
                name = self.lo.w.fresh("pairs")
                self.lo.w.set(name, self.tables.pairs(self.lo, least.kind, Local(most.names[0])))
                found[slot] = Held(most.kind, (name,))
        return found

    def _is_decided(self, slot: int) -> Expr:
        """A test that both ends of a temp that depends on the answer are the same."""
        least, most = self.lower[slot], self.lo.bound[slot]
        assert isinstance(most, Held), "what depends on the answer is worked out where it is bound"
        if isinstance(most.kind, MembersKind):
            return same_words(words_of(least), words_of(most))
        if isinstance(least.kind, Dense):
            return self._same_rows(Local(least.names[0]), Local(most.names[0]), least.kind.count)
        return Op("==", Local(least.names[0]), Local(most.names[0]))

    def _same_rows(self, a: Expr, b: Expr, count: int) -> Expr:
        w = self.lo.w
        same, n = w.fresh("same"), w.fresh("n")
        w.set(same, ONE)
        w.set(n, ZERO)

        def one(label: str) -> None:
            w.leave_if(Op(">=", Local(n), Num(count)), label)
            apart = Op("!=", low.Load(add(a, Local(n))), low.Load(add(b, Local(n))))
            w.emit(low.If(apart, (low.Set(same, ZERO), low.Leave(label))))
            w.set(n, add(Local(n), 1))

        w.loop(one)
        return Local(same)

    # ------------------------------------------------------------ temps

    @contextmanager
    def also(self, slot: int, bound: Bound, lower: Held | None = None, fixed: bool = False) -> Iterator[Spans]:
        """Spans in which a temp is bound as well, for as long; `lower`: its least, if it depends on the answer."""
        others = {s: h for s, h in self.lower.items() if s != slot}
        if lower is not None:
            others[slot] = lower
        stays = self.fixed | {slot} if fixed else self.fixed - {slot}
        with self.lo.also({slot: bound}):
            yield Spans(self.lo, self.tables, others, stays, self.depth, self.answer)

    def held(self, e: ir.Expr) -> tuple[Bound, Held | None, bool]:
        """A value to be bound: the most, the least if it depends on the answer, and whether it is fixed. Raises Unseen
        for lists that do."""
        lo = self.lo
        if isinstance(e, ir.Temp) and e.slot in self.lower and not isinstance(lo.kind(e), Pairs):
            return lo.bound[e.slot], self.lower[e.slot], False
        kind = lo.kind(e)
        if isinstance(kind, Number):
            span = self.number(e)
            most = held_number(lo, kind, span.most)
            return most, None if span.known else held_number(lo, kind, span.least), self.is_fixed(e)
        if isinstance(kind, MembersKind):
            found = self.set(e)
            may = lo.hold_words(found.kind, found.may)
            return may, None if self.is_known(e) else lo.hold_words(found.kind, found.must), self.is_fixed(e)
        if self.is_known(e):
            return lo.hold(kind, e), None, False
        if not isinstance(kind, Dense):
            raise UnseenSpan
        rows = self.map(e)
        return self._row(rows.kind, rows.may), self._row(rows.kind, rows.must), False

    def _row(self, kind: Dense, row: Expr) -> Held:
        if isinstance(row, Local):
            return Held(kind, (row.name,))
        name = self.lo.w.fresh("row")
        self.lo.w.set(name, row)
        return Held(kind, (name,))


def round_of(lo: Lowering) -> int:
    """The address of a word that is different for each question that is searched."""
    return lo.memory.named("round of searches", 2)
