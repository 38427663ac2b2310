"""Misspelt declarations, found by their uses: the uses have an unknown name, and the declared name is never used.

`report_misspelt` takes the diagnostics of all passes and the trees, and adds a message at each declaration whose name
is near an unknown one and occurs nowhere else. Where the unknown name occurs several times, the message replaces those
about its uses. It changes nothing when all names are known. `misspelt_texts` does the same for texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Source, Span
from dsl.base.spelling import distance
from dsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk

UNKNOWN = re.compile(r"unknown .*`([A-Za-z_]\w*)`")
WORD = re.compile(r"[A-Za-z_]\w*")
COMMENT_OR_TEXT = re.compile(r'#[^\n]*|"(?:[^"\\\n]|\\.)*"')
SHOWN = 3  # uses that are labelled
MOST_UNKNOWN = 200  # names; where there are more, they are not compared with all others one by one


@dataclass(frozen=True, slots=True)
class DeclaredName:
    """A name where it is declared; `scope` is where it can be used, NOWHERE for everywhere."""

    name: str
    span: Span
    scope: Span


def report_misspelt(
    found: list[Diagnostic], files: Sequence[sx.File], sources: Mapping[str, Source]
) -> list[Diagnostic]:
    unknown: dict[str, list[Diagnostic]] = {}
    for diagnostic in found:
        match = UNKNOWN.match(diagnostic.message)
        if match:
            unknown.setdefault(match[1], []).append(diagnostic)
    if not unknown or len(unknown) > MOST_UNKNOWN:
        return found
    texts = {file.path: _blanked(sources[file.path].text) for file in files if file.path in sources}
    everywhere = Counter(word for text in texts.values() for word in WORD.findall(text))
    replaced: list[Diagnostic] = []
    added: list[Diagnostic] = []
    for given in (given for file in files for given in _declared_names(file)):
        if everywhere[given.name] > 1 and given.scope == NOWHERE or given.name in unknown:
            continue
        for name, errors in unknown.items():
            uses = [d for d in errors if _is_within(d.span, given.scope)]
            if not uses or not _is_near(given.name, name):
                continue
            counts = everywhere if given.scope == NOWHERE else Counter(WORD.findall(_cut(texts, given.scope)))
            if counts[given.name] != 1:
                continue
            certain = counts[name] > 1
            added.append(_message(given, name, counts[name], uses, certain))
            if certain:
                replaced += uses
    gone = set(map(id, replaced))
    return [d for d in found if id(d) not in gone] + added


def misspelt_texts(missing: Sequence[str], needed: Sequence[str], spans: Mapping[str, Span]) -> list[Diagnostic]:
    """A warning for each text whose unknown address is near one that lacks its text; `spans` are those of a whole
    file."""
    found = []
    for address in missing:
        for written in spans.keys() - set(needed):
            if 0 < distance(written, address, 2) <= 2:
                message = f"the text `{written}` belongs to nothing, and `{address}` has none"
                help = f"did you mean `{address}`?"
                found.append(Diagnostic("RW1113", Severity.WARNING, spans[written], message, help))
    return found


def _message(given: DeclaredName, name: str, times: int, uses: list[Diagnostic], certain: bool) -> Diagnostic:
    frequency = f"{times} times" if certain else "once"
    message = f"`{given.name}` is declared here and used nowhere; `{name}` is used {frequency} and is declared nowhere"
    labels = tuple(Label(use.span, f"unknown `{name}`") for use in uses[:SHOWN])
    severity = Severity.ERROR if certain else Severity.NOTE
    help = f"did you mean `{name}` here?" if certain else "one of the two is misspelt"
    return Diagnostic("RW0219", severity, given.span, message, help, labels, Fix(given.span, name) if certain else None)


def _is_near(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    if len(short) == 1:
        return len(long) == 2 and short in long
    limit = 1 if len(short) <= 4 else 2
    return 0 < distance(a, b, limit) <= limit


def _blanked(text: str) -> str:
    """The text with comments and quoted texts replaced by blanks, at the same offsets."""
    return COMMENT_OR_TEXT.sub(lambda match: " " * len(match[0]), text)


def _cut(texts: Mapping[str, str], span: Span) -> str:
    return texts.get(span.file, "")[span.start : span.end]


def _is_within(span: Span, scope: Span) -> bool:
    return scope == NOWHERE or (span.file == scope.file and scope.start <= span.start < scope.end)


def _declared_names(file: sx.File) -> Iterator[DeclaredName]:
    """Every name that a file declares; a local name has its declaration as its scope."""
    for line in file.lines:
        for node in walk(line):
            match node:
                case sx.Decl(name=name, name_span=span) if name and span != NOWHERE:
                    yield DeclaredName(name, span, NOWHERE)
                    yield from (DeclaredName(i.id, i.span, NOWHERE) for i in node.items if isinstance(i, sx.Name))
                case sx.Binder(name=name):
                    yield DeclaredName(name, _start(node, name), line.span)
                case sx.Arg(value=sx.Name(name), type=declared) if declared is not None:
                    yield DeclaredName(name, node.value.span, line.span)


def _start(node: sx.Node, name: str) -> Span:
    return replace(node.span, end=node.span.start + len(name))
