"""Demands of an action that follow a sentence which may trigger a question or chance (docs/manual/11-plans.md).

A check or a line that listens to the sentence may ask somebody else or draw; from there on the action cannot be
taken back. The elaborator reports the changes of each routine in the order of the text; every `require` and `pay` of
an action that follows such a change gets a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from dsl.base.span import Span
from dsl.diagnostics.diagnostic import Label, Severity
from dsl.symbols.symbols import Model, RoutineSym, RuleLine
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import words_with
from dsl.syntax.walk import walk

PLANS = words_with("plans")


class LateDemands:
    """The checks that may ask or draw, and the actions in which something may have done so already."""

    def __init__(self, m: Model) -> None:
        self.m = m
        self.checks: list[
            tuple[sx.Loop, Set[str], str]
        ] = []  # those after which nothing can be taken back: what they read, and why
        self.uncertain: dict[str, tuple[Span, str]] = {}  # by action: the sentence, and what it may set off

    def add_check(self, loop: sx.Loop, cells: Set[str]) -> None:
        """Take up a check that reads these cells."""
        if why := self.commit_reason(loop.block, "", set()):
            self.checks.append((loop, cells, why))

    def note_change(self, r: RoutineSym, symbols: Set[str], span: Span) -> None:
        """Note that a sentence of `r` writes these cells."""
        if r.word in PLANS and r.name not in self.uncertain:
            for loop, cells, why in self.checks:
                if cells & symbols:
                    line = self.m.sources[loop.span.file].place(loop.span.start)[0]
                    check = f"the check in line {line} of {loop.span.file}"
                    self.uncertain[r.name] = span, f"{check} may act, and then {why}"
                    return

    def note_listeners(self, r: RoutineSym, lines: Iterable[RuleLine], span: Span) -> None:
        """Note that these lines listen to a sentence of `r`."""
        if r.word in PLANS and r.name not in self.uncertain:
            for t in lines:
                head = t.decl.head
                first = head.args[0].value if isinstance(head, sx.Call) and head.args else None
                actor = first.id if isinstance(first, sx.Name) else ""
                if why := self.commit_reason(t.decl.block, actor, set(), own=not t.this):
                    line = f"{t.decl.word} {self.m.text(head.span)}" if head is not None else t.decl.word
                    self.uncertain[r.name] = span, f"the line `{line}` may react to this, and then {why}"
                    return

    def note_order(self, r: RoutineSym, span: Span) -> None:
        """Note that a seat may be asked for the order of the cards that listen to a sentence of `r`."""
        if r.word in PLANS and r.name not in self.uncertain:
            self.uncertain[r.name] = (
                span,
                "several cards may react to this, and then somebody may be asked for their order",
            )

    def report_demand(self, r: RoutineSym, s: sx.Sentence) -> None:
        """Report a demand of `r` that may come too late."""
        if r.word not in PLANS or r.name not in self.uncertain:
            return
        span, why = self.uncertain[r.name]
        self.m.report(
            Severity.NOTE,
            "RW1214",
            s.span,
            f"this `{s.word}` may come too late to prevent the action: if it fails, the action ends here, and what "
            "was done remains",
            "move it up, before the sentence that may set off a question",
            (Label(span, why),),
        )

    def commit_reason(self, block: tuple[sx.Line, ...], actor: str, seen: set[str], own: bool = False) -> str:
        """Why an action cannot be taken back after this block; empty if it can. `actor` is the name of the one who
        acts, who is also `you` if the block is the actor's `own`."""
        for node in walk(block):
            match node:
                case sx.Choose(word="random") | sx.Sentence(word="shuffle"):
                    return "chance is drawn"
                case sx.Sentence(word="show"):
                    return "something is shown"
                case sx.Choose() | sx.Sentence(word="offer" | "perform"):
                    by = clause(node, "by")
                    who = by.args[0] if by else sx.Name("you")
                    if not (isinstance(who, sx.Name) and (who.id == actor or own and who.id == "you")):
                        return "somebody else may be asked"
                case sx.Sentence(word="do", operands=(sx.Call(func=sx.Name(name), args=args),)):
                    r = self.m.routines.get(name)
                    if r is not None and name not in seen:
                        seen.add(name)
                        same = [p for (p, _), a in zip(r.params, args, strict=False) if a.value == sx.Name(actor)]
                        if why := self.commit_reason(r.block, same[0] if same else "", seen, own):
                            return why
        return ""
