"""Folds as Python loops.

Where lines may be put before the text that is written, a fold becomes a loop there; elsewhere a function of its own.
Sets that are only gone through are never made: their conditions are tested in the loop. Tests of neighbouring words
become slices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from dsl import ir
from dsl.types import SetType, width
from interpreter.backends.facts import free, walk
from interpreter.backends.python.expressions import ANY, Range, Scope, atom, simple_arguments
from interpreter.store import SCALARS, members

if TYPE_CHECKING:
    from interpreter.backends.python.unit import Unit

UNROLLED = 6  # members of a constant domain whose fold is written out
SIMPLE = 40  # nodes of a body that is written out
FEW_WORDS = 3  # neighbours that are not worth a slice

Body = Callable[[str], None]


class Folds:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    # ------------------------------------------------------------ as text

    def text(self, s: Scope, e: ir.Fold) -> str:
        found = self.sliced(s, e) or self.unrolled(s, e)
        if found:
            return f"(1 if {found} else 0)" if e.kind in ("any", "every") else found
        return self.value(s, e) if s.sure else self.apart(s, e)

    def test(self, s: Scope, e: ir.Fold) -> str:
        """A fold of which only the truth counts."""
        return self.sliced(s, e) or self.unrolled(s, e) or self.text(s, e)

    def apart(self, s: Scope, e: ir.Expr) -> str:
        """An expression as a function of its own, called where it stands."""
        if self.unit.facts.running or any(isinstance(n, ir.FrameVar | ir.FrameItem) for n in walk(e)):
            s.settle()
        slots = sorted(free(e))
        names = [f"p{slot}" for slot in slots]
        inner = Scope(self.unit)
        for slot, name in zip(slots, names, strict=True):
            if slot in s.names.known:
                inner.names.known[slot] = s.names.known[slot]
            inner.names.temps[slot] = name
            inner.names.ranges[slot] = s.names.ranges.get(slot, ANY)
        inner.inlined = s.inlined
        self.give(inner, e)
        name = self.unit.add("q", ["S", *names], inner.line.text)
        return f"{name}({', '.join(['S', *(s.temp(slot) for slot in slots)])})"

    def give(self, s: Scope, e: ir.Expr) -> None:
        """Lines that return the value of an expression."""
        match e:
            case ir.If(test, then, orelse):
                s.line(f"if {s.test(test)}:")
                with s.inside():
                    s.line.depth += 1
                    self.give(s, then)
                self.give(s, orelse)
                return
            case ir.Let(slot, value, body):
                span = s.span(value)
                text = s.hold(s(value))
                s.names.temps[slot], s.names.ranges[slot] = text, span
                s.names.known.pop(slot, None)
                self.give(s, body)
                return
            case ir.And(items) if items:
                with s.inside():
                    for item in items:
                        self.nest(s, item)
                    s.line("return 1")
                s.line("return 0")
                return
            case ir.Or(items) if items:
                for item in items:
                    with s.inside():
                        self.nest(s, item)
                        s.line("return 1")
                s.line("return 0")
                return
            case ir.Fold(kind="any" | "every") if not (self.sliced(s, e) or self.unrolled(s, e)):
                wanted = e.kind == "any"

                def found(_: str) -> None:
                    if e.body is not None:
                        self.nest(s, e.body if wanted else ir.Not(e.body))
                    s.line(f"return {1 if wanted else 0}")

                if wanted or e.body is not None:
                    self.loop(s, e, found)
                s.line(f"return {0 if wanted else 1}")
                return
        s.line(f"return {s(e)}")

    # ------------------------------------------------------------ loops

    def loop(self, s: Scope, e: ir.Fold, body: Body) -> None:
        """Lines that go through all bindings; `body` gets the name of the member of the last binder."""
        with s.inside():
            inner = tuple(x for x in (e.where, e.body, *(k for _, k in e.keys)) if x is not None)
            s.ready(inner)
            for n, (slot, domain) in enumerate(e.binders):
                self.over(s, slot, domain, inner if n + 1 == len(e.binders) else ())
            if e.where is not None:
                self.nest(s, e.where)
            body(s.temp(e.binders[-1][0]))

    def over(self, s: Scope, slot: int, domain: ir.Domain, inner: Sequence[ir.Expr] = ()) -> None:
        """The head of a loop over a domain; what follows is indented. `inner` is all that reads the member, in the
        order in which it is read."""
        chosen = self.choice(s, domain.a) if domain.kind == "set" else None
        if chosen is not None:
            fold, names = chosen
            first, first_domain = fold.binders[0]
            before = s.names
            s.names = names
            wheres: tuple[ir.Expr, ...] = () if fold.where is None else (fold.where,)
            s.ready(wheres)
            found = self.inverse(s, first_domain, fold.where)
            if found is not None:
                source, span, wheres = found
                s.line(f"for {s.bind(first, span)} in {source}:")
                s.line.depth += 1
            else:
                self.over(s, first, first_domain, wheres)
            for test in wheres:
                self.nest(s, test)
            member, span = s.names.temps[first], s.names.ranges.get(first, ANY)
            s.names = before.copy()
            s.names.temps[slot], s.names.ranges[slot] = member, span
            s.names.known.pop(slot, None)
            return
        head = self.rows(s, slot, domain, inner) or self.columns(s, slot, domain, inner)
        if head is None:
            source, span = self.source(s, domain)
            head = f"for {s.bind(slot, span)} in {source}"
        s.line(f"{head}:")
        s.line.depth += 1

    def inverse(
        self, s: Scope, domain: ir.Domain, where: ir.Expr | None
    ) -> tuple[str, Range, tuple[ir.Expr, ...]] | None:
        """A domain whose members are chosen by what a constant table says of them: those for each item of the table
        are found once. Gives also the tests that are left."""
        first, *rest = where.items if isinstance(where, ir.And) and where.items else (where,)
        match domain, first:
            case ir.Domain("set", ir.Const(int() as mask)), ir.Compare("==", ir.TableGet() as item, other):
                pass
            case _:
                return None
        match item.offset:
            case ir.Linear(const, ((ir.Temp(slot), 1),)):
                pass
            case _:
                return None
        items = self.unit.program.tables[item.table]
        found = members(mask)
        if slot in free(other) or not found or not all(0 <= v + const < len(items) for v in found):
            return None
        name = self.unit.head(f"inverse({item.table}, {const}, {mask})", "I")
        return f"{name}.get({s(other)}, ())", (found[0], found[-1]), tuple(t for t in rest if t is not None)

    def columns(self, s: Scope, slot: int, domain: ir.Domain, inner: Sequence[ir.Expr]) -> str | None:
        """The head of a loop over neighbours that gives their words along with them, if these are read at once."""
        found = neighbours(domain)
        if found is None or not inner:
            return None
        low, high = found
        cells = list(dict.fromkeys(a.const for a in first_cells(s.simple_test(inner[0]), slot)))[:2]
        if not cells or high - low < FEW_WORDS:
            return None
        v = s.bind(slot, (low, high))
        words = [s.fresh("w") for _ in cells]
        for const, word in zip(cells, words, strict=True):
            s.cells[v, const] = word
        slices = [f"S[{low + const}:{high + const + 1}]" for const in cells]
        if len(cells) == 1:
            return f"for {v}, {words[0]} in enumerate({slices[0]}, {low})"
        return f"for {v}, {', '.join(words)} in zip(range({low}, {high + 1}), {', '.join(slices)})"

    def rows(self, s: Scope, slot: int, domain: ir.Domain, inner: Sequence[ir.Expr]) -> str | None:
        """The head of a loop that gives the members of the rows of a relation, where nothing else is asked of it."""
        reads = [n for x in inner for n in walk(x) if n == ir.Temp(slot)]
        folds = [n for x in inner for n in walk(x) if isinstance(n, ir.Fold) and reads_row(n, slot)]
        if len(reads) != 1 or len(folds) != 1 or domain.kind != "set":
            return None
        fold = folds[0]
        member, row = fold.binders[0]
        assert isinstance(row.a, ir.TableGet) and isinstance(row.a.offset, ir.Linear)
        table, const = row.a.table, row.a.offset.const
        size = self.unit.row_size(table)
        if not 0 < size <= UNROLLED or not writes_flat((fold.where, fold.body)):
            return None
        shift = only_cell((fold.where, fold.body), member)
        match domain.a:
            case ir.Const(int() as mask):
                rows = tuple(self.unit.program.tables[table][v + const] for v in members(mask))
                source = self.unit.head(f"rows({rows}, {shift or 0})", "R")
            case ir.TableGet(outer, offset):
                source = self.unit.rows_item(s, outer, offset, table, const, shift or 0)
            case _:
                return None
        names = tuple(s.fresh("y") for _ in range(size))
        s.bind(slot)
        s.rows[s.names.temps[slot], table, const] = names
        if shift is not None:
            for name in names:
                s.cells[name, shift] = f"S[{name}]"
        return f"for {', '.join(names)}{',' if size == 1 else ''} in {source}"

    def choice(self, s: Scope, e: ir.Expr) -> tuple[ir.Fold, Any] | None:
        """A set as a fold over another set with a condition, and the names that it is read under."""
        if is_choice(e):
            return e, s.names.copy()
        if isinstance(e, ir.CallFn) and (s.sure or simple_arguments(e)):
            fn = self.unit.program.functions[e.fn]
            if is_choice(fn.body) and e.fn not in self.unit.facts.recursive_fns:
                with s.inlining(fn, e.args):
                    return fn.body, s.names.copy()
        return None

    def source(self, s: Scope, d: ir.Domain) -> tuple[str, Range]:
        """What a loop goes through, and the bounds of its members."""
        if d.kind == "set":
            match d.a:
                case ir.Const(int() as mask):
                    found = members(mask)
                    if not found:
                        return "()", (0, 0)
                    if found == tuple(range(found[0], found[-1] + 1)):
                        return f"range({found[0]}, {found[-1] + 1})", (found[0], found[-1])
                    return self.unit.literal(found), (found[0], found[-1])
                case ir.RangeSet(low, high):
                    text = s(high)
                    stop = str(int(text) + 1) if text.isdigit() else f"{text} + 1"
                    return f"range({s(low)}, {stop})", (s.span(low)[0], s.span(high)[1])
                case ir.TableGet(table, offset):
                    return self.unit.item(s, table, offset, True), self.unit.member_span(table)
                case ir.If(test, then, orelse):
                    condition = s.test(test)
                    with s.lazily():
                        (one, a), (other, b) = (self.source(s, ir.Domain("set", x)) for x in (then, orelse))
                    return f"({one} if {condition} else {other})", (min(a[0], b[0]), max(a[1], b[1]))
                case ir.CallFn(fn, args) if s.writes_out(d.a):
                    called = self.unit.program.functions[fn]
                    with s.inlining(called, args):
                        return self.source(s, ir.Domain("set", called.body))
            return f"members({s(d.a)})", (0, ANY[1])
        if d.kind == "list":
            return s(d.a), ANY
        assert d.b is not None
        span = s.span(d.a)[0], s.span(d.b)[1]
        stop = s.sum(1, s(d.b)) if not isinstance(d.b, ir.Const) else s.constant(d.b.value + 1)
        return f"range({s(d.a)}, {stop})", span

    def nest(self, s: Scope, test: ir.Expr) -> None:
        """What follows is done only if the test holds; it is indented."""
        test = s.simple_test(test)
        match test:
            case ir.And(items):
                for item in items:
                    self.nest(s, item)
                return
            case ir.Not(ir.Not(inner)):
                self.nest(s, inner)
                return
            case ir.Not(ir.CallFn() as call) if (names := self.condition(s, call)) is not None:
                self._under(s, names, ir.Not(self.unit.program.functions[call.fn].body))
                return
            case ir.CallFn() if (names := self.condition(s, test)) is not None:
                self._under(s, names, self.unit.program.functions[test.fn].body)
                return
            case (ir.Fold(kind="every") as e) | ir.Not(ir.Fold(kind="any") as e) if (
                len(e.binders) == 1 and not self.sliced(s, e) and not self.unrolled(s, e)
            ):
                body = e.body if e.body is not None else ir.Const(1)
                wrong = body if e.kind == "any" else ir.Not(body)
                if e.kind == "every" and e.body is None:
                    return
                with s.inside():
                    self.loop(s, e, lambda _: self._if(s, wrong, "break"))
                s.line("else:")
                s.line.depth += 1
                return
        s.line(f"if {s.test(test)}:")
        s.line.depth += 1

    def condition(self, s: Scope, e: ir.CallFn) -> Any:
        """The names under which the body of a called condition is written out, if it is."""
        body = self.unit.program.functions[e.fn].body
        if s.writes_out(e) and s.sure and any(isinstance(n, ir.Fold) for n in walk(body)):
            with s.inlining(self.unit.program.functions[e.fn], e.args):
                return s.names
        return None

    def _under(self, s: Scope, names: Any, test: ir.Expr) -> None:
        before = s.names
        s.names = names
        s.inlined += 1
        self.nest(s, test)
        s.inlined -= 1
        s.names = before

    def _if(self, s: Scope, test: ir.Expr, then: str) -> None:
        self.nest(s, test)
        s.line(then)

    # ------------------------------------------------------------ values

    def value(self, s: Scope, e: ir.Fold) -> str:
        """Lines that work out a fold; gives the variable that holds it."""
        if e.kind in ("any", "every", "first") and len(e.binders) > 1 and not e.keys:
            return self.apart(s, e)
        x = s.fresh()
        write: Callable[[Scope, ir.Fold, str], None] = getattr(self, f"do_{e.kind}", self.by_pairs)
        write(s, e, x)
        return x

    def body(self, s: Scope, e: ir.Fold, member: str) -> str:
        return s(e.body) if e.body is not None else member

    def do_count(self, s: Scope, e: ir.Fold, x: str) -> None:
        s.line(f"{x} = 0")
        self.loop(s, e, lambda _: s.line(f"{x} += 1"))

    def do_sum(self, s: Scope, e: ir.Fold, x: str) -> None:
        s.line(f"{x} = 0")
        self.loop(s, e, lambda v: s.line(f"{x} += {self.body(s, e, v)}"))

    def do_any(self, s: Scope, e: ir.Fold, x: str) -> None:
        def found(_: str) -> None:
            if e.body is not None:
                self.nest(s, e.body)
            s.line(f"{x} = 1")
            s.line("break")

        s.line(f"{x} = 0")
        self.loop(s, e, found)

    def do_every(self, s: Scope, e: ir.Fold, x: str) -> None:
        def found(_: str) -> None:
            assert e.body is not None
            self.nest(s, ir.Not(e.body))
            s.line(f"{x} = 0")
            s.line("break")

        s.line(f"{x} = 1")
        if e.body is not None:
            self.loop(s, e, found)

    def do_max(self, s: Scope, e: ir.Fold, x: str) -> None:
        self._extreme(s, e, x, ">")

    def do_min(self, s: Scope, e: ir.Fold, x: str) -> None:
        self._extreme(s, e, x, "<")

    def _extreme(self, s: Scope, e: ir.Fold, x: str, sign: str) -> None:
        def found(v: str) -> None:
            here = s.hold(self.body(s, e, v))
            s.line(f"if {x} is None or {here} {sign} {x}: {x} = {here}")

        s.line(f"{x} = None")
        self.loop(s, e, found)
        s.line(f"if {x} is None: {x} = {s.constant(e.empty)}")

    def do_set(self, s: Scope, e: ir.Fold, x: str) -> None:
        slot = e.binders[-1][0]

        def found(v: str) -> None:
            here = self.body(s, e, v)
            if e.body in (None, ir.Temp(slot)) or s.span(e.body or ir.Temp(slot))[0] > 0:
                s.line(f"{x} |= 1 << {here}")
                return
            here = s.hold(here)
            s.line(f"if {here}: {x} |= 1 << {here}")

        s.line(f"{x} = 0")
        self.loop(s, e, found)

    def do_list(self, s: Scope, e: ir.Fold, x: str) -> None:
        s.line(f"{x} = []")
        self.loop(s, e, lambda v: s.line(f"{x}.append({self.body(s, e, v)})"))
        s.line(f"{x} = tuple({x})")

    def do_first(self, s: Scope, e: ir.Fold, x: str) -> None:
        domain = e.binders[-1][1]
        if not e.keys and e.where is None and len(e.binders) == 1 and domain.kind == "set" and not e.required:
            mask = s.hold(s(domain.a))
            s.line(f"{x} = ({mask} & -{mask}).bit_length() - 1 if {mask} else 0")
            return
        if e.keys:
            self._best(s, e, x, lambda v: v, None)
        else:

            def found(v: str) -> None:
                s.line(f"{x} = {v}")
                s.line("break")

            s.line(f"{x} = None")
            self.loop(s, e, found)
        none = f"raise nothing_first({self.unit.object(e.span)})" if e.required else f"{x} = 0"
        s.line(f"if {x} is None: {none}")

    def do_only(self, s: Scope, e: ir.Fold, x: str) -> None:
        self._best(s, e, x, lambda v: v, lambda _: f"{x} = 0")
        s.line(f"if {x} is None: {x} = 0")

    def do_tied(self, s: Scope, e: ir.Fold, x: str) -> None:
        def member(v: str) -> str:
            return f"1 << {v} if {v} else 0"

        self._best(s, e, x, member, lambda v: f"{x} |= {member(v)}")
        s.line(f"if {x} is None: {x} = 0")

    def _best(
        self, s: Scope, e: ir.Fold, x: str, first: Callable[[str], str], again: Callable[[str], str] | None
    ) -> None:
        """Keep the member with the best keys; `again` is what an equal one does."""
        best = s.fresh("k")
        s.line(f"{x} = {best} = None")

        def found(v: str) -> None:
            highest = len(e.keys) == 1 and e.keys[0][0]
            if len(e.keys) == 1:
                here = s.hold(s(e.keys[0][1]))
            else:
                parts = [f"-{s(k)}" if high else s(k) for high, k in e.keys]
                here = s.hold(f"({''.join(f'{part}, ' for part in parts)})")
            s.line(f"if {best} is None or {here} {'>' if highest else '<'} {best}:")
            s.line(f" {best} = {here}")
            s.line(f" {x} = {first(v)}")
            if again is not None:
                s.line(f"elif {here} == {best}: {again(v)}")

        self.loop(s, e, found)

    def by_pairs(self, s: Scope, e: ir.Fold, x: str) -> None:
        """Folds that need all members and their ranks, or keys, at once."""
        s.line(f"{x} = []")

        def found(v: str) -> None:
            if e.kind == "table":
                keys = "".join(f"{s.temp(slot)}, " for slot, _ in e.binders)
                s.line(f"{x}.append((({keys}), {self.body(s, e, v)}))")
                return
            parts = [f"-{s(k)}" if high else s(k) for high, k in e.keys]
            s.line(f"{x}.append((({''.join(f'{part}, ' for part in parts)}), {v}))")

        self.loop(s, e, found)
        form = f", {self.unit.literal(e.table_keys)}, {s.constant(e.empty)}" if e.kind == "table" else ""
        s.line(f"{x} = {'keyed' if e.kind == 'table' else e.kind}({x}{form})")

    # ------------------------------------------------------------ short forms

    def sliced(self, s: Scope, e: ir.Fold) -> str | None:
        """Tests of neighbouring one-word cells for equality, by a slice."""
        if len(e.binders) != 1 or e.kind not in ("any", "every", "count", "sum"):
            return None
        slot, domain = e.binders[0]
        found = neighbours(domain)
        if found is None:
            return None
        low, high = found
        test = e.where if e.kind == "count" else e.body
        if e.kind == "count" and e.body is not None or e.kind != "count" and e.where is not None:
            return None
        if e.kind == "sum":
            cells = cell_of(test, slot)
            return f"sum({self.slice(s, cells, low, high)})" if cells is not None else None
        negated = False
        while isinstance(test, ir.Not):
            test, negated = test.operand, not negated
        if not isinstance(test, ir.Compare) or test.op not in ("==", "!="):
            return None
        negated ^= test.op == "!="
        cells, other = cell_of(test.left, slot), test.right
        if cells is None:
            cells, other = cell_of(test.right, slot), test.left
        if cells is None or slot in free(other):
            return None
        words, value = self.slice(s, cells, low, high), s(other)
        match e.kind, negated:
            case "any", False:
                return f"({value} in {words})"
            case "every", True:
                return f"({value} not in {words})"
            case "count", False:
                return f"{words}.count({value})"
            case "count", True:
                return f"({high - low + 1} - {words}.count({value}))"
        return None

    def slice(self, s: Scope, cells: ir.Linear, low: int, high: int) -> str:
        stride = cells.terms[0][1]
        a, b = cells.const + low * stride, cells.const + high * stride + 1
        return f"S[{a}:{b}]" if stride == 1 else f"S[{a}:{b}:{stride}]"

    def unrolled(self, s: Scope, e: ir.Fold) -> str | None:
        """A fold over a few known members, written out."""
        if len(e.binders) != 1 or e.kind not in ("any", "every", "count", "sum"):
            return None
        slot, domain = e.binders[0]
        found: Sequence[int | str] | None = self.row_at_hand(s, domain) or constant_members(domain)
        if found is None or not 0 < len(found) <= UNROLLED or not writes_flat((e.where, e.body)):
            return None
        body, where = e.body, e.where
        parts = []
        for n, v in enumerate(found):
            before, s.sure = s.sure, s.sure and (n == 0 or e.kind in ("count", "sum")) and where is None
            names = s.names.copy()
            s.names.temps[slot] = str(v)
            s.names.known.pop(slot, None)
            s.names.ranges.pop(slot, None)
            if isinstance(v, int):
                s.names.known[slot], s.names.ranges[slot] = v, (v, v)
            parts.append(self._part(s, e.kind, where, body, v))
            s.names = type(names)(names.temps, names.known, names.ranges, s.names.frame)
            s.sure = before
        match e.kind:
            case "any":
                return f"({' or '.join(parts)})"
            case "every":
                return f"({' and '.join(parts)})"
        return f"({' + '.join(parts)})"

    def row_at_hand(self, s: Scope, domain: ir.Domain) -> tuple[str, ...] | None:
        match domain:
            case ir.Domain("set", ir.TableGet(table, ir.Linear(const, ((ir.Temp(slot), 1),)))) if s.rows:
                return s.rows.get((s.temp(slot), table, const))
        return None

    def _part(self, s: Scope, kind: str, where: ir.Expr | None, body: ir.Expr | None, v: int | str) -> str:
        if kind == "count":
            return f"(1 if {s.test(where)} else 0)" if where is not None else "1"
        if kind == "sum":
            value = s(body) if body is not None else str(v)
            return value if where is None else f"({value} if {s.test(where)} else 0)"
        if kind == "any":
            tests = [t for t in (where, body) if t is not None]
            return f"({' and '.join(s.test(t) for t in tests)})" if tests else "True"
        if body is None:
            return "True"
        return f"({s.test(body)})" if where is None else f"(not {s.test(where)} or {s.test(body)})"

    # ------------------------------------------------------------ sets that are only asked about

    def has_members(self, s: Scope, e: ir.Expr) -> str | None:
        """Whether a set has a member, without making it."""
        chosen = e
        if isinstance(e, ir.CallFn):
            chosen = self.unit.program.functions[e.fn].body
            if not is_choice(chosen):
                return None
            if not s.sure:
                return f"{self.unit.finder(e.fn)}({', '.join(['S', *(s(a) for a in e.args)])})"
            with s.inlining(self.unit.program.functions[e.fn], e.args):
                return self.has_members(s, chosen)
        if not is_choice(chosen):
            return None
        return s.test(ir.Fold("any", chosen.binders, chosen.where, (), None))

    def number_of_members(self, s: Scope, e: ir.Expr) -> str | None:
        match e:
            case ir.RangeSet(ir.Const(1), high):
                text = s(high)
                return text if s.span(high)[0] >= 0 else f"max({text}, 0)"
        if is_choice(e) and s.sure:
            return s(ir.Fold("count", e.binders, e.where, (), None))
        return None

    def chosen(self, s: Scope, e: ir.InSet) -> str | None:
        """Whether a member is among those that a condition chooses from a constant set."""
        if not isinstance(e.set, ir.CallFn) or not s.sure:
            return None
        fn = self.unit.program.functions[e.set.fn]
        if not is_choice(fn.body) or not isinstance(fn.body.binders[0][1].a, ir.Const) or fn.body.where is None:
            return None
        slot, domain = fn.body.binders[0]
        assert isinstance(domain.a, ir.Const)
        span, member = s.span(e.member), s(e.member)
        if not atom(member):
            member = s.hold(member)
        if span[0] < 0:
            return None
        with s.inlining(fn, e.set.args):
            s.names.temps[slot], s.names.ranges[slot] = member, span
            s.names.known.pop(slot, None)
            with s.lazily():
                where = s.test(fn.body.where)
        return f"({s.constant(domain.a.value)} >> {member} & 1 and {where})"

    def flood(self, s: Scope, e: ir.Reach) -> str:
        """Lines that go from node to node."""
        start = s.hold(s(e.start))
        seen, queue = s.fresh(), s.fresh()
        s.line(f"{seen} = {start}")
        s.line(f"{queue} = list(members({start}))")
        with s.inside():
            s.line(f"for {s.bind(e.x, (0, ANY[1]))} in {queue}:")
            s.line.depth += 1
            source, span = self.source(s, ir.Domain("set", e.next))
            y = s.bind(e.y, span)
            s.line(f"for {y} in {source}:")
            s.line.depth += 1
            if e.where is not None:
                self.nest(s, e.where)
            s.line(f"if not {seen} >> {y} & 1:")
            s.line(f" {seen} |= 1 << {y}")
            s.line(f" {queue}.append({y})")
        return seen

    def reach(self, s: Scope, e: ir.Reach) -> str:
        if not e.costs and s.sure:
            return self.flood(s, e)
        start = s(e.start)
        budgets = ", ".join(s(b) for _, b in e.costs)
        names = s.names.copy()
        before, s.sure = s.sure, False
        x = s.bind(e.x, (0, ANY[1]))
        following = s(e.next)
        y = s.bind(e.y, (0, ANY[1]))
        where = s.test(e.where) if e.where is not None else "True"
        costs = ", ".join(s(c) for c, _ in e.costs)
        s.names = type(names)(names.temps, names.known, names.ranges, s.names.frame)
        s.sure = before
        steps = f"lambda {x}: {following}, lambda {x}, {y}: {where}"
        if not e.costs:
            return f"flood({start}, {steps})"
        if len(e.costs) == 1:
            return f"within_one({start}, {steps}, lambda {x}, {y}: {costs}, {budgets})"
        return f"within({start}, {steps}, lambda {x}, {y}: ({costs},), ({budgets},))"


def first_cells(test: ir.Expr, slot: int) -> Iterator[ir.Linear]:
    """The addresses of the one-word cells of a member that a condition reads first."""
    match test:
        case ir.And(items) | ir.Or(items) if items:
            yield from first_cells(items[0], slot)
        case ir.Not(operand):
            yield from first_cells(operand, slot)
        case ir.Cell() if (found := cell_of(test, slot)) is not None and found.terms[0][1] == 1:
            yield found
        case ir.Compare(_, left, right):
            for side in (left, right):
                found = cell_of(side, slot)
                if found is not None and found.terms[0][1] == 1:
                    yield found


def reads_row(e: ir.Fold, slot: int) -> bool:
    """Whether a fold goes through the row of a constant relation that belongs to a temp."""
    if len(e.binders) != 1 or e.kind not in ("any", "every", "count", "sum"):
        return False
    match e.binders[0][1]:
        case ir.Domain("set", ir.TableGet(_, ir.Linear(_, ((ir.Temp(at), 1),)))):
            return at == slot
    return False


def only_cell(parts: Any, slot: int) -> int | None:
    """The number that is added to a temp, if it only ever stands in addresses of one-word cells with that number."""
    reads = sum(1 for n in walk(parts) if n == ir.Temp(slot))
    cells = [a for n in walk(parts) if isinstance(n, ir.Cell) and (a := cell_of(n, slot)) and a.terms[0][1] == 1]
    found = {a.const for a in cells}
    return found.pop() if len(cells) == reads and len(found) == 1 else None


def writes_flat(parts: Any) -> bool:
    """Whether expressions are short and without loops."""
    nodes = list(walk(parts))
    return len(nodes) <= SIMPLE and not any(isinstance(n, ir.Fold | ir.Reach) for n in nodes)


def is_choice(e: Any) -> TypeGuard[ir.Fold]:
    """Whether an expression is a set of those members of another set that pass a test."""
    if not isinstance(e, ir.Fold) or e.kind != "set" or len(e.binders) != 1:
        return False
    slot, domain = e.binders[0]
    return domain.kind == "set" and e.body in (None, ir.Temp(slot))


def constant_members(domain: ir.Domain) -> tuple[int, ...] | None:
    match domain:
        case ir.Domain("set", ir.Const(int() as mask)):
            return members(mask)
        case ir.Domain("range", ir.Const(int() as a), ir.Const(int() as b)):
            return tuple(range(a, min(b, a + 64) + 1))
    return None


def neighbours(domain: ir.Domain) -> tuple[int, int] | None:
    """First and last member of a constant domain without gaps."""
    match domain:
        case ir.Domain("set", ir.Const(int() as mask)):
            found = members(mask)
            if len(found) > 1 and found[-1] - found[0] + 1 == len(found):
                return found[0], found[-1]
        case ir.Domain("range", ir.Const(int() as a), ir.Const(int() as b)) if a < b:
            return a, b
    return None


def cell_of(e: ir.Expr | None, slot: int) -> ir.Linear | None:
    """The address of a one-word cell that lies at a fixed place for each value of a temp."""
    match e:
        case ir.Cell(ir.Linear(_, ((ir.Temp(at), stride),)) as address, t) if at == slot and stride > 0:
            if type(t) in SCALARS or (isinstance(t, SetType) and width(t) == 0):
                return address
    return None
