"""YAML in the canonical layout: a round trip that preserves comments, quotes and the order of keys.

`format_yaml` takes a source and gives its text laid out: two columns a level, lists indented under their key. A value
that a person wrote on several lines keeps its lines. A result that would read as other data is refused.
"""

from __future__ import annotations

import io
import re

from dsl.base.record import dataclass
from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.files.yaml import read_yaml
from dsl.format.rules import Unfaithful

INDENT = 2
MAX_WIDTH = 1_000_000  # no line is broken that a person did not break
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*", re.MULTILINE)
_MARK = "lines_{}_kept"


@dataclass(frozen=True, slots=True)
class MultilineValue:
    """A value on several lines: each of them with the number of brackets that are open where it begins."""

    lines: tuple[tuple[str, int], ...]
    on_next_line: bool  # it begins on a line of its own under its key


def format_yaml(source: Source) -> tuple[str | None, list[Diagnostic]]:
    """The text in the canonical layout, or None with the messages for a text with errors; raises `Unfaithful`."""
    source = Source(source.file, source.text.replace("\r\n", "\n"))
    node, found = read_yaml(source)
    if node is None or found:
        return None, found
    text, values = _mask_multiline(source.text)
    result = _round_trip(text)
    for number, value in enumerate(values):
        result = _restore(result, _MARK.format(number), value)
    again, wrong = read_yaml(Source(source.file, result))
    if again is None or wrong or again.plain() != node.plain() or _comments(result) != _comments(source.text):
        raise Unfaithful(source.file)
    return result, []


def _comments(text: str) -> list[str]:
    return [found.group().rstrip() for found in _COMMENT.finditer(text)]


def _round_trip(text: str) -> str:
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = MAX_WIDTH
    yaml.brace_single_entry_mapping_in_flow_sequence = True
    yaml.indent(mapping=INDENT, sequence=2 * INDENT, offset=INDENT)
    data = yaml.load(text)
    if data is None:  # comments only
        lines = [line.rstrip() for line in text.strip().splitlines()]
        return "".join(f"{line}\n" for line in lines)
    out = io.StringIO()
    yaml.dump(data, out)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().strip("\n").split("\n"))


def _mask_multiline(text: str) -> tuple[str, list[MultilineValue]]:
    """The text with a marker word for each value on several lines, and these values."""
    values: list[MultilineValue] = []
    parts: list[str] = []
    at = 0
    for start, end, brackets in _value_spans(text):
        on_next_line = bool(brackets) and not text[text.rfind("\n", 0, start) + 1 : start].strip()
        if "\n" not in text[start:end] and not on_next_line:
            continue
        lines = []
        begin = start
        for line in text[start:end].split("\n"):
            first = begin + len(line) - len(line.lstrip())
            depth = sum(sign for place, sign in brackets if place < first or place == first and sign < 0)
            lines.append((line.strip(), depth if brackets else 1))
            begin += len(line) + 1
        parts += [text[at:start], _MARK.format(len(values))]
        values.append(MultilineValue(tuple(lines), on_next_line))
        at = end
    return "".join([*parts, text[at:]]), values


def _value_spans(text: str) -> list[tuple[int, int, list[tuple[int, int]]]]:
    """Outermost values in brackets, and words outside them: beginning, end, brackets (place, +1 or -1)."""
    from ruamel.yaml import YAML
    from ruamel.yaml.events import CollectionEndEvent, CollectionStartEvent, ScalarEvent

    found = []
    depth, start = 0, 0
    brackets: list[tuple[int, int]] = []
    for event in YAML(typ="safe", pure=True).parse(text):
        if isinstance(event, CollectionStartEvent) and (depth or event.flow_style):
            if depth == 0:
                start, brackets = event.start_mark.index, []
            brackets.append((event.start_mark.index, 1))
            depth += 1
        elif isinstance(event, CollectionEndEvent) and depth:
            depth -= 1
            brackets.append((event.end_mark.index - 1, -1))
            if depth == 0:
                found.append((start, event.end_mark.index, brackets))
        elif isinstance(event, ScalarEvent) and depth == 0 and event.style not in ("|", ">"):
            found.append((event.start_mark.index, event.end_mark.index, []))
    return found


def _restore(text: str, mark: str, value: MultilineValue) -> str:
    at = text.index(mark)
    begin = text.rfind("\n", 0, at) + 1
    head = text[begin:at]
    key = len(head) - len(head.lstrip(" -"))
    on_next_line = value.on_next_line and bool(head.strip(" -"))
    parts = [value.lines[0][0]]
    for words, depth in value.lines[1:]:
        column = key + INDENT + depth if on_next_line else key + INDENT * max(depth, words[:1] not in "]}")
        parts.append(" " * column + words if words else "")
    if on_next_line:
        head = f"{head.rstrip()}\n{' ' * (key + INDENT)}"
    return text[:begin] + head + "\n".join(parts) + text[at + len(mark) :]
