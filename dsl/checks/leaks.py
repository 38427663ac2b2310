"""Notes where public actions reveal hidden state (docs/manual/14-checks-and-together.md and 16-knowledge.md).

Takes the model and the compiled conditions. Where an `if`, `where` or `while` reads state that not everybody sees, and
somebody is asked or something public changes because of it, the others may draw conclusions; the same holds for checks.
State that was shown to all before in the same body is not reported, nor are conditions in `openly(...)`. Names made by
`let` are not followed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dsl import ir
from dsl.base.span import Span
from dsl.checks.visibility import VisibilityCheck
from dsl.diagnostics.diagnostic import Label, Severity
from dsl.symbols.symbols import Model
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import words_with
from dsl.syntax.walk import walk

PUBLIC_WORDS = (*words_with("asks"), *words_with("public"))


class LeakCheck:
    """`tests` are the compiled conditions by their place, `checks` the loops of checks with everything they read."""

    def __init__(
        self,
        m: Model,
        audience: VisibilityCheck,
        tests: Mapping[Span, ir.Expr],
        checks: Sequence[tuple[sx.Loop, tuple[ir.Expr, ...]]],
    ) -> None:
        self.m = m
        self.audience = audience
        self.tests = tests
        self.checks = checks

    def check(self) -> None:
        """Report every condition that reveals hidden state."""
        if not self.audience.hidden:
            return
        for loop, parts in self.checks:
            self.check_reads(loop, parts)
            self.check_body(loop.block)
        for t in self.m.triggers:
            self.check_conditions(t.decl.clauses, t.decl.block, set())
            self.check_body(t.decl.block)
        for r in list(self.m.routines.values()):
            if "#" not in r.name:
                self.check_body(r.block)

    def check_body(self, block: tuple[sx.Line, ...]) -> None:
        shown: set[str] = set()
        for node in walk(block):
            match node:
                case sx.Sentence(word="show", operands=(what,)) if self.is_shown_to_all(node):
                    shown.add(last_name(what))
                case sx.If():
                    self.check_condition(node.test, (*node.then, *node.orelse), shown)
                case sx.Loop():
                    self.check_conditions(node.clauses, node.block, shown)

    def check_conditions(self, clauses: tuple[sx.Clause, ...], block: tuple[sx.Line, ...], shown: set[str]) -> None:
        for c in clauses:
            if c.word in ("where", "while") and not isinstance(c.args[0], sx.Key):
                self.check_condition(c.args[0], block, shown)

    def check_condition(self, test: sx.Expr, block: tuple[sx.Line, ...], shown: set[str]) -> None:
        hidden = self.hidden(self.tests.get(test.span), shown)
        done = self.first_public_line(block, set()) if hidden else None
        if done is not None:
            self.note(
                "RW1212",
                test.span,
                f"this reveals something to the others: `{hidden}`, which {self.audience_of(hidden)}, "
                "decides what is done openly",
                "show it to all before",
                done,
            )

    def check_reads(self, loop: sx.Loop, parts: tuple[ir.Expr, ...]) -> None:
        hidden = self.hidden(parts, set())
        done = self.first_public_line(loop.block, set()) if hidden else None
        if done is not None:
            where = clause(loop, "where")
            test = where.args[0] if where is not None and not isinstance(where.args[0], sx.Key) else loop.binders[0]
            self.note(
                "RW1213",
                test.span,
                f"this check reads `{hidden}`, which {self.audience_of(hidden)}: everybody sees what it does",
                "let it look at what all can see",
                done,
            )

    def note(self, code: str, span: Span, message: str, advice: str, done: sx.Node) -> None:
        help = f"{advice}, or say that it is intended: `openly({self.m.text(span)})`"
        self.m.report(Severity.NOTE, code, span, message, help, (Label(done.span, "this is seen by others"),))

    # ------------------------------------------------------------ questions

    def hidden(self, parts: Any, shown: set[str]) -> str:
        """A hidden symbol that is read; empty for none. Who sees a symbol by a predicate is known only in play."""
        for symbol, _ in self.audience.reads(parts):
            if symbol.rpartition(".")[2] not in shown and not self.audience.hidden[symbol].startswith("fn:"):
                return symbol
        return ""

    def audience_of(self, symbol: str) -> str:
        return "only its owner sees" if self.audience.hidden[symbol] == "owner" else "nobody sees"

    @staticmethod
    def is_shown_to_all(s: sx.Sentence) -> bool:
        to = clause(s, "to")
        return to is None or isinstance(to.args[0], sx.Name) and to.args[0].id in ("all", "seats")

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
        """Whether everybody sees the target of `set`: it is neither a local name nor a hidden field."""
        name = last_name(target)
        alone = isinstance(target, sx.Name)
        found = [s for s in self.audience.entries if s == name or not alone and s.rpartition(".")[2] == name]
        return any(s not in self.audience.hidden for s in found)


def last_name(e: sx.Expr) -> str:
    """The last name of a path: `hand` of `p.hand`."""
    while isinstance(e, sx.Index):
        e = e.base
    return e.name if isinstance(e, sx.Attr) else e.id if isinstance(e, sx.Name) else ""
