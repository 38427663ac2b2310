"""Names of the rules in YAML files: ids and their values in data, addresses in texts, names in hints and manifest.

Takes a source and the model; gives `Mention`s with the symbols that they may mean. Keys and words in which no rule name
stands give none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Source, Span
from dsl.base.types import ListType, MapType, MemberType, SetType, Type
from dsl.editing.mentions import Symbol
from dsl.files.yaml import YamlNode, read_yaml
from dsl.symbols.symbols import Model

WORD = re.compile(r"[A-Za-z_]\w*")
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
NOTHING = YamlNode("map", NOWHERE, {})
PLAIN = ("as", "label", "glyph", "blank", "shape", "id", "scale", "title", "at")  # keys of other words
OTHERS = ("ruleset.yaml", "display.yaml", "clauses.yaml")  # files without records
WITH_OWNER = ("kind", "per", "group")  # keys of hints that say whose names stand beside them


@dataclass(frozen=True, slots=True)
class Keyed:
    """A name in a YAML file: `symbols` if its place tells what it means, else `inside` says in whose address it is."""

    span: Span
    name: str
    symbols: tuple[Symbol, ...] = ()
    inside: str = ""
    declared: bool = False


def has_records(file: str) -> bool:
    """Whether a file may declare ids."""
    folder, _, name = file.rpartition("/")
    return file.endswith(".yaml") and not folder.endswith("locale") and name not in OTHERS


def keyed(source: Source, model: Model | None) -> list[Keyed]:
    root, _ = read_yaml(source)
    folder, _, name = source.file.rpartition("/")
    text = source.text
    if root is None or name == "clauses.yaml":
        return []
    if folder.endswith("locale"):
        return list(texts(root, text, ""))
    if name == "ruleset.yaml":
        return list(manifest(root, text))
    if name == "display.yaml":
        return list(hints(root, text, "", ""))
    return list(records(root, text, model))


def at(span: Span, offset: int, name: str) -> Span:
    return Span(span.file, span.start + offset, span.start + offset + len(name))


def plain(node: YamlNode, text: str) -> str:
    """A scalar without its quotes, where it stands as it is meant; else empty."""
    written = text[node.span.start : node.span.end]
    return written if written == str(node.value) else ""


# ---------------------------------------------------------------- data


def records(root: YamlNode, text: str, model: Model | None) -> Iterator[Keyed]:
    for kind, (span, block) in root.entries().items():
        if model is not None and kind not in model.kinds:
            continue
        yield Keyed(span, kind, (Symbol("kind", "", kind),))
        fields = model.kinds[kind].fields if model is not None else {}
        for id_, (place, record) in block.entries().items():
            yield Keyed(place, id_, (Symbol("member", kind, id_),), declared=True)
            for key, (where, value) in record.entries().items():
                if key in fields:
                    yield Keyed(where, key, (Symbol("field", kind, key),))
                    yield from typed(value, fields[key].type, text)


def typed(node: YamlNode, t: Type, text: str) -> Iterator[Keyed]:
    """Members in a value of this type."""
    match t:
        case MemberType(domain):
            written = plain(node, text) if node.kind == "scalar" else ""
            if written:
                yield Keyed(node.span, written, (Symbol("member", domain, written),))
        case SetType(elem) | ListType(elem, _):
            for item in node.items():
                yield from typed(item, elem, text)
        case MapType(keys, value):
            for key, (span, inner) in node.entries().items():
                if isinstance(keys[0], MemberType):
                    yield Keyed(span, key, (Symbol("member", keys[0].domain, key),))
                yield from typed(inner, MapType(keys[1:], value) if keys[1:] else value, text)


# ---------------------------------------------------------------- texts


def texts(node: YamlNode, text: str, inside: str) -> Iterator[Keyed]:
    """The parts of addresses; `inside` is the first of them. In the texts, the words of placeholders."""
    for key, (span, value) in node.entries().items():
        offset, first = 0, inside
        for part in key.split("."):
            yield Keyed(at(span, offset, part), part, inside=first)
            first = first or part
            offset += len(part) + 1
        if value.kind == "map":
            yield from texts(value, text, first)
        elif isinstance(value.value, str):
            written = text[value.span.start : value.span.end]
            for hole in PLACEHOLDER.finditer(written):
                for word in WORD.finditer(hole[1]):
                    start = hole.start(1) + word.start()
                    yield Keyed(at(value.span, start, word[0]), word[0], inside=first)


# ---------------------------------------------------------------- hints and the manifest


def manifest(root: YamlNode, text: str) -> Iterator[Keyed]:
    """The values that are named for results, bots and screens, and the options of presets."""
    parts = [root.get("evaluate"), *(root.get("watch") or root).items()]
    for key in ("result", "order"):
        parts += [value for _, value in (root.get(key) or NOTHING).entries().values()]
    for part in parts:
        if part is not None and WORD.fullmatch(plain(part, text)):
            yield Keyed(part.span, str(part.value))
    for _, preset in (root.get("presets") or NOTHING).entries().values():
        for option, (span, answer) in preset.entries().items():
            yield Keyed(span, option, (Symbol("option", "", option),))
            if WORD.fullmatch(plain(answer, text)):
                yield Keyed(answer.span, str(answer.value), (Symbol("member", option, str(answer.value)),))


def hints(node: YamlNode, text: str, owner: str, under: str) -> Iterator[Keyed]:
    """Names of fields, zones and values; in a block of a kind those of its things. `under`: the key above."""
    for key in WITH_OWNER:
        named = node.get(key)
        if named is not None and isinstance(named.value, str):
            owner = named.value
    if node.kind == "scalar" and under not in PLAIN and WORD.fullmatch(plain(node, text)):
        yield Keyed(node.span, str(node.value), inside="" if under in WITH_OWNER else owner)
    for item in node.items():
        yield from hints(item, text, owner, under)
    for key, (span, value) in node.entries().items():
        if under in ("members", "at", "#member"):
            yield Keyed(span, key, inside=owner if under != "members" else "")
        inner = "#member" if under == "members" else "glyph" if under == "#member" else key
        yield from hints(value, text, key if under == "members" else owner, inner)
