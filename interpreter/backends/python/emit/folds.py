"""Folds as Python: a loop where lines may be put before the text that is written, elsewhere a function of its own."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.types import SetType, width
from interpreter.backends.analysis.dataflow import free, walk
from interpreter.backends.python.emit.expressions import Scope
from interpreter.backends.python.emit.function import ANY, atom
from interpreter.backends.python.emit.inline_folds import constant_members, is_choice
from interpreter.backends.python.emit.loops import Loops


class Folds(Loops):
    # ------------------------------------------------------------ as text

    def text(self, s: Scope, e: ir.Fold) -> str:
        e = self.straight(s, e)
        found = self.sliced(s, e) or self.unrolled(s, e)
        if found:
            return f"(1 if {found} else 0)" if e.kind in ("any", "every") else found
        return self.value(s, e) if s.sure else self.apart(s, e)

    def test(self, s: Scope, e: ir.Fold) -> str:
        """A fold of which only the truth counts."""
        e = self.straight(s, e)
        return self.sliced(s, e) or self.unrolled(s, e) or self.text(s, e)

    def apart(self, s: Scope, e: ir.Expr) -> str:
        """An expression as a function of its own, called where it stands."""
        if self.unit.facts.running or any(isinstance(n, ir.FrameVar | ir.FrameItem) for n in walk(e)):
            s.settle()
        slots = sorted(free(e))
        names = [f"p{slot}" for slot in slots]
        inner = Scope(self.unit)
        given = s.frame_given(e)
        inner.given = {slot: f"v{slot}" for slot in given}
        inner.names.frame = dict(inner.given)
        for slot, name in zip(slots, names, strict=True):
            if slot in s.names.known:
                inner.names.known[slot] = s.names.known[slot]
            inner.names.temps[slot] = name
            inner.names.ranges[slot] = s.names.ranges.get(slot, ANY)
        inner.inlined = s.inlined
        self.give(inner, e)
        name = self.unit.add("q", ["S", *names, *inner.given.values()], inner.line.text)
        return f"{name}({', '.join(['S', *(s.temp(slot) for slot in slots), *given.values()])})"

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
            case ir.Fold(kind="any" | "every") if not self.short(s, e := self.straight(s, e)):
                wanted = e.kind == "any"
                e = self.tabled(s, e)

                def found(_: str) -> None:
                    if e.body is not None:
                        self.nest(s, e.body if wanted else ir.Not(e.body))
                    s.line(f"return {1 if wanted else 0}")

                if wanted or e.body is not None:
                    self.loop(s, e, found)
                s.line(f"return {0 if wanted else 1}")
                return
        s.line(f"return {s(e)}")

    # ------------------------------------------------------------ values

    def value(self, s: Scope, e: ir.Fold) -> str:
        """Lines that work out a fold; gives the variable that holds it."""
        if e.kind in ("any", "every", "first") and len(e.binders) > 1 and not e.keys:
            return self.apart(s, e)
        if self.stops_early(e):
            none = f"raise nothing_first({self.unit.object(e.span)})" if e.required else "{} = 0"
            return self.found(s, e, none)[0]
        e = self.tabled(s, e)
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
        self._best(s, e, x, lambda v: v, None)
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
        few = self.few(s, e)
        begun = False
        if not few or e.where is not None:
            s.line(f"{x} = {best} = None")

        def found(v: str) -> None:
            nonlocal begun
            highest = len(e.keys) == 1 and e.keys[0][0]
            if len(e.keys) == 1:
                here = s.hold(s(e.keys[0][1]))
            else:
                parts = [f"-{s(k)}" if high else s(k) for high, k in e.keys]
                here = s.hold(f"({''.join(f'{part}, ' for part in parts)})")
            if few and e.where is None and not begun:
                s.line(f"{best} = {here}")
                s.line(f"{x} = {first(v)}")
                begun = True
                return
            unset = "" if few and e.where is None else f"{best} is None or "
            s.line(f"if {unset}{here} {'>' if highest else '<'} {best}:")
            s.line(f" {best} = {here}")
            s.line(f" {x} = {first(v)}")
            if again is not None:
                s.line(f"elif {here} == {best}: {again(v)}")

        if not few:
            self.loop(s, e, found)
        for member in few:
            self.once(s, e, member, found)

    def few(self, s: Scope, e: ir.Fold) -> tuple[int, ...]:
        """The members of a fold that is written out member by member, without a loop; none: there is a loop."""
        if len(e.binders) != 1 or not e.keys or not s.sure:
            return ()
        found = constant_members(e.binders[0][1]) or ()
        return found if len(found) <= s.written_out else ()

    def once(self, s: Scope, e: ir.Fold, member: int, found: Callable[[str], None]) -> None:
        """The lines for one member."""
        slot = e.binders[0][0]
        with s.inside():
            s.names.temps[slot], s.names.ranges[slot] = str(member), (member, member)
            s.names.known[slot] = member
            if e.where is not None:
                self.nest(s, e.where)
            found(str(member))

    def by_pairs(self, s: Scope, e: ir.Fold, x: str) -> None:
        """Folds that need all members and their ranks, or keys, at once."""
        few = self.few(s, e)
        if e.kind == "ranked" and len(few) == 2 and e.where is None and e.body in (None, ir.Temp(e.binders[0][0])):
            keys: list[list[str]] = []
            for member in few:
                self.once(s, e, member, lambda _: keys.append([s.hold(s(k)) for _, k in e.keys]))
            (a, b), tests = few, []
            for n, (high, _) in enumerate(e.keys):
                same = "".join(f"{keys[0][k]} == {keys[1][k]} and " for k in range(n))
                last = "=" if n + 1 == len(e.keys) else ""
                tests.append(f"{same}{keys[0][n]} {'>' if high else '<'}{last} {keys[1][n]}")
            s.line(f"{x} = ({a}, {b}) if {' or '.join(tests)} else ({b}, {a})")
            return
        s.line(f"{x} = []")

        def found(v: str) -> None:
            if e.kind == "table":
                keys = "".join(f"{s.temp(slot)}, " for slot, _ in e.binders)
                s.line(f"{x}.append((({keys}), {self.body(s, e, v)}))")
                return
            s.line(f"{x}.append(({self.rank(s, e)}, {v}))")

        self.loop(s, e, found)
        form = f", {self.unit.literal(e.table_keys)}, {s.constant(e.empty)}" if e.kind == "table" else ""
        s.line(f"{x} = {'keyed' if e.kind == 'table' else e.kind}({x}{form})")

    def rank(self, s: Scope, e: ir.Fold) -> str:
        parts = [f"-{s(k)}" if high else s(k) for high, k in e.keys]
        return f"({''.join(f'{part}, ' for part in parts)})"

    # ------------------------------------------------------------ sets that are only asked about

    def has_members(self, s: Scope, e: ir.Expr) -> str | None:
        """Whether a set has a member, without making it."""
        match e:
            case ir.Cell(address, SetType() as t) if width(t) > 1:
                const, text = s.linear(address)
                if not text or text.isidentifier():
                    return f"any(S[{s.sum(const, text)}:{s.sum(const + width(t), text)}])"
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

    def flood(self, s: Scope, e: ir.Reach, steps: str = "") -> str:
        """Lines that go from node to node; with `steps` at most so many times."""
        start = s.hold(s(e.start))
        seen, queue = s.fresh(), s.fresh()
        s.line(f"{seen} = {start}")
        match e.start:
            case ir.MakeSet((item,)) if s.span(item)[0] > 0:
                s.line(f"{queue} = [{s(item)}]")
            case _:
                s.line(f"{queue} = list(members({start}))")
        names, depth = s.names.copy(), s.line.depth
        found = queue
        if steps:
            found = s.fresh()
            s.line(f"for _ in range({steps}):")
            s.line.depth += 1
            s.line(f"{found} = []")
        with s.inside():
            s.line(f"for {s.bind(e.x, (0, ANY[1]))} in {queue}:")
            s.line.depth += 1
            self.over(s, e.y, ir.Domain("set", e.next))
            y = s.temp(e.y)
            if e.where is not None:
                self.nest(s, e.where)
            s.line(f"if not {seen} >> {y} & 1:")
            s.line(f" {seen} |= 1 << {y}")
            s.line(f" {found}.append({y})")
        if steps:
            s.line(f"{queue} = {found}")
        s.names, s.line.depth = names, depth
        return seen

    def reach(self, s: Scope, e: ir.Reach) -> str:
        if not e.costs and s.sure:
            return self.flood(s, e)
        if s.sure and len(e.costs) == 1 and e.costs[0][0] == ir.Const(1):
            return self.flood(s, e, s(e.costs[0][1]))
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
