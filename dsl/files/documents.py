"""The YAML files of a ruleset besides its data: manifest, clauses, texts and display.

Each reader takes a `Source` and gives a plain value with diagnostics at the place in the file. Whether the values and
options that they name exist is checked later; the results hold the spans for that.
"""

from __future__ import annotations

import re
from dataclasses import field, fields
from pathlib import PurePosixPath
from typing import Any

from dsl.base.record import dataclass
from dsl.base.span import Source, Span
from dsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from dsl.files.phrases import canonical_tag, shorter_tags
from dsl.files.schema import check, did_you_mean, quote, refusal
from dsl.files.yaml import YamlNode, merge_documents, read_yaml
from dsl.program import CEILINGS, SETTINGS, Limits, SearchSettings, StandIn
from dsl.syntax.vocabulary import LANGUAGE

CLAUSE_ID = re.compile(r"[A-Z]{2,}-[0-9][A-Za-z0-9_.]*")
MANIFEST_ID = re.compile(r"[a-z][a-z0-9_]*")
FOLLOWED = re.compile(r"[a-z][a-z0-9_]*(\+[\w-]+)*")
SEATS = re.compile(r"([0-9]{1,9})\.\.([0-9]{1,9})")
MAX_SEATS = 12
OF_THE_BASE = ("id", "version", "language", "load")  # keys of the manifest that no overlay changes
OF_OVERLAYS = "title seats result evaluate search watch seldom presets limits follows options_before stand_ins".split()
DEFAULT_LANGUAGE = "en"  # of a ruleset that names none


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest, `ruleset.yaml`. `node` is the whole file, for spans. Values of the rules are texts as written."""

    id: str
    version: str
    language: int  # the language of the rules that its texts are written in
    title: dict[str, str]
    seats: tuple[int, int]
    load: tuple[str, ...]
    result: dict[str, str]
    zero_sum: bool  # the scores of a game always add up to nothing
    evaluate: str
    search: SearchSettings
    limits: Limits
    watch: tuple[str, ...]
    seldom: tuple[str, ...]
    presets: dict[str, dict[str, str]]
    follows: tuple[str, ...]
    options_before: dict[str, str]  # of the games that it follows, if it is known that it will
    stand_ins: dict[str, tuple[str, ...]]  # name -> files
    node: YamlNode

    def value(self, *path: str) -> YamlNode:
        """The value under these keys, or under the first of them that are there."""
        node = self.node
        for key in path:
            node = node.get(key) or node
        return node

    def span(self, *path: str) -> Span:
        """The span of the value under these keys, as `value` finds it."""
        return self.value(*path).span

    def options_before_with_places(self) -> tuple[tuple[str, str, Span], ...]:
        """Name and answer of each option of the game before, with the place of the answer."""
        return tuple((o, answer, self.span("options_before", o)) for o, answer in self.options_before.items())

    def key_span(self, block: str, key: str) -> Span:
        """The span of a key of a block; that of the block if it has no such key."""
        entries = self.value(block).entries()
        return entries[key][0] if key in entries else self.span(block)

    def follows_with_places(self) -> tuple[tuple[str, Span], ...]:
        """The rulesets from whose end a game may begin, each with its place."""
        items = list((self.node.get("follows") or self.node).items())
        places = [item.span for item in items] if len(items) == len(self.follows) else []
        return tuple((name, places[at] if places else self.span("follows")) for at, name in enumerate(self.follows))


@dataclass(frozen=True, slots=True)
class ClauseText:
    """An entry of the clause index; `prose` says why no rule can implement the clause, empty where rules do. `sources`:
    where it stands in the rulebook, by language; under an empty key where the language is not said."""

    title: str
    sources: dict[str, str]
    prose: str
    span: Span

    @property
    def source(self) -> str:
        return next(iter(self.sources.values()), "")

    def as_dict(self) -> dict[str, str]:
        return {"title": self.title, "source": self.source, "prose": self.prose}


@dataclass(frozen=True, slots=True)
class Locale:
    """The texts of one language by dotted address, with the place of each, and of the last word of its address."""

    texts: dict[str, str] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    keys: dict[str, Span] = field(default_factory=dict)


@dataclass(slots=True)
class Documents:
    """The YAML files beside the rules, read."""

    manifest: Manifest | None = None
    clauses: dict[str, dict[str, str]] | None = None
    sources: dict[str, dict[str, str]] = field(default_factory=dict)  # of clauses: id -> language -> text
    locale: dict[str, dict[str, str]] = field(default_factory=dict)
    spans: dict[str, dict[str, Span]] = field(default_factory=dict)
    keys: dict[str, dict[str, Span]] = field(default_factory=dict)
    display: dict[str, Any] = field(default_factory=dict)
    hints: YamlNode | None = None  # the display file with its places
    stand_ins: tuple[StandIn, ...] = ()  # those that are left
    drawings: dict[str, Source] = field(default_factory=dict)  # `pictures/*.svg` by their names in the folder
    shapes: dict[str, Any] = field(default_factory=dict)  # what is in these

    def languages(self) -> tuple[str, ...]:
        """The languages of the ruleset: those of its title in their order, then those that have only texts."""
        titled = self.manifest.title if self.manifest else {}
        return tuple(dict.fromkeys((*titled, *sorted(self.locale)))) or (DEFAULT_LANGUAGE,)

    def text(self, lang: str, *keys: str) -> str | None:
        """The first of these keys that has a text, in the language, else in the first language of the ruleset."""
        for tag in (*shorter_tags(lang), self.languages()[0]):
            for key in keys:
                if key in self.locale.get(tag, {}):
                    return self.locale[tag][key]
        return None


def read_manifest(source: Source) -> tuple[Manifest | None, list[Diagnostic]]:
    node, diagnostics = read_yaml(source)
    if node is None:
        return None, diagnostics
    manifest, found = _validated(node)
    return manifest, diagnostics + found


def laid_over(manifest: Manifest, source: Source) -> tuple[Manifest, list[Diagnostic]]:
    """The manifest with what the `ruleset.yaml` of an overlay says in the place of its own, blocks key by key. What
    makes a ruleset the one that it is, is refused; with any fault the manifest stays as it was."""
    node, diagnostics = read_yaml(source)
    for key, (span, _) in node.entries().items() if node is not None else ():
        if key in OF_THE_BASE:
            message = f"an overlay cannot set `{key}` of the manifest"
            way = f"take the line out; an overlay says {', '.join(f'`{k}`' for k in OF_OVERLAYS)} anew"
            diagnostics.append(Diagnostic("RW1010", Severity.ERROR, span, message, way))
    merged = merge_documents(manifest.node, node)
    if diagnostics or merged is None:
        return manifest, diagnostics
    changed, found = _validated(merged)
    return changed or manifest, found


def _validated(node: YamlNode) -> tuple[Manifest | None, list[Diagnostic]]:
    checked, diagnostics = check(_manifest_model(), node, "the manifest")
    if checked is None:
        return None, diagnostics
    given: dict[str, Any] = checked.model_dump(exclude={"sources", "note"})
    given |= {"load": tuple(given["load"]), "watch": tuple(given["watch"]), "limits": Limits(**given["limits"])}
    given["search"] = SearchSettings(**given["search"])
    given["seldom"], given["follows"] = tuple(given["seldom"]), tuple(given["follows"])
    given["stand_ins"] = {name: tuple(files) for name, files in given["stand_ins"].items()}
    given["result"] = checked.result.model_dump(exclude_unset=True)
    zero_sum = given["result"].pop("zero_sum", False)
    return Manifest(**given, zero_sum=zero_sum, node=node), diagnostics


def read_clauses(source: Source) -> tuple[dict[str, ClauseText], list[Diagnostic]]:
    """Clause id -> clause, in the order of the file; `DS-1: words` is short for a title alone."""
    from typing import Annotated

    from pydantic import AfterValidator, BaseModel, ConfigDict

    class Entry(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)
        title: str
        source: str | Annotated[dict[str, str], AfterValidator(_languages)] = ""
        prose: str = ""
        note: str = ""

    node, diagnostics = read_yaml(source)
    clauses: dict[str, ClauseText] = {}
    for key, (span, entry) in node.entries().items() if node else ():
        if not CLAUSE_ID.fullmatch(key):
            message = f"`{key}` is not a clause id"
            way = "write two or more capitals, `-` and numbers joined by dots, as `AB-4.1`"
            diagnostics.append(Diagnostic("RW0340", Severity.ERROR, span, message, way))
            continue
        if entry.kind == "scalar" and isinstance(entry.value, str):
            clauses[key] = ClauseText(entry.value, {}, "", span)
            continue
        checked, found = check(Entry, entry, f"clause {key}", span)
        diagnostics += found
        if checked is not None:
            given = checked.source
            sources = given if isinstance(given, dict) else {"": given} if given else {}
            clauses[key] = ClauseText(checked.title, sources, checked.prose, span)
    return clauses, diagnostics


def read_locale(source: Source) -> tuple[Locale, list[Diagnostic]]:
    """The texts of a file; nested blocks and dotted keys give the same addresses."""
    node, diagnostics = read_yaml(source)
    locale = Locale()
    if node is not None and node.kind == "map":
        _flatten(node, "", locale, diagnostics)
    elif node is not None:
        diagnostics.append(_not_a_block(node, "a file of texts"))
    return locale, diagnostics


def read_display(source: Source) -> tuple[YamlNode | None, list[Diagnostic]]:
    """The hints as written; `dsl.checks.display` checks them when the names of the rules are known."""
    node, diagnostics = read_yaml(source)
    if node is not None and node.kind != "map":
        return None, [*diagnostics, _not_a_block(node, "a display file")]
    return node, diagnostics


def _not_a_block(node: YamlNode, what: str) -> Diagnostic:
    message = f"{what} is {quote(node.plain())}, expected a block of `key: value` lines"
    return Diagnostic("RW0312", Severity.ERROR, node.span, message, "write `key: value` lines")


def _flatten(node: YamlNode, prefix: str, locale: Locale, diagnostics: list[Diagnostic]) -> None:
    for key, (span, value) in node.entries().items():
        address = f"{prefix}{key}"
        if value.kind == "map":
            _flatten(value, address + ".", locale, diagnostics)
            continue
        if value.kind == "list" or value.value is None:
            message = f"the text of `{address}` is {quote(value.plain())}"
            diagnostics.append(Diagnostic("RW0350", Severity.ERROR, span, message, "write the text in quotes"))
            continue
        if address in locale.texts:
            labels = (Label(locale.spans[address], "the first one"),)
            message = f"the text of `{address}` appears here a second time"
            diagnostics.append(Diagnostic("RW0302", Severity.ERROR, span, message, "keep one of the two", labels))
            continue
        text = str(value.value)
        if _has_open_braces(text):
            message = f"the text of `{address}` has a brace without its partner"
            way = "write `{name}` for a placeholder; texts hold no other braces"
            diagnostics.append(Diagnostic("RW0351", Severity.ERROR, value.span, message, way))
        locale.texts[address] = text
        locale.spans[address] = value.span
        locale.keys[address] = span


def _has_open_braces(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        if depth not in (0, 1):
            return True
    return depth != 0


# ---------------------------------------------------------------- validators of the manifest


def _text(value: Any) -> Any:
    """The text of a value that looks like a number, as versions do."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _name(value: Any) -> Any:
    if isinstance(value, str) and not MANIFEST_ID.fullmatch(value):
        way = "small letters, digits and `_`; it is also the name of the folder"
        raise refusal("RW0306", f"`{value}` cannot be an id", way)
    return value


def _language(value: int) -> int:
    """The language of the rules; a ruleset that names none is of the first."""
    if not 1 <= value <= LANGUAGE:
        way = "a later version of rulewright reads it" if value > LANGUAGE else "the first language is 1"
        raise refusal("RW0330", f"language {value} is not known here, only 1 to {LANGUAGE}", way)
    return value


def _named(value: Any) -> Any:
    """A block whose keys are parts of addresses of texts."""
    for key in value:
        if not MANIFEST_ID.fullmatch(key):
            way = "small letters, digits and `_`; it is also the last word of the address of its text"
            raise refusal("RW0306", f"`{key}` cannot be a name", way, (key, "[key]"))
    return value


def _followed(value: str) -> str:
    if not FOLLOWED.fullmatch(value):
        raise refusal("RW0306", f"`{value}` names no ruleset", "write its id, with overlays behind `+`")
    return value


def _seats(value: Any) -> tuple[int, int]:
    match = SEATS.fullmatch(value) if isinstance(value, str) else None
    if match:
        low, high = int(match[1]), int(match[2])
    elif isinstance(value, dict) and set(value) == {"min", "max"}:
        low, high = value["min"], value["max"]
    elif type(value) is int:
        low = high = value
    elif isinstance(value, dict) and (wrong := [key for key in value if key not in ("min", "max")]):
        message = f"there is no `{wrong[0]}`"
        raise refusal("RW0310", message, did_you_mean(str(wrong[0]), ["min", "max"]), (wrong[0], "[key]"))
    else:
        raise refusal("RW0312", f"read {quote(value)}, expected a number or a range", "write `seats: 2..6`")
    if not (isinstance(low, int) and isinstance(high, int) and 1 <= low <= high <= MAX_SEATS):
        message = f"read `{low}..{high}`, expected 1 <= min <= max <= {MAX_SEATS}"
        raise refusal("RW0313", message, "write the smaller number first, as `2..6`")
    return low, high


def _rules_file(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts or "\\" in value or ":" in value:
        raise refusal("RW0332", f"`{value}` leads out of the ruleset's folder", "name a file inside the folder")
    if path.suffix != ".rules":
        raise refusal("RW0333", f"`{value}` is not a file of rules", "name a file that ends in `.rules`")
    return value


def _title(value: Any) -> Any:
    if value == {}:
        raise refusal("RW0311", "there is no title in any language", "add one with the tag of its language: `en: ...`")
    return _languages(value)


def _languages(value: Any) -> Any:
    """Texts by language."""
    for key in value if isinstance(value, dict) else ():
        if canonical_tag(key) != key:
            raise refusal("RW0352", f"`{key}` is not the tag of a language", tag_help(key), (key, "[key]"))
    return value


def tag_help(written: str) -> str:
    tag = canonical_tag(written)
    return f"write `{tag}`" if tag else "write a tag such as `en`, `pt-BR` or `zh-Hant`"


def _limits(value: Any) -> Any:
    known = [item.name for item in fields(Limits)]
    for key in value if isinstance(value, dict) else ():
        if key not in known:
            raise refusal("RW0310", f"there is no limit `{key}`", did_you_mean(key, known), (key, "[key]"))
        most, given = CEILINGS[key], value[key]
        if isinstance(given, int) and given > most:
            message = f"the limit `{key}` is at most {most}, but {given} was given"
            help = "a game that needs more would stand still: let the rules do less between two decisions"
            raise refusal("RW0327", message, help, (key,))
    return value


def _split_list(value: Any) -> Any:
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else value


def _manifest_model() -> Any:
    from typing import Annotated

    from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, create_model

    strict = ConfigDict(extra="forbid", strict=True)
    text = Annotated[str, BeforeValidator(_text)]
    positive = Annotated[int, Field(ge=1)]
    numbers: Any = {item.name: (positive, item.default) for item in fields(Limits)}
    limits: Any = create_model("Limits", __config__=strict, **numbers)
    settings: Any = {name: (Annotated[int, Field(ge=low, le=high)], None) for name, (low, high) in SETTINGS.items()}
    search: Any = create_model("Search", __config__=strict, **settings)
    result: Any = create_model("Result", __config__=strict, score=(str, ""), winners=(str, ""), zero_sum=(bool, False))
    path = Annotated[str, AfterValidator(_rules_file)]
    files: Any = Annotated[list[str], BeforeValidator(_split_list)]
    shape: Any = {
        "id": (Annotated[str, AfterValidator(_name)], ...),
        "version": (text, ...),
        "language": (Annotated[int, AfterValidator(_language)], 1),
        "title": (Annotated[dict[str, str], AfterValidator(_title)], ...),
        "seats": (Annotated[Any, PlainValidator(_seats)], ...),
        "load": (list[path], ...),
        "result": (result, result()),
        "evaluate": (str, ""),
        "search": (search, search()),
        "limits": (Annotated[limits, BeforeValidator(_limits)], limits()),
        "watch": (Annotated[list[str], BeforeValidator(_split_list)], []),
        "seldom": (Annotated[list[str], BeforeValidator(_split_list)], []),
        "presets": (dict[str, dict[str, Annotated[str, BeforeValidator(_option)]]], {}),
        "follows": (Annotated[list[Annotated[str, AfterValidator(_followed)]], BeforeValidator(_split_list)], []),
        "options_before": (dict[str, Annotated[str, BeforeValidator(_option)]], {}),
        "stand_ins": (Annotated[dict[str, files], AfterValidator(_named)], {}),
        "sources": (Any, None),
        "note": (Any, None),
    }
    model: type[BaseModel] = create_model("Manifest", __config__=strict, **shape)
    return model


def _option(value: Any) -> Any:
    """The text of an option's member; those of bool options are written `true` and `false`."""
    return str(value).lower() if isinstance(value, bool) else _text(value)
