"""Records of data files against the constants that a kind declares.

`section` finds a kind's records in a file, `declare_records` gives their ids, `validate_records` turns each record into
the numbers, masks and tuples of `dsl.base.types` through a pydantic model derived from the kind. It reads no files and
builds no program.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from types import GenericAlias
from typing import Any, TypeAlias

from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.base.spelling import nearest
from dsl.base.types import (
    BoolType,
    IntType,
    ListType,
    MapType,
    MemberType,
    SetType,
    Type,
    bounds,
    default,
)
from dsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from dsl.files.rows import COPIES_ROW, MAX_COPIES, RESERVED, is_count
from dsl.files.schema import check, did_you_mean, quote, refusal
from dsl.files.yaml import YamlNode
from dsl.ir import DomainInfo, Lattice
from dsl.ir.lattices import written

Domains: TypeAlias = "dict[str, DomainInfo]"
Record: TypeAlias = "dict[str, Any]"

MAX_ALIKE = 3  # more records with the same key missing or unknown give one message
ID = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*|[0-9]+")


@dataclass(frozen=True, slots=True)
class Schema:
    """A kind and the types of its constants."""

    kind: str
    fields: dict[str, Type]


def section(root: YamlNode, kind: str) -> tuple[YamlNode | None, list[Diagnostic]]:
    """The records under the top-level key with the kind's name."""
    found = root.get(kind)
    if found is None:
        message = f"this file has no block `{kind}:` with the records of the kind"
        guess = nearest(kind, root.entries())
        span = root.entries()[guess][0] if guess else next((key for key, _ in root.entries().values()), root.span)
        way = f"rename `{guess}:` to `{kind}:`" if guess else f"write `{kind}:` and the records below it"
        return None, [Diagnostic("RW0304", Severity.ERROR, span, message, way)]
    if found.kind != "map":
        message = f"`{kind}:` is {quote(found.plain())}, expected a block with one id a line"
        span = root.entries()[kind][0]
        return None, [Diagnostic("RW0312", Severity.ERROR, span, message, "write `id:` and its constants below it")]
    return found, []


def declare_records(node: YamlNode) -> tuple[tuple[str, ...], dict[str, str], list[Diagnostic]]:
    """(ids in the order of the file, alias -> id, diagnostics)."""
    diagnostics: list[Diagnostic] = []
    places: dict[str, Span] = {key: span for key, (span, _) in node.entries().items()}
    aliases: dict[str, str] = {}
    for key, (span, _) in node.entries().items():
        if not ID.fullmatch(key):
            message = f"`{key}` cannot be an id: ids are letters, digits and `_`, in parts joined by dots"
            diagnostics.append(Diagnostic("RW0306", Severity.ERROR, span, message, f"write `{_repaired(key)}`"))
    for key, (_, record) in node.entries().items():
        listed = record.get("aliases")
        for item in listed.items() if listed else ():
            alias = str(item.value)
            if alias == key:
                continue
            if alias in places:
                message = f"the id `{alias}` already names another record"
                labels = (Label(places[alias], "the other one"),)
                diagnostics.append(
                    Diagnostic("RW0307", Severity.ERROR, item.span, message, "choose another id", labels)
                )
                continue
            places[alias] = item.span
            aliases[alias] = key
    return tuple(node.entries()), aliases, diagnostics


def copies_of(node: YamlNode) -> dict[str, int]:
    """id -> number of copies, for records that give it; an impossible number is reported with the rest of the
    record."""
    found = {key: record.get(COPIES_ROW) for key, (_, record) in node.entries().items()}
    return {key: row.value for key, row in found.items() if row is not None and is_count(row.value)}


def validate_records(schema: Schema, node: YamlNode, domains: Domains) -> tuple[dict[str, Record], list[Diagnostic]]:
    """id -> field -> value for every record without a fault; an omitted constant is zero where its type allows zero."""
    from pydantic import ConfigDict, create_model

    fields: dict[str, Any] = {}
    for name, declared in schema.fields.items():
        zero = default(declared)
        given = zero if fits_zero(declared) else ...
        fields[f"c_{name}"] = (_annotation(declared, domains), _field(name, given))
    for name in RESERVED:
        if name not in schema.fields:
            fields[f"r_{name}"] = (_count() if name == COPIES_ROW else Any, _field(name, None))
    config = ConfigDict(extra="forbid", protected_namespaces=())
    model: Any = create_model(schema.kind, __config__=config, **fields)

    records: dict[str, Record] = {}
    alike: dict[tuple[str, str], list[Diagnostic]] = {}
    for key, (span, record) in node.entries().items():
        if record.kind == "scalar" and record.value is None:
            record = YamlNode("map", span, {})
        checked, found = check(model, record, f"{schema.kind} `{key}`", span)
        for diagnostic in found:
            alike.setdefault((diagnostic.code, diagnostic.message.replace(f"`{key}`", "")), []).append(diagnostic)
        if checked is not None:
            records[key] = {name: getattr(checked, f"c_{name}") for name in schema.fields}
    return records, [diagnostic for group in alike.values() for diagnostic in _merge_alike(group)]


def _merge_alike(group: list[Diagnostic]) -> list[Diagnostic]:
    """One diagnostic in place of many about single records: the slip is where the constant is declared."""
    first = group[0]
    if len(group) <= MAX_ALIKE or first.code not in ("RW0310", "RW0311"):
        return group
    return [replace(first, message=f"{first.message}, nor have {len(group) - 1} other records")]


def fits_zero(declared: Type) -> bool:
    """True if zeroed words are a value of the type."""
    match declared:
        case IntType(low, high):
            return low <= 0 <= high
        case MemberType(optional=optional):
            return optional
        case MapType(value=value):
            return fits_zero(value)
    return True


def _field(alias: str, given: Any) -> Any:
    from pydantic import Field

    return Field(given, alias=alias)


def _repaired(key: str) -> str:
    text = re.sub(r"[^A-Za-z0-9_.]+", "_", key).strip("_.")
    return text if ID.fullmatch(text) else f"x_{text}"


# ---------------------------------------------------------------- one annotation a type


def _annotation(declared: Type, domains: Domains) -> Any:
    from typing import Annotated

    from pydantic import AfterValidator, BeforeValidator, PlainValidator

    match declared:
        case BoolType():
            return Annotated[Any, PlainValidator(_bool)]
        case IntType(low, high):
            return Annotated[Any, PlainValidator(_int(low, high))]
        case MemberType():
            return Annotated[Any, PlainValidator(_member(declared, domains))]
        case SetType(elem):
            items = _list_of(elem, domains)
            return Annotated[items, BeforeValidator(_list), AfterValidator(_mask)]
        case ListType(elem, cap):
            items = _list_of(elem, domains)
            return Annotated[items, BeforeValidator(_list), AfterValidator(_tuple(cap))]
        case MapType(keys, value):
            return _map_annotation(keys, value, domains)
    raise TypeError(f"a constant cannot be of type {declared}")


def _list_of(elem: Type, domains: Domains) -> Any:
    return GenericAlias(list, _annotation(elem, domains))


def _map_annotation(keys: tuple[Type, ...], value: Type, domains: Domains) -> Any:
    """Maps over several keys are written as maps in maps."""
    from typing import Annotated

    from pydantic import AfterValidator, BeforeValidator

    key, inner = keys[0], value if len(keys) == 1 else MapType(keys[1:], value)
    pairs: Any = GenericAlias(dict, (_annotation(key, domains), _annotation(inner, domains)))
    dense = _dense(key, inner, len(keys) > 1, domains)
    return Annotated[pairs, BeforeValidator(_block(key, domains)), AfterValidator(dense)]


def _count() -> Any:
    from typing import Annotated

    from pydantic import PlainValidator

    def validate(value: Any) -> int:
        if is_count(value):
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            way = "one is the card itself; leave out a record that is not in the game"
            raise refusal("RW0313", f"{value} copies are outside 1..{MAX_COPIES}", way)
        raise refusal(
            "RW0312", f"read {quote(value)}, expected a number of copies 1..{MAX_COPIES}", "write a whole number"
        )

    return Annotated[Any, PlainValidator(validate)]


def _bool(value: Any) -> int:
    if isinstance(value, bool):
        return int(value)
    raise refusal("RW0312", f"read {quote(value)}, expected `true` or `false`", "write `true` or `false`")


def _int(low: int, high: int) -> Callable[[Any], int]:
    def validate(value: Any) -> int:
        if isinstance(value, str) and re.fullmatch(r"[-+]?[0-9]{1,18}", value):
            value = int(value)  # keys of maps are always texts
        if isinstance(value, bool) or not isinstance(value, int):
            raise refusal("RW0312", f"read {quote(value)}, expected a number {low}..{high}", "write a whole number")
        if not low <= value <= high:
            way = "write a number within the bounds, or widen the bounds where the constant is declared"
            raise refusal("RW0313", f"{value} is outside {low}..{high}", way)
        return value

    return validate


def _member(declared: MemberType, domains: Domains) -> Callable[[Any], int]:
    numbers = _numbers(domains[declared.domain])
    domain = domains[declared.domain]

    def validate(value: Any) -> int:
        if domain.lattice is not None and isinstance(value, list):
            return _cell(value, domain, domain.lattice)
        if isinstance(value, (dict, list)):
            message = f"read {quote(value)}, expected one {declared.domain}"
            raise refusal("RW0312", message, "write a single id")
        text = "none" if value is None else str(value)
        if text in numbers and value is not None:
            return numbers[text]
        if text == "none":
            if declared.optional:
                return 0
            message = f"read {'nothing' if value is None else '`none`'}, expected one {declared.domain}"
            raise refusal("RW0317", message, f"write an id, or declare the constant as `{declared.domain} or none`")
        raise refusal("RW0314", f"there is no {declared.domain} `{text}`", did_you_mean(text, list(numbers)))

    return validate


def _cell(value: list[Any], domain: DomainInfo, lattice: Lattice) -> int:
    """The cell at `[1, -2]`."""
    axes = ", ".join(lattice.axes)
    if len(value) != len(lattice.axes) or not all(type(n) is int for n in value):
        message = f"read {quote(value)}, expected the coordinates [{axes}] of one {domain.name}"
        raise refusal("RW0312", message, f"write {len(lattice.axes)} numbers: `[{axes}]`")
    found = lattice.find(*value)
    if found is None:
        low = lattice.coordinates(0)
        high = lattice.coordinates(lattice.size - 1)
        raise refusal(
            "RW0314",
            f"there is no {domain.name} {written(tuple(value))}",
            f"they lie between {written(low)} and {written(high)}",
        )
    return domain.values[found]


def _numbers(domain: DomainInfo) -> dict[str, int]:
    return {**domain.aliases, **dict(zip(domain.ids, domain.values, strict=True))}


def _list(value: Any) -> Any:
    if value is None:
        return []
    if isinstance(value, list):
        return value
    way = f"write `[{value}]`" if not isinstance(value, dict) else "write `[a, b]`"
    raise refusal("RW0312", f"read {quote(value)}, expected a list", way)


def _block(key: Type, domains: Domains) -> Callable[[Any], Any]:
    numbers = _numbers(domains[key.domain]) if isinstance(key, MemberType) else {}

    def validate(value: Any) -> Any:
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise refusal("RW0312", f"read {quote(value)}, expected amounts by key", "write `{a: 1, b: 2}`")
        seen: set[int] = set()
        for name in value:
            number = numbers.get(name)
            if number in seen:
                message = f"`{name}` is another id of a member that has an amount already"
                raise refusal("RW0315", message, "delete one of the two", (name, "[key]"))
            if number is not None:
                seen.add(number)
        return value

    return validate


def _mask(items: list[int]) -> int:
    mask = 0
    for i, item in enumerate(items):
        if mask >> item & 1:
            raise refusal("RW0315", "this member stands in the set twice", "delete one of the two", (i,))
        mask |= 1 << item
    return mask


def _tuple(cap: int) -> Callable[[list[Any]], tuple[Any, ...]]:
    def validate(items: list[Any]) -> tuple[Any, ...]:
        if len(items) > cap:
            message = f"a list of {len(items)} items, but there can be at most {cap}"
            raise refusal("RW0316", message, "shorten the list", (cap,))
        return tuple(items)

    return validate


def _dense(key: Type, inner: Type, nested: bool, domains: Domains) -> Callable[[dict[int, Any]], tuple[Any, ...]]:
    low, high = bounds(key)
    names: dict[int, str] = {}
    if isinstance(key, MemberType):
        domain = domains[key.domain]
        names = dict(zip(domain.values, domain.ids, strict=True))

    def validate(given: dict[int, Any]) -> tuple[Any, ...]:
        row: list[Any] = []
        for number in range(low, high + 1):
            if number not in given and not fits_zero(inner) and (not names or number in names):
                message = f"no value for `{names.get(number, str(number))}`"
                raise refusal("RW0311", message, "give one for every key, or allow 0 in the bounds")
            item = given.get(number, default(inner))
            if nested:
                row += item
            else:
                row.append(item)
        return tuple(row)

    return validate
