"""Loops over the members of domains, and tests under which lines are written.

Sets that are only gone through are never made: their conditions are tested in the loop. Words and rows of relations
that the tests read come along with the member; members that a constant table chooses are found once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl import ir
from dsl.base.types import SetType, bounds
from interpreter.backends.analysis.constants import Rows
from interpreter.backends.analysis.dataflow import free, walk
from interpreter.backends.python.emit.constant_rows import Tables
from interpreter.backends.python.emit.expressions import Scope
from interpreter.backends.python.emit.function import ANY, Range, simple_arguments
from interpreter.backends.python.emit.inline_folds import cell_of, is_choice, neighbours
from interpreter.core.words import members

Body = Callable[[str], None]


class Loops(Tables):
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
            before = s.names
            s.names = names
            if self.inverse(s, fold.binders[0][1], fold.where) is None:
                fold = self.tabled(s, fold)
            first, first_domain = fold.binders[0]
            wheres: tuple[ir.Expr, ...] = () if fold.where is None else (fold.where,)
            s.ready(wheres)
            found = self.inverse(s, first_domain, fold.where)
            if found is not None:
                source, span, wheres = found
                count = s.count
                s.head(f"for {s.bind(first, span)} in {source}", count)
            else:
                self.over(s, first, first_domain, wheres)
            for test in wheres:
                self.nest(s, test)
            member, span = s.names.temps[first], s.names.ranges.get(first, ANY)
            s.names = before.copy()
            s.names.temps[slot], s.names.ranges[slot] = member, span
            s.names.known.pop(slot, None)
            return
        count = s.count
        if isinstance(domain.a, Rows):
            s.head(self.rows_head(s, slot, domain.a), count)
            return
        head = self.rows(s, slot, domain, inner) or self.columns(s, slot, domain, inner)
        if head is None:
            source, span = self.source(s, domain)
            count = s.count
            head = f"for {s.bind(slot, span)} in {source}"
        s.head(head, count)

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
        found, cells = neighbours(domain), self.has_words(s, slot, domain, inner)
        if found is None or not cells:
            return None
        low, high = found
        slices = [self.slice(s, c, low, high) for c in cells]
        v = s.bind(slot, (low, high))
        words = [s.fresh("w") for _ in cells]
        for c, word in zip(cells, words, strict=True):
            s.cells[v, c.const, c.stride, c.others] = word
        if len(cells) == 1:
            return f"for {v}, {words[0]} in enumerate({slices[0]}, {low})"
        return f"for {v}, {', '.join(words)} in zip(range({low}, {high + 1}), {', '.join(slices)})"

    def rows(self, s: Scope, slot: int, domain: ir.Domain, inner: Sequence[ir.Expr]) -> str | None:
        """The head of a loop that gives the members of the rows of a relation, where nothing else is asked of it."""
        fold = self.row_fold(slot, domain, inner)
        if fold is None:
            return None
        member, row = fold.binders[0]
        assert isinstance(row.a, ir.TableGet) and isinstance(row.a.offset, ir.Linear)
        table, const = row.a.table, row.a.offset.const
        size = self.unit.row_size(table)
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
                s.cells[name, shift, 1, ()] = f"S[{name}]"
        return f"for {', '.join(names)}{',' if size == 1 else ''} in {source}"

    def choice(self, s: Scope, e: ir.Expr) -> tuple[ir.Fold, Any] | None:
        """A set as a fold over another set with a condition, and the names that it is read under."""
        if is_choice(e):
            return e, s.names.copy()
        match e:
            case ir.Arith("&~", left, ir.MakeSet((ir.Temp() | ir.Const() | ir.FrameVar() as item,))) if self.choice(
                s, left
            ):
                slot = next(self.unit.constants.fresh)
                other = ir.Compare("!=", ir.Temp(slot), item)
                return ir.Fold("set", ((slot, ir.Domain("set", left)),), other, (), None), s.names.copy()
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
            t = getattr(d.a, "type", None)
            span = bounds(t.elem) if isinstance(t, SetType) else (0, ANY[1])
            return f"members({s(d.a)})", span
        if d.kind == "list":
            return s(d.a), s.names.ranges.get(d.a.slot, ANY) if isinstance(d.a, ir.Temp) else ANY
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
            case ir.Fold(kind="any") | ir.Not(ir.Fold(kind="every")) if s.open_loops and self.finds(s, test):
                return
            case ir.Let(slot, ir.Fold(kind="first") as value, ir.And((some, *items))) if (
                s.open_loops and self.stops_early(value) and is_some(some, slot)
            ):
                s.names.temps[slot], s.names.ranges[slot] = self.found(s, value, "continue")
                s.names.known.pop(slot, None)
                self.nest(s, ir.And(tuple(items)))
                return
            case ir.Let(slot, value, inner):
                span = s.span(value)
                s.names.temps[slot], s.names.ranges[slot] = s.hold(s(value)), span
                s.names.known.pop(slot, None)
                self.nest(s, inner)
                return
            case (ir.Fold(kind="every") as e) | ir.Not(ir.Fold(kind="any") as e) if len(
                e.binders
            ) == 1 and not self.short(s, e := self.straight(s, e)):
                e = self.tabled(s, e)
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

    def finds(self, s: Scope, test: ir.Expr) -> bool:
        """Inside a loop: what follows is done once if some member passes, else the loop goes on."""
        wrong = isinstance(test, ir.Not)
        e = test.operand if isinstance(test, ir.Not) else test
        assert isinstance(e, ir.Fold)
        if len(e.binders) > 1 or self.short(s, e := self.straight(s, e)):
            return False
        e = self.tabled(s, e)

        def found(_: str) -> None:
            if e.body is not None:
                self.nest(s, ir.Not(e.body) if wrong else e.body)
            s.line("break")

        with s.inside():
            self.loop(s, e, found)
        s.line("else:")
        s.line(" continue")
        return True

    def found(self, s: Scope, e: ir.Fold, otherwise: str) -> tuple[str, Range]:
        """Lines that look for the first member that passes a test; where there is none, `otherwise` is done."""
        names: list[tuple[str, Range]] = []
        e = self.tabled(s, e)

        def stop(v: str) -> None:
            names.append((v, s.names.ranges.get(e.binders[-1][0], ANY)))
            s.line("break")

        self.loop(s, e, stop)
        s.line("else:")
        s.line(f" {otherwise.format(names[0][0])}")
        return names[0]

    def stops_early(self, e: ir.Fold) -> bool:
        """Whether a fold asks for the first member and goes through the members one by one."""
        return e.kind == "first" and not e.keys and (e.where is not None or e.binders[0][1].kind != "set")

    def condition(self, s: Scope, e: ir.CallFn) -> Any:
        """The names under which the body of a called condition is written out, if it is."""
        body = self.unit.program.functions[e.fn].body
        if s.writes_out(e) and s.sure and (isinstance(body, ir.And) or any(isinstance(n, ir.Fold) for n in walk(body))):
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


def is_some(test: ir.Expr, slot: int) -> bool:
    """Whether a test says that a temp holds a member."""
    match test:
        case ir.Compare("!=", ir.Temp(at), ir.Const(0)) | ir.Not(ir.Compare("==", ir.Temp(at), ir.Const(0))):
            return at == slot
    return False


def only_cell(parts: Any, slot: int) -> int | None:
    """The number that is added to a temp, if it only ever stands in addresses of one-word cells with that number."""
    reads = sum(1 for n in walk(parts) if n == ir.Temp(slot))
    cells = [a for n in walk(parts) if isinstance(n, ir.Cell) and (a := cell_of(n, slot)) and a.stride == 1]
    found = {a.const for a in cells if not a.others}
    plain = all(not a.others for a in cells)
    return found.pop() if plain and len(cells) == reads and len(found) == 1 else None
