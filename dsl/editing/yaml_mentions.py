"""Names of the rules in YAML files: ids and their values in data, addresses in texts, names in hints and manifest.

Takes a source and the model; gives `YamlMention`s with the symbols that they may refer to. Keys and words that are no
names of the rules give none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Source, Span
from dsl.base.types import ListType, MapType, MemberType, SetType, Type
from dsl.editing.mentions import Symbol
from dsl.files.phrases import PLACEHOLDER
from dsl.files.yaml import YamlNode, read_yaml
from dsl.symbols.symbols import Model

WORD = re.compile(r"[A-Za-z_]\w*")
EMPTY = YamlNode("map", NOWHERE, {})
OTHER_KEYS = (
    "as",
    "label",
    "glyph",
    "icon",
    "pattern",
    "blank",
    "title",
    "side",
    "flow",
    "only",
    "ground",
    "skip",
    "shape",
    "id",
    "scale",
)  # keys of hints with words that are no names
WITHOUT_RECORDS = ("ruleset.yaml", "display.yaml", "clauses.yaml")  # files without records
BY_OWNER = ("members", "faces")  # keys whose own keys are kinds or enums
WITH_OWNER = ("kind", "per", "group")  # keys of hints that name the owner of the names alongside


@dataclass(frozen=True, slots=True)
class YamlMention:
    """A name in a YAML file: `symbols` if its place determines what it refers to, else `inside`, the first part of the
    address that it belongs to. `text`: for a word of a placeholder, the address of its text."""

    span: Span
    name: str
    symbols: tuple[Symbol, ...] = ()
    inside: str = ""
    declared: bool = False
    text: str = ""


def has_records(file: str) -> bool:
    """True for a YAML file that may declare ids: data, rather than texts, a manifest, a display or clauses."""
    folder, _, name = file.rpartition("/")
    return file.endswith(".yaml") and not folder.endswith("locale") and name not in WITHOUT_RECORDS


def yaml_mentions(source: Source, model: Model | None) -> list[YamlMention]:
    root, _ = read_yaml(source)
    folder, _, name = source.file.rpartition("/")
    text = source.text
    if root is None or name == "clauses.yaml":
        return []
    if folder.endswith("locale"):
        return list(text_mentions(root, text, "", ""))
    if name == "ruleset.yaml":
        return list(manifest_mentions(root, text))
    if name == "display.yaml":
        return list(hint_mentions(root, text, "", ""))
    return list(record_mentions(root, text, model))


def part_span(span: Span, offset: int, name: str) -> Span:
    return Span(span.file, span.start + offset, span.start + offset + len(name))


def plain_text(node: YamlNode, text: str) -> str:
    """A scalar that is written as it is read, without quotes; else empty."""
    written = text[node.span.start : node.span.end]
    return written if written == str(node.value) else ""


# ---------------------------------------------------------------- data


def record_mentions(root: YamlNode, text: str, model: Model | None) -> Iterator[YamlMention]:
    for kind, (span, block) in root.entries().items():
        if model is not None and kind not in model.kinds:
            continue
        yield YamlMention(span, kind, (Symbol("kind", "", kind),))
        fields = model.kinds[kind].fields if model is not None else {}
        for id_, (place, record) in block.entries().items():
            yield YamlMention(place, id_, (Symbol("member", kind, id_),), declared=True)
            for key, (where, value) in record.entries().items():
                if key in fields:
                    yield YamlMention(where, key, (Symbol("field", fields[key].below or kind, key),))
                    yield from value_mentions(value, fields[key].type, text)


def value_mentions(node: YamlNode, t: Type, text: str) -> Iterator[YamlMention]:
    """Members in a value of this type."""
    match t:
        case MemberType(domain):
            written = plain_text(node, text) if node.kind == "scalar" else ""
            if written:
                yield YamlMention(node.span, written, (Symbol("member", domain, written),))
        case SetType(elem) | ListType(elem, _):
            for item in node.items():
                yield from value_mentions(item, elem, text)
        case MapType(keys, value):
            for key, (span, inner) in node.entries().items():
                if isinstance(keys[0], MemberType):
                    yield YamlMention(span, key, (Symbol("member", keys[0].domain, key),))
                yield from value_mentions(inner, MapType(keys[1:], value) if keys[1:] else value, text)


# ---------------------------------------------------------------- texts


def text_mentions(node: YamlNode, text: str, inside: str, above: str) -> Iterator[YamlMention]:
    """The parts of addresses in the keys, `inside` being the first of them and `above` what stands before; in the
    texts, the words of placeholders."""
    for key, (span, value) in node.entries().items():
        address = f"{above}{key}"
        offset, first = 0, inside
        for part in key.split("."):
            yield YamlMention(part_span(span, offset, part), part, inside=first)
            first = first or part
            offset += len(part) + 1
        if value.kind == "map":
            yield from text_mentions(value, text, first, f"{address}.")
        elif isinstance(value.value, str):
            written = text[value.span.start : value.span.end]
            for hole in PLACEHOLDER.finditer(written):
                for word in WORD.finditer(hole[1]):
                    start = hole.start(1) + word.start()
                    yield YamlMention(part_span(value.span, start, word[0]), word[0], inside=first, text=address)


# ---------------------------------------------------------------- hints and the manifest


def manifest_mentions(root: YamlNode, text: str) -> Iterator[YamlMention]:
    """The values named for results, bots and screens, and the options of presets."""
    parts = [root.get("evaluate"), *(root.get("watch") or root).items()]
    parts += [value for _, value in (root.get("result") or EMPTY).entries().values()]
    for part in parts:
        if part is not None and WORD.fullmatch(plain_text(part, text)):
            yield YamlMention(part.span, str(part.value))
    for _, preset in (root.get("presets") or EMPTY).entries().values():
        for option, (span, answer) in preset.entries().items():
            yield YamlMention(span, option, (Symbol("option", "", option),))
            if WORD.fullmatch(plain_text(answer, text)):
                yield YamlMention(answer.span, str(answer.value), (Symbol("member", option, str(answer.value)),))


def hint_mentions(node: YamlNode, text: str, owner: str, under: str) -> Iterator[YamlMention]:
    """Names of fields, zones and values; in the block of a kind those of its things. `under`: the enclosing key."""
    for key in WITH_OWNER:
        named = node.get(key)
        if named is not None and isinstance(named.value, str):
            owner = named.value
    if node.kind == "scalar" and under not in OTHER_KEYS and WORD.fullmatch(plain_text(node, text)):
        yield YamlMention(node.span, str(node.value), inside="" if under in WITH_OWNER else owner)
    for item in node.items():
        yield from hint_mentions(item, text, owner, under)
    for key, (span, value) in node.entries().items():
        if under in (*BY_OWNER, "at", "#member"):
            yield YamlMention(span, key, inside=owner if under not in BY_OWNER else "")
        inner = "#member" if under == "members" else "glyph" if under == "#member" else key
        yield from hint_mentions(value, text, key if under in BY_OWNER else owner, inner)
