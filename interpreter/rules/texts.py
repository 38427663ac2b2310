"""Player-facing texts: lookup by address, placeholders and number forms.

Takes the locale tables of a program and named values with their types; gives finished sentences in one language. A
missing text falls back to shorter tags of the language (`pt` for `pt-BR`), then to the first language of the ruleset,
then to the id, so that a game can always be shown. It evaluates nothing itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dsl.base.types import ListType, MapType, MemberType, SetType, SparseType, Type
from dsl.files.phrases import (
    PLACEHOLDER,
    Worded,
    by_language,
    fill,
    languages,
    pick_form,
    placeholder_parts,
    sections,
    shorter_tags,
    template,
    worded,
)
from dsl.ir.lattices import written
from interpreter.rules.messages import Message, MessageParts, Named, TextLabel
from interpreter.rules.names import NONE_ID, Names, members


class Texts:
    """The texts of one program."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.tables = names.program.texts
        self._orders: dict[str, tuple[tuple[str, dict[str, str]], ...]] = {}
        self._placeholder_names: dict[tuple[str, ...], frozenset[str]] = {}

    def find(self, lang: str, *keys: str) -> str | None:
        """The first of these keys that has a text, in the language asked for, else in the first language."""
        for tag, table in self._tables_for(lang):
            for key in keys:
                if key in table:
                    return worded(table[key], tag)
        return None

    def _tables_for(self, lang: str) -> tuple[tuple[str, dict[str, str]], ...]:
        """The tables in which texts of a language are looked up, in their order, with their languages."""
        if lang not in self._orders:
            tags = dict.fromkeys((*shorter_tags(lang), *self.names.program.languages[:1]))
            self._orders[lang] = tuple((tag, self.tables[tag]) for tag in tags if self.tables.get(tag))
        return self._orders[lang]

    def languages(self) -> tuple[str, ...]:
        """The languages that the game can be shown in: those of the ruleset first, then others of the tool."""
        return tuple(dict.fromkeys((*self.names.program.languages, *languages())))

    def language_name(self, lang: str) -> str:
        """The name that a language has for itself: its `engine.language`, in the ruleset or the tool, else its tag."""
        own = self.tables.get(lang, {}).get("engine.language")
        return own or sections(lang).get("engine", {}).get("language", lang)

    def title(self, lang: str) -> str:
        """The title of the game: the text `game.title`, which the manifest gives where no file of texts does."""
        program = self.names.program
        own = ((self.tables.get(tag, {}).get("game.title"), program.title.get(tag))
               for tag in (*shorter_tags(lang), *program.title))  # fmt: skip
        return next((title for said in own for title in said if title), program.id)

    def placeholder_names(self, keys: tuple[str, ...]) -> frozenset[str]:
        """The placeholders of the texts under these keys, in any language."""
        if keys not in self._placeholder_names:
            found = (placeholders(table.get(key, "")) for table in self.tables.values() for key in keys)
            self._placeholder_names[keys] = frozenset().union(*found)
        return self._placeholder_names[keys]

    def engine(self, lang: str, key: str, **parts: str) -> str:
        """A phrase of the tool, or the text under `engine.` that the ruleset has for it."""
        text = self._engine_template(lang, key)
        return fill(text, parts, self.plural) if parts else text

    def plural(self, lang: str) -> str:
        """The rule for numbers of a language: that of the ruleset, else that of the tool."""
        return self._engine_template(lang, "plural")

    def _engine_template(self, lang: str, key: str) -> str:
        for tag in shorter_tags(lang):
            own = self.tables.get(tag, {}).get(f"engine.{key}")
            if own:
                return worded(own, tag)
        return template(lang, "engine", key)

    def render(self, lang: str, sentences: Message) -> str:
        """The text of a message in this language."""
        return "".join(self.engine(lang, key, **dict(self._render_parts(lang, parts))) for key, parts in sentences)

    def _render_parts(self, lang: str, parts: MessageParts) -> Iterator[tuple[str, str]]:
        for name, part in parts:
            match part:
                case str():
                    yield name, part
                case Named(value, type_):
                    yield name, self.value(lang, value, type_)
                case TextLabel(keys):
                    yield name, self.find(lang, *keys) or part.words
                case _:
                    yield name, self.render(lang, part)

    def id(self, lang: str, domain: str, id_: str) -> str:
        """The display name of a member or thing."""
        if id_ == NONE_ID:
            return self.engine(lang, "none")
        kind = self.kind_of(domain, id_)
        own = self.find(lang, f"{domain}.{id_}", f"{kind}.{id_}", id_)
        return own or (self.cell(lang, kind, id_) if kind in self.names.lattices else id_)

    def cell(self, lang: str, kind: str, id_: str) -> str:
        """The display name of a cell of a lattice: the text `lattice.KIND` with its coordinates, else `(1, -2)`."""
        at = self.names.coordinates(kind, id_)
        if at is None:
            return id_
        text = self.find(lang, f"lattice.{kind}")
        parts = dict(zip(self.names.lattices[kind].axes, at, strict=True))
        return fill(text, parts, self.plural) if text else written(at)

    def thing(self, lang: str, id_: str) -> str:
        """The display name of the thing of an id; the id itself for what is no thing."""
        program = self.names.program
        kind = next((k for k, known in zip(program.thing_kinds, program.thing_ids, strict=True) if known == id_), "")
        return self.id(lang, kind, id_)

    def clause(self, lang: str, id_: str) -> str:
        """The title of a clause: the text `clause.ID`, else the title of the index; empty where there is none."""
        about = self.names.program.clauses.get(id_, {})
        return self.find(lang, f"clause.{id_}") or str(about.get("title", ""))

    def prose(self, lang: str, id_: str) -> str:
        """The reason why no rule implements a clause: the text `clause.ID.prose`, else that of the index; empty where
        rules do."""
        about = self.names.program.clauses.get(id_, {})
        return self.find(lang, f"clause.{id_}.prose") or str(about.get("prose", ""))

    def source(self, lang: str, id_: str) -> tuple[str, str]:
        """The place of a clause in the rulebook, and the language of these words if it is another one: the headings of
        a rulebook are not translated."""
        return by_language(self.names.program.sources_of_clauses.get(id_, {}), lang)

    def kind_of(self, domain: str, id_: str) -> str:
        """The own kind of a member of a union; else the domain."""
        program = self.names.program
        found = program.domains.get(domain)
        if found is None or found.sort != "union":
            return domain
        value = self.names.parse(id_, MemberType(domain, 0, max(found.values)))
        return program.thing_kinds[value] if value else domain

    def value(self, lang: str, value: Any, t: Type) -> str:
        match t:
            case MemberType(domain, _, _, _):
                return self.id(lang, domain, self.names.member(domain, value))
            case SetType(elem):
                return self.joined(lang, [self.value(lang, v, elem) for v in members(value)])
            case ListType(elem, _):
                return self.joined(lang, [self.value(lang, v, elem) for v in value])
            case SparseType(keys, _):
                rows = self.names.keys(keys)
                return self.joined(lang, [f"{self._key(lang, rows[k], keys)} {n}" for k, n in value])
            case MapType(keys, item):
                shown = [(k, v) for k, v in zip(self.names.keys(keys), value, strict=True) if v not in (0, ())]
                return self.joined(lang, [f"{self._key(lang, k, keys)} {self.value(lang, v, item)}" for k, v in shown])
        word = self.names.text(value, t)
        return self.engine(lang, word) if word in ("true", "false") else word

    def joined(self, lang: str, parts: Sequence[str]) -> str:
        return self.engine(lang, "and").join(parts) if parts else self.engine(lang, "none")

    def _key(self, lang: str, values: Sequence[int], types: Sequence[Type]) -> str:
        return " ".join(self.value(lang, v, t) for v, t in zip(values, types, strict=True))

    def strip(self, lang: str, thing: int, name: str) -> str:
        """A strip of a card in the words of its icons; empty if the thing has none of this name."""
        kinds, ids = self.names.program.thing_kinds, self.names.program.thing_ids
        return (self.find(lang, f"{kinds[thing]}.{ids[thing]}.{name}") if thing in range(len(ids)) else None) or ""

    def fill(self, lang: str, template: str, values: Mapping[str, Named | str]) -> str:
        """Replace `{name}` by the value's text, `{n|cube|cubes}` by the form that fits the number and `{card|reward}`
        by what this strip of the card says; an unknown name stays."""

        def one(found: re.Match[str]) -> str:
            name, forms = placeholder_parts(found.group(1))
            named = values.get(squeeze(name))
            if named is None:
                return found.group(0)
            if isinstance(named, str):
                return named
            if not forms:
                return self.value(lang, named.value, named.type)
            if isinstance(named.type, MemberType):
                return self.strip(lang, named.value, forms[0].strip())
            written = template.language if isinstance(template, Worded) else lang
            return pick_form(forms, amount(named), self.plural(written))

        return PLACEHOLDER.sub(one, template)


def placeholders(template: str) -> set[str]:
    """The placeholders of a text."""
    return {squeeze(placeholder_parts(p)[0]) for p in PLACEHOLDER.findall(template)}


def squeeze(name: str) -> str:
    """A placeholder's name without spaces, so that `cost(p, c)` and `cost(p,c)` are one."""
    return "".join(name.split())


def amount(named: Named) -> int:
    """The number that a value stands for when it picks a number form."""
    match named.type:
        case SetType():
            return int(named.value).bit_count()
        case ListType():
            return len(named.value)
        case SparseType():
            return sum(n for _, n in named.value)
        case MapType():
            return sum(v for v in named.value if isinstance(v, int))
    return int(named.value)
