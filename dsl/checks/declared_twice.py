"""A name that is declared twice in the place of another, which is then used and declared nowhere.

`report_lost_names` takes the diagnostics of all passes and the trees. Where the other name can be told, by the title of
a card or because no other name is unknown, the message about the two declarations says it and has the uses as labels,
and the messages about the uses are left out. It changes nothing when nothing is declared twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dsl.base.span import NOWHERE, Span
from dsl.checks.consequences import COPY
from dsl.checks.misspelt import SHOWN, unknown_names
from dsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk

TWICE = "RW0202"
MEMBER = re.compile(r"is a member of `\w+` twice")
NO_LETTERS = re.compile(r"[^a-z0-9]+")


def report_lost_names(found: list[Diagnostic], files: Sequence[sx.File]) -> list[Diagnostic]:
    """The messages, with what is missing told where something is declared twice."""
    doubled = [d for d in found if d.code == TWICE]
    unknown = unknown_names(found) if doubled else {}
    if not unknown:
        return found
    uses: dict[str, list[Diagnostic]] = {}
    for name, told in unknown.items():
        base = COPY.sub("", name)
        uses.setdefault(base if base in unknown else name, []).extend(told)
    declared = [decl for file in files for line in file.lines for decl in declarations(line)]
    for d in doubled:
        name = next((decl.name for decl in declared if decl.name_span == d.span and decl.word != "ruling"), "")
        both = [decl for decl in declared if decl.name == name] if name else []
        titled = next(((slug, decl) for decl in both if (slug := slug_of(decl)) in uses), None)
        if titled is not None:
            lost, place = titled[0], titled[1].name_span
        elif len(doubled) == len(uses) == 1 and (both or MEMBER.search(d.message)):
            (lost,), place = uses, d.span
        else:
            continue
        at_uses = uses.pop(lost)
        found = [with_lost_name(d, lost, place, both, at_uses) if other is d else other for other in found]
        found = [other for other in found if other not in at_uses]
    return found


def declarations(line: sx.Line) -> Iterator[sx.Decl]:
    return (node for node in walk(line) if isinstance(node, sx.Decl) and node.name_span != NOWHERE)


def slug_of(decl: sx.Decl) -> str:
    """The id that a title suggests: `long_winter` for "Long Winter"."""
    return NO_LETTERS.sub("_", (decl.text or "").lower()).strip("_")


def with_lost_name(
    d: Diagnostic, lost: str, place: Span, both: Sequence[sx.Decl], uses: Sequence[Diagnostic]
) -> Diagnostic:
    """The message about what is declared twice, with the name that is missing, and a fix that puts it in `place`."""
    times = "once" if len(uses) == 1 else f"{len(uses)} times"
    other = next((decl.name_span for decl in both if decl.name_span != d.span), None)
    labels = (*d.labels, *((Label(other, "declared here"),) if other and not d.labels else ()))
    labels += tuple(Label(use.span, f"unknown `{lost}`") for use in uses[:SHOWN])
    where = "here" if place == d.span else "at the other declaration"
    help = f"`{lost}` is used {times} and is declared nowhere; did you mean `{lost}` {where}?"
    return replace(d, help=help, labels=labels, fix=Fix(place, lost))
