"""The content of a site, before any HTML: cards, clauses, values, rulings, overlays and data of one set of rules.

Plain frozen data that refers to the sources by spans. `gather` makes it, the pages read it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.base.span import Source, Span
from dsl.overlay.changes import Change
from dsl.symbols.symbols import Model
from interpreter import Game
from tools.figures.measured import Measured
from tools.site.content.highlight import Mark


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration at the top of a file, a member of a kind, or a step; `span` is all of it."""

    address: str
    word: str
    span: Span
    name_span: Span
    cites: tuple[str, ...]
    top: bool


@dataclass(frozen=True, slots=True)
class CardPage:
    """The contents of the page of a card. `clauses`: those of the card as a whole first, then those of its lines.
    `naming_rulings`: rulings that cite none of the former, but name the card."""

    id: str
    kind: str
    span: Span
    clauses: tuple[str, ...]
    errata: tuple[Change, ...]
    variants: tuple[Change, ...]
    rule: str  # with all errata; empty if there are none
    rulings: tuple[str, ...]
    naming_rulings: tuple[str, ...]
    copies: int  # the number of things that it declares
    pictures: dict[str, str] = field(default_factory=dict)  # SVG by language


@dataclass(frozen=True, slots=True)
class Citation:
    """A declaration or line that cites a clause; `address` is the nearest enclosing name, `top` the declaration."""

    address: str
    top: str
    span: Span


@dataclass(frozen=True, slots=True)
class ClausePage:
    id: str
    chapter: str
    prose: str
    rules: tuple[Citation, ...]
    rulings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Modifier:
    """A line that changes a value: `where` it is (a card, a rule), the conditions of its `while`; `timed`: only for a
    time, or in one performance."""

    word: str
    where: str
    span: Span
    conditions: tuple[Span, ...]
    timed: bool


@dataclass(frozen=True, slots=True)
class Layer:
    """The modifiers of one layer; without a name if the value has no layers."""

    name: str
    lines: tuple[Modifier, ...]


@dataclass(frozen=True, slots=True)
class ValuePage:
    """The contents of the page of a value. `users`: the declarations that read it; `bots`: greedy bots choose by it,
    and it is no rule."""

    name: str
    span: Span
    cites: tuple[str, ...]
    layers: tuple[Layer, ...]
    users: tuple[str, ...]
    changes: tuple[Change, ...]
    bots: bool


@dataclass(frozen=True, slots=True)
class RulingPage:
    """A ruling or (`position`) what is none of its own: a named position, or (`table`) the text of a ruling with a
    table, whose rows follow. `transcripts` by language; without any it was not run. `pictures` by language, as SVG.
    `row` is the line of a table."""

    name: str
    title: str
    span: Span
    cites: tuple[str, ...]
    position: bool
    passed: bool = True
    failures: tuple[str, ...] = ()
    transcripts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    pictures: dict[str, str] = field(default_factory=dict)
    table: bool = False
    row: Span | None = None


@dataclass(frozen=True, slots=True)
class Overlay:
    """An erratum or variant; `applied`: it is part of the set of rules that the site is about."""

    name: str
    word: str
    dated: str
    because: str
    printing: str
    cites: tuple[str, ...]
    span: Span
    changes: tuple[Change, ...]
    rulings: tuple[str, ...]
    applied: bool


@dataclass(frozen=True, slots=True)
class SiteContent:
    game: Game
    model: Model
    sources: dict[str, Source]
    declared: dict[str, tuple[Declaration, ...]]  # by file
    cards: tuple[CardPage, ...]
    clauses: tuple[ClausePage, ...]
    values: tuple[ValuePage, ...]
    rulings: dict[str, tuple[RulingPage, ...]]  # by file
    overlays: tuple[Overlay, ...]
    urls: dict[str, str]  # target of a link, as `card ID`, `clause AB-1.2` -> page and anchor
    marks: dict[str, tuple[Mark, ...]]  # by file
    languages: tuple[str, ...]
    measured: Measured | None  # the figures in the folder of the ruleset, where no overlays are laid over it
    changed_since: bool  # whether the rules have changed since these were measured
