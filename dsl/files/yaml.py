"""From YAML text to nodes with spans.

`read_yaml` takes a `Source` and gives a tree of `YamlNode` with a span on every key and value, and diagnostics for what
cannot be read. Scalars follow YAML 1.2 (`yes`, `no`, `on` and `off` are words); their meaning plays no part here. The
compiled reader, where it is installed, reads texts without faults; the pure Python one reads the others, so that
messages do not depend on what is installed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias, Union

from dsl.base.record import dataclass
from dsl.base.span import Source, Span
from dsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from dsl.files.yaml_mistakes import clip, explain_fault, lost_colon

Scalar: TypeAlias = Union[str, int, bool, None]
Entries: TypeAlias = "dict[str, tuple[Span, YamlNode]]"

WORDS: dict[str, Scalar] = {"": None, "~": None, "null": None, "true": True, "false": False}
INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
CACHED_TEXTS = 100  # the number of texts that `cache_read_texts` keeps
MAX_DEPTH = 100  # the reader's time grows with the square of the depth


@dataclass(frozen=True, slots=True)
class YamlNode:
    """A node of a YAML file with its span. `kind` is map (value: key -> (span of the key, node)), list (value: tuple of
    nodes) or scalar."""

    kind: str
    span: Span
    value: Any

    def entries(self) -> Entries:
        return self.value if self.kind == "map" else {}

    def items(self) -> tuple[YamlNode, ...]:
        return self.value if self.kind == "list" else ()

    def get(self, key: str) -> YamlNode | None:
        found = self.entries().get(key)
        return found[1] if found else None

    def plain(self) -> Any:
        """The value without spans, as dicts, lists and scalars."""
        if self.kind == "map":
            return {key: node.plain() for key, (_, node) in self.value.items()}
        if self.kind == "list":
            return [node.plain() for node in self.value]
        return self.value


_cached_read: Callable[[str, str], tuple[YamlNode | None, tuple[Diagnostic, ...]]] | None = (
    None  # set by `cache_read_texts`
)


def read_yaml(source: Source) -> tuple[YamlNode | None, list[Diagnostic]]:
    """The document of a file. An empty file is an empty map; None when there is nothing that could be checked."""
    root, found = (_cached_read or _read_uncached)(source.file, source.text)
    return root, list(found)


def cache_read_texts() -> None:
    """From now on reuse the nodes of texts that were read before."""
    global _cached_read
    _cached_read = _cached_read or lru_cache(CACHED_TEXTS)(_read_uncached)


def _read_uncached(file: str, text: str) -> tuple[YamlNode | None, tuple[Diagnostic, ...]]:
    source = Source(file, text)
    root, found = _read_checked(source)
    return root, tuple(found)


def _read_checked(source: Source) -> tuple[YamlNode | None, list[Diagnostic]]:
    if (at := _first_too_deep(source.text)) is not None:
        composer = _Composer(source)
        message = f"values are nested here more than {MAX_DEPTH} deep"
        composer.problem("RW0301", Span(source.file, at, at + 1), message, "close the brackets, or flatten the file")
        return None, composer.diagnostics
    return _read_compiled(source) or _read_pure(source)


def _read_compiled(source: Source) -> tuple[YamlNode | None, list[Diagnostic]] | None:
    """The document as the compiled reader reads it; None where the text has faults, which the pure reader reports."""
    from ruamel.yaml import YAML  # a cached start never needs it
    from ruamel.yaml.error import YAMLError

    composer = _Composer(source)
    if "\t" in source.text:  # it lets some tabs pass
        return None
    try:
        root = composer.document(iter(YAML(typ="safe").parse(source.text)))
    except (YAMLError, ValueError):
        return None
    return None if composer.diagnostics else (root, [])


def _read_pure(source: Source) -> tuple[YamlNode | None, list[Diagnostic]]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError
    from ruamel.yaml.reader import ReaderError

    composer = _Composer(source)
    try:
        events = iter(YAML(typ="safe", pure=True).parse(source.text))
        root = composer.document(events)
        return None if composer.aliases else root, composer.diagnostics
    except MarkedYAMLError as error:
        return None, [explain_fault(source, error)]  # what was read before it may follow from it
    except ReaderError as error:
        span = clip(source, error.position, error.position + 1)
        message = f"the character U+{error.character:04X} cannot stand in a YAML file"
        composer.diagnostics.append(
            Diagnostic("RW0301", Severity.ERROR, span, message, "delete it; save the file as UTF-8 text")
        )
    return None, composer.diagnostics


def merge_documents(base: YamlNode | None, over: YamlNode | None) -> YamlNode | None:
    """The document `base` with the values of `over` in it: maps key by key, everything else as a whole."""
    if base is None or over is None or base.kind != "map" or over.kind != "map":
        return over or base
    entries = dict(base.entries())
    for key, (span, value) in over.entries().items():
        inner = merge_documents(entries[key][1], value) if key in entries else value
        assert inner is not None
        entries[key] = (span, inner)
    return YamlNode("map", base.span, entries)


def _first_too_deep(text: str) -> int | None:
    """The offset where brackets, list dashes or indentation go deeper than any file of data does, or None; quoted texts
    count too."""
    depth = 0
    for found in re.finditer(r"[\[\]{}]|^[ \-?]+", text, re.MULTILINE):
        sign = found.group()
        if sign[0] in " -?":
            if len(sign) > 2 * MAX_DEPTH:
                return found.start()
        else:
            depth = max(0, depth + (1 if sign in "[{" else -1))
            if depth > MAX_DEPTH:
                return found.start()
    return None


class _Composer:
    """Builds nodes from the events of one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.aliases = 0  # their values are missing: checking the rest would give false messages

    def problem(self, code: str, span: Span, message: str, help: str, labels: tuple[Label, ...] = ()) -> None:
        self.diagnostics.append(Diagnostic(code, Severity.ERROR, span, message, help, labels))

    def document(self, events: Iterator[Any]) -> YamlNode:
        root: YamlNode | None = None
        for event in events:
            name = type(event).__name__
            if name == "DocumentStartEvent" and root is not None:
                span = self.span(event, event)
                self.problem("RW0303", span, "a second document begins here", "keep one document in a file")
                break
            if not name.startswith(("Stream", "Document")):
                root = self.node(event, events)
        return root or YamlNode("map", Span(self.source.file, 0, 0), {})

    def node(self, event: Any, events: Iterator[Any]) -> YamlNode:
        name = type(event).__name__
        self.refuse_extras(event, name)
        if name == "AliasEvent":
            self.aliases += 1
            return YamlNode("scalar", self.span(event, event), None)
        if name == "ScalarEvent":
            return YamlNode("scalar", self.span(event, event), self.scalar(event))
        if name == "SequenceStartEvent":
            return self.sequence(event, events)
        return self.mapping(event, events)

    def sequence(self, event: Any, events: Iterator[Any]) -> YamlNode:
        items: list[YamlNode] = []
        for inner in events:
            if type(inner).__name__ == "SequenceEndEvent":
                span = self.span(event, inner)
                if items and not event.flow_style:
                    span = Span(span.file, span.start, items[-1].span.end)
                return YamlNode("list", span, tuple(items))
            items.append(self.node(inner, events))
        raise AssertionError("the events of a list end with its end")

    def mapping(self, event: Any, events: Iterator[Any]) -> YamlNode:
        entries: Entries = {}
        last = 0
        for inner in events:
            if type(inner).__name__ == "MappingEndEvent":
                span = self.span(event, inner)
                if entries and not event.flow_style:
                    span = Span(span.file, span.start, last)
                return YamlNode("map", span, entries)
            key = self.node(inner, events)
            value = self.node(next(events), events)
            if value.span.start == value.span.end:  # nothing after the colon: the reader gives the next line's place
                value = YamlNode("scalar", key.span, value.value)
            last = value.span.end
            if type(inner).__name__ == "AliasEvent":
                continue
            if key.kind != "scalar":
                self.problem("RW0301", key.span, "a list or map cannot be a key", "write a word as the key")
                continue
            text = str(inner.value)
            if not inner.style and self.lacks_colon(text, value, event.flow_style):
                self.diagnostics += filter(None, [lost_colon(self.source, key.span)])
            if text in entries:
                first = entries[text][0]
                self.problem(
                    "RW0302",
                    key.span,
                    f"the key `{text}` appears here a second time",
                    "keep one of the two, or rename one",
                    (Label(first, "the first one"),),
                )
                continue
            entries[text] = (key.span, value)
        raise AssertionError("the events of a map end with its end")

    def lacks_colon(self, key: str, value: YamlNode, flow: bool) -> bool:
        """True for a key that is plainly a key and its value, without the `:` between them."""
        bracket = " {" in key or " [" in key or ' "' in key
        return bracket or flow and " " in key and value.value is None and value.kind == "scalar"

    def refuse_extras(self, event: Any, name: str) -> None:
        if getattr(event, "anchor", None):
            what = "an alias (`*name`)" if name == "AliasEvent" else "an anchor (`&name`)"
            self.problem("RW0303", self.span(event, event), f"{what} is not read here", "write the value out")
        tag = getattr(event, "ctag", None) or getattr(event, "tag", None)
        if tag is not None and str(tag) not in ("None", "!"):
            span = self.span(event, event)
            written = self.source.text[span.start : span.end].split()[0]
            self.problem("RW0303", span, f"the tag `{written}` is not read here", "leave the tag out")

    def scalar(self, event: Any) -> Scalar:
        text = str(event.value)
        if event.style:  # quoted or block text
            return text
        if text in WORDS:
            return WORDS[text]
        return int(text) if INTEGER.fullmatch(text) else text

    def span(self, first: Any, last: Any) -> Span:
        """The span from the first mark to the last, without white space at the end."""
        start, end = first.start_mark.index, max(last.end_mark.index, first.end_mark.index)
        text = self.source.text[start:end].rstrip()
        return Span(self.source.file, start, start + len(text))
