"""For which overlays and options a position or ruling holds; what holds elsewhere only is left out, and is no mistake.

`holds with NAME, ..` and `holds without NAME, ..` say it, as do its number of seats and the position that it begins
with. A name is that of an overlay, or an option with its answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from dsl.base.record import dataclass
from dsl.base.types import BOOL
from dsl.elaborate.cases.rulings import HOLDS, base_of
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.types import fits
from dsl.symbols.symbols import Model, OptionSym
from dsl.symbols.types import constant
from dsl.syntax import nodes as sx


@dataclass(frozen=True, slots=True)
class Layers:
    """What is laid over a ruleset: the overlays that are applied, all that may be named, and of the ruleset without
    them its numbers of seats (None: it does not say) and the names of its options."""

    applied: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    seats: tuple[int, int] | None = None
    options: frozenset[str] = frozenset()


NO_LAYERS = Layers()


def leave_out_what_holds_elsewhere(elab: Elaboration, layers: Layers) -> dict[str, str]:
    """Take out of the model what does not hold here, with all that begins with such a position; gives the names of the
    rulings, each with its file, in the order of the ruleset. A line that cannot be read is reported, and leaves
    nothing out."""
    m = elab.model
    cases = [*m.positions.values(), *m.rulings.values()]
    left = {d.name for d in cases if not holds(elab, d, layers) and not has_errors(m, d)}
    while found := {d.name for d in cases if d.name not in left and base_of(d)[0] in left}:
        left |= found
    rulings = {name: d.span.file for name, d in m.rulings.items() if name in left}
    for name in left:
        m.positions.pop(name, None)
        m.rulings.pop(name, None)
    return rulings


def has_errors(m: Model, d: sx.Decl) -> bool:
    """Whether there are errors in the form of a case, which count wherever it holds."""
    return any(e.span.file == d.span.file and d.span.start <= e.span.start < d.span.end for e in m.diagnostics)


def overlays_named(cases: Iterable[sx.Decl], options: Collection[str]) -> frozenset[str]:
    """The names behind `holds` that are none of `options`: those of overlays."""
    parts = (part for d in cases for line in lines_of(d) for part in line.operands)
    return frozenset(part.id for part in parts if isinstance(part, sx.Name)) - frozenset(options)


def lines_of(d: sx.Decl) -> Iterator[sx.Sentence]:
    return (line for line in d.block if isinstance(line, sx.Sentence) and line.word in HOLDS)


def holds(elab: Elaboration, d: sx.Decl, layers: Layers) -> bool:
    """Whether a position or ruling holds under these overlays, by its own lines."""
    found, unread = not layers.seats or not is_for_others(d, elab.seats, layers.seats), False
    for line in lines_of(d):
        for part in line.operands:
            if names_what_is_gone(elab, part, layers):
                found = False
                continue
            is_so = condition(elab, d, part, layers)
            unread = unread or is_so is None
            found = found and is_so is HOLDS[line.word]
    return found or unread


def names_what_is_gone(elab: Elaboration, part: sx.Expr, layers: Layers) -> bool:
    """Whether an operand is about an option that an overlay has taken away: then nothing can be said of it."""
    name = part.left if isinstance(part, sx.Compare) else part
    return isinstance(name, sx.Name) and name.id in layers.options and name.id not in elab.model.options


def condition(elab: Elaboration, d: sx.Decl, part: sx.Expr, layers: Layers) -> bool | None:
    """Whether an overlay is applied, or an option has this answer; None after a message."""
    m = elab.model
    match part:
        case sx.Name(id) if id in layers.applied | layers.known:
            return id in layers.applied
        case sx.Name(id) if id in m.options:
            if fits(m, m.options[id].type, BOOL):
                return answer_of(elab, d, m.options[id]) == 1
            m.error("RW0915", part.span, f"the option `{id}` has more than two answers", f"write `{id} is ANSWER`")
        case sx.Compare("is", sx.Name(id), right) if id in m.options:
            m.options[id].used = True
            wanted = elab.constants.single_value(right, m.options[id].type)
            return None if wanted is None else answer_of(elab, d, m.options[id]) == wanted
        case sx.Name(id) | sx.Compare("is", sx.Name(id), _):
            known = sorted({*layers.applied, *layers.known, *m.options})
            span = part.left.span if isinstance(part, sx.Compare) else part.span
            m.unknown("RW0915", span, "overlay or option", id, known)
        case _:
            help = "it is the name of an overlay, an option that is `true`, or `OPTION is ANSWER`"
            m.error("RW0915", part.span, f"`{m.text(part.span)}` says nothing of an overlay or option", help)
    return None


def answer_of(elab: Elaboration, d: sx.Decl, o: OptionSym) -> int:
    """The answer of an option in a position or ruling: its own, that of the position it begins with, or the usual one.
    What is wrong with a row is told where it is read."""
    seen: set[str] = set()
    at: sx.Decl | None = d
    while at is not None and at.name not in seen:
        seen.add(at.name)
        for row in given_rows(at):
            with elab.model.quietly():
                value = answer_in(elab, row, o)
            if value is not None:
                return value
        at = elab.model.positions.get(base_of(at)[0])
    return o.default


def answer_in(elab: Elaboration, row: sx.Line, o: OptionSym) -> int | None:
    """The answer that a row gives to an option; None for a row about something else."""
    match row:
        case sx.Row(key=sx.Name(id)) if id == o.name:
            found: int | None = elab.constants.cells(row.cells, o.type, row.span)
            return found
        case sx.Decl(word="option", name=name) if name == o.name:
            given = row.items[0] if row.items else row.type
            return elab.constants.single_value(given, o.type) if given is not None else None
    return None


def given_rows(d: sx.Decl) -> list[sx.Line]:
    """The rows of a position or ruling, under `given` or without it."""
    given = [x for line in d.block if isinstance(line, sx.Section) and line.word == "given" for x in line.block]
    return [*d.block, *given]


def is_for_others(d: sx.Decl, seats: tuple[int, int], of_base: tuple[int, int]) -> bool:
    """Whether it is for a number of seats that the ruleset allows and an overlay does not."""
    for row in given_rows(d):
        if isinstance(row, sx.Row) and row.key == sx.Name("seats") and row.cells:
            n = constant(row.cells[0][0])
            if n is not None and of_base[0] <= n <= of_base[1] and not seats[0] <= n <= seats[1]:
                return True
    return False
