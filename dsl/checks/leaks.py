"""What is done openly tells what decided it (docs/manual/14-checks-and-together.md and 16-knowledge.md): notes where
conditions on hidden cells show.

Takes the model and the conditions as they were compiled. Where an `if`, `where` or `while` reads what not everybody
sees, and somebody is asked or something public changes for it, the others may conclude; so it is with checks. Silent
about what was shown to all before in the same body, and about conditions that say `openly(...)`. Names made by `let`
are not followed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dsl import ir
from dsl.base.span import Span
from dsl.checks.visibility import Audience
from dsl.diagnostics.diagnostic import Label, Severity
from dsl.symbols.symbols import Model
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import words_with
from dsl.syntax.walk import walk

OPEN = (*words_with("asks"), *words_with("public"))


class Telling:
    """`tests` are the compiled conditions by their place, `checks` the loops of checks with all that they read."""

    def __init__(
        self,
        m: Model,
        audience: Audience,
        tests: Mapping[Span, ir.Expr],
        checks: Sequence[tuple[sx.Loop, tuple[ir.Expr, ...]]],
    ) -> None:
        self.m = m
        self.audience = audience
        self.tests = tests
        self.checks = checks

    def check(self) -> None:
        """A note for every condition that tells."""
        if not self.audience.hidden:
            return
        for loop, parts in self.checks:
            self.check_reads(loop, parts)
            self.body(loop.block)
        for t in self.m.triggers:
            self.conditions(t.decl.clauses, t.decl.block, set())
            self.body(t.decl.block)
        for r in list(self.m.routines.values()):
            if "#" not in r.name:
                self.body(r.block)

    def body(self, block: tuple[sx.Line, ...]) -> None:
        shown: set[str] = set()
        for node in walk(block):
            match node:
                case sx.Sentence(word="show", operands=(what,)) if self.to_all(node):
                    shown.add(last_name(what))
                case sx.If():
                    self.tells(node.test, (*node.then, *node.orelse), shown)
                case sx.Loop():
                    self.conditions(node.clauses, node.block, shown)

    def conditions(self, clauses: tuple[sx.Clause, ...], block: tuple[sx.Line, ...], shown: set[str]) -> None:
        for c in clauses:
            if c.word in ("where", "while") and not isinstance(c.args[0], sx.Key):
                self.tells(c.args[0], block, shown)

    def tells(self, test: sx.Expr, block: tuple[sx.Line, ...], shown: set[str]) -> None:
        hidden = self.hidden(self.tests.get(test.span), shown)
        done = self.done_openly(block, set()) if hidden else None
        if done is not None:
            self.note(
                "RW1212",
                test.span,
                f"this tells the others: `{hidden}`, which {self.who(hidden)}, decides what is done openly",
                "show it to all before",
                done,
            )

    def check_reads(self, loop: sx.Loop, parts: tuple[ir.Expr, ...]) -> None:
        hidden = self.hidden(parts, set())
        done = self.done_openly(loop.block, set()) if hidden else None
        if done is not None:
            where = clause(loop, "where")
            test = where.args[0] if where is not None and not isinstance(where.args[0], sx.Key) else loop.binders[0]
            self.note(
                "RW1213",
                test.span,
                f"this check reads `{hidden}`, which {self.who(hidden)}: what it does is public by being done",
                "let it look at what all can see",
                done,
            )

    def note(self, code: str, span: Span, message: str, way: str, done: sx.Node) -> None:
        said = f"{way}, or say that it is meant: `openly({self.m.text(span)})`"
        self.m.report(Severity.NOTE, code, span, message, said, (Label(done.span, "this is seen by others"),))

    # ------------------------------------------------------------ questions

    def hidden(self, parts: Any, shown: set[str]) -> str:
        """A hidden symbol that is read; empty for none. Whom a predicate lets see is known in play only."""
        for symbol, _ in self.audience.reads(parts):
            if symbol.rpartition(".")[2] not in shown and not self.audience.hidden[symbol].startswith("fn:"):
                return symbol
        return ""

    def who(self, symbol: str) -> str:
        return "only its owner sees" if self.audience.hidden[symbol] == "owner" else "nobody sees"

    @staticmethod
    def to_all(s: sx.Sentence) -> bool:
        to = clause(s, "to")
        return to is None or isinstance(to.args[0], sx.Name) and to.args[0].id in ("all", "seats")

    def done_openly(self, block: tuple[sx.Line, ...], called: set[str]) -> sx.Node | None:
        """The first line of a block by which others see that it is carried out."""
        for node in walk(block):
            match node:
                case sx.Choose():
                    return node
                case sx.Sentence(word=word) if word in OPEN:
                    return node
                case sx.Sentence(word="set", operands=(target, *_)) if self.public(target):
                    return node
                case sx.Sentence(word="do", operands=(target,)):
                    name = target.func if isinstance(target, sx.Call) else target
                    r = self.m.routines.get(name.id) if isinstance(name, sx.Name) else None
                    if r is None:
                        return node
                    if r.name not in called:
                        called.add(r.name)
                        if self.done_openly(r.block, called) is not None:
                            return node
        return None

    def public(self, target: sx.Expr) -> bool:
        """Whether what is set is seen by all: no local, and no hidden field."""
        name = last_name(target)
        alone = isinstance(target, sx.Name)
        found = [s for s in self.audience.entries if s == name or not alone and s.rpartition(".")[2] == name]
        return any(s not in self.audience.hidden for s in found)


def last_name(e: sx.Expr) -> str:
    """What a path ends in: `hand` of `p.hand`."""
    while isinstance(e, sx.Index):
        e = e.base
    return e.name if isinstance(e, sx.Attr) else e.id if isinstance(e, sx.Name) else ""
