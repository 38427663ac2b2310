"""Notes where public actions reveal hidden state (docs/manual/14-checks-and-together.md and 16-knowledge.md).

Takes the model and what is known of all values. Where an `if`, `where` or `while` is decided by what not everybody
sees, and somebody is asked or something public changes because of it, the others may draw conclusions; the same holds
for checks, and for what is put where more see it, drawn openly, or asked of somebody. What was shown to all before in
the same body is not reported, nor is what stands in `openly(...)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dsl import ir
from dsl.base.span import Span
from dsl.diagnostics.diagnostic import Label as Mark
from dsl.diagnostics.diagnostic import Severity
from dsl.knowledge.callers import call_span
from dsl.knowledge.choices import described, is_kept, marks_of_calls
from dsl.knowledge.labels import OPEN, Label, Secret
from dsl.knowledge.ruleset import Knowledge
from dsl.knowledge.run import Disclosure
from dsl.symbols.symbols import Model
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import words_with
from dsl.syntax.walk import walk

PUBLIC_WORDS = (*words_with("asks"), *words_with("public"))
HOW = {
    "set": "is put where others see it",
    "done": "decides what is put where others see it",
    "gained": "decides how much changes hands openly",
    "drawn": "decides what may be drawn openly",
    "drawn for some": "decides what others may see drawn",
    "asked": "decides who is asked, or whether",
    "moved": "decides what is moved openly, or where to",
    "shown": "decides what is shown, or to whom",
    "told": "decides who is told what comes out",
}


class LeakCheck:
    """A check that nothing hidden is told: `tests` are the compiled conditions with their places, `checks` the loops of
    checks with everything they read."""

    def __init__(
        self,
        m: Model,
        know: Knowledge,
        tests: Iterable[tuple[Span, ir.Expr]],
        checks: Sequence[tuple[sx.Loop, tuple[ir.Expr, ...]]],
    ) -> None:
        self.m = m
        self.know = know
        self.checks = checks
        self.tests: dict[Span, Label] = {}
        for span, e in tests:
            if told := self.told(e):
                self.tests[span] = self.tests.get(span, OPEN) | told
        self.noted: list[tuple[Span, object]] = []  # conditions that were noted, with what they tell

    def check(self) -> None:
        """Report everything that reveals hidden state."""
        for loop, parts in self.checks:
            self.check_reads(loop, parts)
            self.check_body(loop.block)
        for t in self.m.triggers:
            self.check_conditions(t.decl, t.decl.clauses, t.decl.block)
            self.check_body(t.decl.block)
        for r in list(self.m.routines.values()):
            if "#" not in r.name:
                self.check_body(r.block)
        self.check_disclosures()

    def check_body(self, block: tuple[sx.Line, ...]) -> None:
        for node in walk(block):
            match node:
                case sx.If():
                    self.check_condition(node, node.test, (*node.then, *node.orelse))
                case sx.Loop():
                    self.check_conditions(node, node.clauses, node.block)

    def check_conditions(self, line: sx.Node, clauses: tuple[sx.Clause, ...], block: tuple[sx.Line, ...]) -> None:
        for c in clauses:
            if c.word in ("where", "while") and not isinstance(c.args[0], sx.Key):
                self.check_condition(line, c.args[0], block)

    def check_condition(self, line: sx.Node, test: sx.Expr, block: tuple[sx.Line, ...]) -> None:
        secret = hidden(self.tests.get(test.span, OPEN))
        done = self.first_public_line(block, set()) if secret else None
        if done is not None and secret is not None:
            self.noted.append((line.span, secret.source))
            self.note(
                "RW1212",
                test.span,
                f"this reveals something to the others: {described(self.know, secret)}, decides what is done openly",
                "show it to all before",
                done.span,
            )

    def check_reads(self, loop: sx.Loop, parts: tuple[ir.Expr, ...]) -> None:
        secret = hidden(frozenset().union(*(self.told(e) for e in parts)))
        done = self.first_public_line(loop.block, set()) if secret else None
        if done is not None and secret is not None:
            self.noted.append((loop.span, secret.source))
            where = clause(loop, "where")
            test = where.args[0] if where is not None and not isinstance(where.args[0], sx.Key) else loop.binders[0]
            self.note(
                "RW1213",
                test.span,
                f"this check reads {described(self.know, secret)}: everybody sees what it does",
                "let it look at what all can see",
                done.span,
            )

    def check_disclosures(self) -> None:
        """Report what is put, drawn or asked openly and tells something hidden."""
        done: set[Span] = set()  # what is noted wherever it is called from is noted once
        blocks = {r.proc: r.block for r in self.m.routines.values() if "#" not in r.name}
        for number, run in self.know.runs.items():
            here = {what for place, what in self.noted if any(covers(x.span, place) for x in blocks.get(number, ()))}
            for place, d in run.disclosures.items():
                if not d.span.file or d.span in done or any(covers(noted, d.span) for noted, _ in self.noted):
                    continue
                told = [s for s in self.know.resolved(d.label) if is_kept(self.know, s, d.target)]
                under = [s for s in self.know.resolved(d.under) if is_kept(self.know, s, d.target)]
                secret = hidden(told) or hidden(s for s in under if s.source not in here)
                if secret is not None:
                    here.add(secret.source)
                    done |= {d.span} if d.how == "done" else set()
                    message = f"this reveals something to the others: {described(self.know, secret)}, {HOW[d.how]}"
                    help = "show it to all before, or say that it is intended: `openly(...)` around what is hidden"
                    marks = self.calls(number, place, d, secret)
                    self.m.report(Severity.NOTE, "RW1212", d.span, message, help, marks)

    def calls(self, number: int, place: Any, d: Disclosure, secret: Secret) -> tuple[Mark, ...]:
        """The calls that bring something hidden to a line: as an argument, or by doing the line at all."""
        if d.how == "done" and isinstance(place, tuple) and isinstance(place[0], tuple):
            span = call_span(self.know, place[0][0])
            return (Mark(span, "this call does it"),) if span.file else ()
        return marks_of_calls(self.know, number, secret)

    def told(self, test: ir.Expr) -> Label:
        """The label of a condition where it was met, whole or taken apart."""
        seen = self.know.world.values.seen
        parts = (test, *(test.items if isinstance(test, ir.And) else ()))
        return self.know.resolved(frozenset().union(*(seen.get(id(e), OPEN) for e in parts)))

    def note(self, code: str, span: Span, message: str, advice: str, done: Span) -> None:
        help = f"{advice}, or say that it is intended: `openly({self.m.text(span)})`"
        self.m.report(Severity.NOTE, code, span, message, help, (Mark(done, "this is seen by others"),))

    # ------------------------------------------------------------ questions

    def first_public_line(self, block: tuple[sx.Line, ...], called: set[str]) -> sx.Node | None:
        """The first line of a block that others see being carried out."""
        for node in walk(block):
            match node:
                case sx.Choose():
                    return node
                case sx.Sentence(word=word) if word in PUBLIC_WORDS:
                    return node
                case sx.Sentence(word="set", operands=(target, *_)) if self.is_public(target):
                    return node
                case sx.Sentence(word="do", operands=(target,)):
                    name = target.func if isinstance(target, sx.Call) else target
                    r = self.m.routines.get(name.id) if isinstance(name, sx.Name) else None
                    if r is None:
                        return node
                    if r.name not in called:
                        called.add(r.name)
                        if self.first_public_line(r.block, called) is not None:
                            return node
        return None

    def is_public(self, target: sx.Expr) -> bool:
        """True if everybody sees the target of `set`: it is neither a local name nor a hidden field."""
        name = last_name(target)
        alone = isinstance(target, sx.Name)
        v = self.know.world.values
        found = [s for s in v.entries if s == name or not alone and s.rpartition(".")[2] == name]
        return any(s not in v.hidden for s in found)


def hidden(label: Iterable[Secret]) -> Secret | None:
    """A secret of a label that was not shown to all before."""
    left = [s for s in label if not s.shown]
    return min(left, key=repr) if left else None


def covers(line: Span, inner: Span) -> bool:
    """True if the place `inner` lies in `line`."""
    return line.file == inner.file and line.start <= inner.start and inner.end <= line.end


def last_name(e: sx.Expr) -> str:
    """The last name of a path: `hand` of `p.hand`."""
    while isinstance(e, sx.Index):
        e = e.base
    return e.name if isinstance(e, sx.Attr) else e.id if isinstance(e, sx.Name) else ""
