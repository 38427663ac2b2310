"""Traces: the tree of rules that one decision triggers, with clauses, changes and chance.

`trace` runs an option on a copy with a machine that records: routines called with their arguments, rule lines that took
effect, demands, changes of cells with old and new values, chance outcomes. Ordinary play records nothing and is not
slowed down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dsl import ir
from dsl.base.types import Type, key_count, width
from dsl.files.phrases import FALLBACK, phrase
from dsl.program import NOTE, SEATS, Program
from interpreter.core.places import joined
from interpreter.core.run import Run
from interpreter.machine.machine import Machine
from interpreter.play.apply import apply, find_offered
from interpreter.rules.layout import entry_at
from interpreter.rules.pieces import count_label, slot_words
from interpreter.rules.rules import Rules
from interpreter.session.decision import Option
from interpreter.session.state import State, copy

ACTOR = "$you"  # the parameter of an effect or icon that holds who does it
SPENT = "$spent"  # the parameter of a routine that an `instead of` line issues again: the lines that are spent
SIGNED = ("line", "chance", "demand", "asked", "over")  # kinds of nodes with a word of the tool before them


@dataclass(slots=True)
class TraceNode:
    """A node of a trace. kind: `answer`, `rule` (a routine that runs), `line` (a rule line that took effect), `change`,
    `chance`, `demand` (a condition that was tested), `asked` (the next question), `over`. `said`: the key and parts of
    its text where that is a phrase of the tool; `text` is then the English one. `parts`: of a change its cell, the
    value before, the value after and the cause; of chance its address and what was drawn."""

    kind: str
    text: str
    cites: tuple[str, ...] = ()
    children: list[TraceNode] = field(default_factory=list)
    said: tuple[str, dict[str, str]] | None = None
    parts: tuple[str, ...] = ()

    def walk(self) -> Iterator[TraceNode]:
        yield self
        for child in self.children:
            yield from child.walk()


def saying(kind: str, key: str, cites: tuple[str, ...] = (), **parts: str) -> TraceNode:
    """A node whose text is a phrase of the tool."""
    return TraceNode(kind, phrase(FALLBACK, "trace", key, **parts), cites, said=(key, parts))


class TracingMachine(Machine):
    """The reference machine with hooks that build the tree."""

    def __init__(self, game: Rules, root: TraceNode) -> None:
        super().__init__(game.program)
        self.game = game
        self.open = [root]  # the answer, then the running routines that began after it
        self.spans: dict[str, list[tuple[int, int]]] = {}  # the words that each invariant reads
        self.held: set[tuple[str | bytes, ...]] = set()  # invariants with these words, when they held
        self.ins[ir.Chance] = _drawing(self, self.ins[ir.Chance])

    def holds(self, invariant: ir.Invariant) -> bool:
        """The truth of an invariant, of which nothing is traced: it is tested by the machine that plays, which is
        quicker, and not again where all that it reads is as it was when it held."""
        spans = self.spans.get(invariant.name)
        if spans is None:
            spans = self.spans[invariant.name] = spans_read(self.program, invariant)
        now: tuple[str | bytes, ...] = (invariant.name, *(self.words[start:end].tobytes() for start, end in spans))
        if now in self.held:
            return True
        if not self.game.machine.eval_fn(self.words, invariant.fn, []):
            return False
        self.held.add(now)
        return True

    def add(self, kind: str, text: str, cites: tuple[str, ...] = ()) -> TraceNode:
        return self.append(TraceNode(kind, text, cites))

    def append(self, node: TraceNode) -> TraceNode:
        self.open[-1].children.append(node)
        return node

    def on_call(self, proc: int, args: Sequence[Any]) -> None:
        routine = self.program.procs[proc]
        if routine.word == "notes":
            self.open.append(self.open[-1])  # nothing that a rule says
            return
        self.open.append(self.add("rule", call_text(self.game, routine, args), routine.cites))

    def on_leave(self, proc: int) -> None:
        if len(self.open) > 1:
            self.open.pop()

    def on_store(self, symbol: str, address: int, type_: Type, old: Any, new: Any, cause: int) -> None:
        if symbol == NOTE:
            return
        names = self.game.names
        cell = entry_at(self.game, address)
        label, shown = symbol, [names.text(old, type_), names.text(new, type_)]
        if cell is not None and cell[0].symbol == symbol:
            entry, number = cell
            if entry.dims:
                label += f"[{names.key(names.keys(entry.dims)[number], entry.dims)}]"
            label += count_label(self.game, entry, address, type_)
            if entry.sort == "slot":
                shown = [str(slot_words(self.game, entry, code)) for code in (old, new)]
            elif entry.sort == "face":
                shown = [entry.faces[old], entry.faces[new]]
        because = f" as {names.member(self.program.causes, cause)}" if cause and self.program.causes else ""
        self.add("change", f"{label}: {shown[0]} -> {shown[1]}{because}").parts = (label, *shown, because)

    def on_require(self, guard: ir.Guard, held: bool, temps: list[Any]) -> None:
        text = guard.reason or guard.text
        if held:
            self.add("demand", text, guard.cites)
        else:
            self.append(saying("demand", "not_met", guard.cites, text=text))

    def on_note(self, address: str, cites: tuple[str, ...]) -> None:
        self.add("line", address, cites)


def spans_read(program: Program, invariant: ir.Invariant) -> list[tuple[int, int]]:
    """The ranges of words that an invariant reads: its cells, and how many seats are in play."""
    cells = [e for e in program.layout if e.symbol in invariant.reads]
    return joined([(SEATS, SEATS + 1), *((e.base, e.base + key_count(e.dims) * width(e.type)) for e in cells)])


def call_text(rules: Rules, proc: ir.Proc, args: Sequence[Any]) -> str:
    """A call as `phase turn(p1)`, `icon crowd(2) by p1`, or for the block of a rule line, which belongs to a card or
    rule, `rule mill after harvest(p1)`: without what the rules hand over besides the parameters that are written."""
    given = dict(zip((name for name, _ in proc.params), args, strict=False))
    unsaid = {ACTOR, SPENT} | ({n for n in given if n[:1] == "$"} if proc.word == "rule" else set())
    own = [(n, t) for n, t in proc.params if n in given and n not in unsaid]
    shown = [rules.names.text(given[n], t) for n, t in own]
    by = next((f" by {rules.names.text(given[n], t)}" for n, t in proc.params if n == ACTOR and given.get(n)), "")
    if proc.word == "rule":
        return f"rule {proc.of} {proc.name}({', '.join(shown)})" if proc.of else f"rule {proc.name}({', '.join(shown)})"
    return f"{proc.word} {proc.name}({', '.join(shown)}){by}"


def _drawing(machine: TracingMachine, handler: Callable[..., int]) -> Callable[..., int]:
    """The chance instruction, with its outcome in the tree."""

    def record(m: Run, i: ir.Chance, pc: int, t: list[Any]) -> int:
        count = len(m.draws)
        following = handler(m, i, pc, t)
        for draw in m.draws[count:]:
            where, what = draw.address or draw.op, ", ".join(draw.ids)
            machine.add("chance", f"{where}: {what}").parts = (where, what)
        return following

    return record


def trace(before: State, option: Option | tuple[int, ...]) -> TraceNode:
    """The tree of what this option does in this state, forced answers included. `before` is not changed."""
    decision = before.decision
    if decision is None:
        return saying("over", "game_over")
    chosen = find_offered(decision, option)
    words, cites = " ".join(chosen.ids), decision.site.cites
    root = saying("answer", "chooses", cites, actor=decision.actor, words=words, address=decision.address)
    trial = copy(before)
    trial.game = before.game.played_by(TracingMachine(before.game, root))
    apply(trial, chosen.code)
    following = trial.decision
    if following is None:
        chance = trial.chance
        root.children.append(saying("over", "chance_at", address=chance.address) if chance else saying("over", "end"))
    else:
        root.children.append(saying("asked", "asked_at", actor=following.actor, address=following.address))
    return root


def render_trace(node: TraceNode, lang: str = FALLBACK) -> str:
    """The tree as indented lines, clauses in brackets."""
    return "\n".join(_lines(node, lang, 0))


def _lines(node: TraceNode, lang: str, depth: int) -> Iterator[str]:
    clauses = f"  [{', '.join(node.cites)}]" if node.cites else ""
    sign = f"{phrase(lang, 'trace', node.kind)} " if node.kind in SIGNED else ""
    text = node.text if node.said is None else phrase(lang, "trace", node.said[0], **node.said[1])
    yield "    " * depth + sign + text + clauses
    for child in node.children:
        yield from _lines(child, lang, depth + 1)
