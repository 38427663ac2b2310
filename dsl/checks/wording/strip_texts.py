"""Texts that need not be written: what the icons of a strip say together (docs/manual/18-cards-and-strips.md).

An option of `A + B -> C / D` is worded by the texts of its icons, with the arguments that stand in the strip; the
question is a phrase of the tool with the title of the card; and a card says its strips, where a strip has a title. A
text in the locale at the same address is used instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dsl.base.types import MemberType
from dsl.elaborate.context import Elaboration
from dsl.files.phrases import template
from dsl.symbols.symbols import CardSym, Model, RoutineSym
from dsl.syntax import nodes as sx

SIGNS = {"+": " + ", "->": " → ", "/": " / "}

Tables = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class TextReader:
    """The texts of one language, with those of the first language behind them."""

    model: Model
    lang: str
    own: Mapping[str, str]
    first: Mapping[str, str]

    def find(self, *keys: str) -> str | None:
        tables = (self.own, self.first)
        return next((table[key] for table in tables for key in keys if key in table), None)

    def phrase(self, key: str) -> str:
        """A phrase of the tool, or what the ruleset says instead."""
        return self.own.get(f"engine.{key}") or template(self.lang, "engine", key)

    def words(self, e: sx.Expr) -> str:
        """A strip or a part of one in words."""
        if not isinstance(e, sx.StripExpr):
            return self.icon(e, "pick") or ""
        items = (self.words(i) for i in e.items)
        inside = (isinstance(i, sx.StripExpr) and i.op == "/" for i in e.items)
        return SIGNS[e.op].join(f"({w})" if i else w for w, i in zip(items, inside, strict=True))

    def icon(self, e: sx.Expr, part: str) -> str | None:
        """The text of an icon with its arguments; without one, its id and the arguments (`pick`) or None (`done`)."""
        called = e.func if isinstance(e, sx.Call) else e
        name = called.id if isinstance(called, sx.Name) else ""
        icon = self.model.routines.get(name)
        args = e.args if isinstance(e, sx.Call) else ()
        given = dict(self.arguments(icon, args)) if icon is not None and len(icon.params) == len(args) else {}
        text = self.find(f"{name}.{part}", *([name] if part == "pick" else []))
        if text is None:
            return " ".join([name, *given.values()]) if part == "pick" else None
        for placeholder, value in given.items():
            text = text.replace(f"{{{placeholder}}}", value)
        return text

    def arguments(self, icon: RoutineSym, args: tuple[sx.Arg, ...]) -> Iterator[tuple[str, str]]:
        """The names of the parameters of an icon with what stands for them."""
        for (name, type_), arg in zip(icon.params, args, strict=True):
            written = self.model.text(arg.value.span)
            id_ = written.rpartition(".")[2]
            domain = type_.domain if isinstance(type_, MemberType) else ""
            yield name, (self.find(f"{domain}.{id_}", id_) if domain else None) or written


def strip_texts(elab: Elaboration, texts: Tables) -> dict[str, dict[str, str]]:
    """The texts of each language that follow from those of icons, cards and strips, at addresses without a text."""
    first = next(iter(texts.values()))
    return {lang: dict(_of_language(elab, TextReader(elab.model, lang, table, first))) for lang, table in texts.items()}


def _of_language(elab: Elaboration, reader: TextReader) -> Iterator[tuple[str, str]]:
    phrase = reader.phrase("which_icon")
    cards = {card.thing: card for card in elab.model.cards.values()}
    for address, thing, ways in elab.findings.ways:
        yield f"{address}.ask", phrase.replace("{card}", _title(reader, cards[thing]) if thing in cards else "")
        for label, item in ways:
            if isinstance(item, (sx.StripExpr, sx.Call)) or label != elab.model.text(item.span):
                yield f"{address}.{label}.pick", reader.words(item)
                done = reader.icon(first_icon(item), "done")
                if done is not None:
                    yield f"{address}.{label}.done", done
    for card in cards.values():
        said = dict(_strips(elab.model, reader, card))
        yield from ((f"{card.kind.name}.{card.name}.{name}", words) for name, words in said.items())
        if rows := _rows(elab.model, reader, card, said):
            yield f"{card.kind.name}.{card.name}.text", "\n".join(rows)


def _title(reader: TextReader, card: CardSym) -> str:
    return reader.find(f"{card.kind.name}.{card.name}", card.name) or card.name


def _strips(m: Model, reader: TextReader, card: CardSym) -> Iterator[tuple[str, str]]:
    """The strips of a card in words."""
    for name in card.kind.strips:
        decl = m.strips.get((card.thing, name))
        if decl is not None and decl.head is not None:
            yield name, reader.words(decl.head)


def _rows(m: Model, reader: TextReader, card: CardSym, said: Mapping[str, str]) -> list[str]:
    """The strips of a card that have a title, with it."""
    kinds = [k.name for k in m.kinds.values() if card.kind in m.kind_parts(k)]
    titled = ((reader.find(*(f"{kind}.{name}" for kind in kinds)), words) for name, words in said.items())
    return [f"{title}: {words}" for title, words in titled if title]


def first_icon(e: sx.Expr) -> sx.Expr:
    """The icon with which a part of a strip begins."""
    while isinstance(e, sx.StripExpr):
        e = e.items[0]
    return e
