"""Symbols: a class for each sort of declaration, and the `Model` that holds symbols by name.

The collector fills the model, the elaborator reads it. It also takes what both report, to come out in one run.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import Any

from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Source, Span
from dsl.base.spelling import nearest
from dsl.base.types import IntType, MemberType, Type, key_count
from dsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from dsl.ir import DomainInfo, Lattice
from dsl.syntax import nodes as sx


@dataclass(slots=True)
class EnumSym:
    name: str
    members: list[str]
    ranked: bool
    span: Span
    type: MemberType


@dataclass(slots=True)
class PieceSym:
    """Counted, equal objects. `each` is None for an endless supply; `each_of` is the table that says how many there are
    of each sort, where they differ, and `each` then the most. `home` is the zone of the supply. Where that is a zone of
    things, the one of a sort belongs to the thing that its index `home_index` names."""

    name: str
    span: Span
    index: tuple[MemberType, ...] = ()
    each: int | None = None
    each_of: str = ""
    each_span: Span = NOWHERE
    supply: str | None = None
    home: ZoneSym | None = None
    home_index: int = -1
    faces: tuple[str, ...] = ("",)
    used: bool = False


@dataclass(slots=True)
class FieldSym:
    """A stored field or a const of a kind, or a global field. `base` is its first word; a const has a table instead.
    `below` is the kind or union below which it is written, `start` what it says by `= v`; `back`: it stands on the
    backs of its things, for all to see; `given`: a game may begin with it, from outside."""

    name: str
    owner: KindSym | None
    type: Type
    span: Span
    const: bool = False
    base: int = -1
    table: int = -1
    audience: str = "all"
    seen_by: sx.Expr | None = None
    used: bool = False
    written: bool = False
    builtin: bool = False
    below: str = ""
    start: sx.Expr | None = None
    back: bool = False
    given: bool = False


@dataclass(slots=True)
class ZoneSym:
    """A place for counted pieces or for things. `first` is the number of its first zone instance. With a `key` there is
    one for each member of it. `top` is who sees the first thing of a zone that not all see; empty: nobody else."""

    name: str
    owner: KindSym | None
    span: Span
    piece: PieceSym | None = None
    kind: KindSym | None = None
    cap: int | None = None
    ordered: bool = False
    key: MemberType | IntType | None = None
    audience: str = "all"
    seen_by: sx.Expr | None = None
    top: str = ""
    top_seen_by: sx.Expr | None = None
    base: int = -1
    first: int = -1
    used: bool = False

    @property
    def symbol(self) -> str:
        return f"{self.owner.name}.{self.name}" if self.owner else self.name

    @property
    def per_holder(self) -> int:
        """How many zones each holder has of it."""
        return key_count((self.key,)) if self.key else 1


@dataclass(slots=True)
class KindSym:
    """A finite population of things, or a union of kinds (`parts`). The fields and zones of a union are those of its
    parts, too, and belong to the union."""

    name: str
    span: Span
    decls: list[sx.Decl] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)  # id of a copy -> id of the card, which is the first of them
    parts: list[str] = field(default_factory=list)
    decided_by: str | None = None
    decided_span: Span = NOWHERE
    per: str | None = None
    count_per: int = 0
    by: list[sx.Name] = field(default_factory=list)  # one thing for each combination of members of these
    combined: list[tuple[int, ...]] = field(default_factory=list)  # the members of each thing
    lattice: Lattice | None = None  # its members are cells
    data: str | None = None
    low: int = 0
    high: int = -1
    fields: dict[str, FieldSym] = field(default_factory=dict)
    zones: dict[str, ZoneSym] = field(default_factory=dict)
    faces: tuple[str, ...] = ()
    effect_params: tuple[sx.Arg, ...] = ()
    strips: dict[str, Span] = field(default_factory=dict)
    used: bool = False

    @property
    def type(self) -> MemberType:
        return MemberType(self.name, self.low, self.high)


@dataclass(slots=True)
class RuleLine:
    """A rule line. `this` is the card's thing (0 for the ruleset's own), `conditions` the `while` expressions it stands
    under, from the outermost, `timed` the line's number when it stands under `until end of` or `with`."""

    decl: sx.Decl
    this: int = 0
    conditions: tuple[sx.Expr, ...] = ()
    address: str = ""
    number: int = -1
    timed: int = -1
    captured: tuple[tuple[str, Type], ...] = ()


@dataclass(slots=True)
class ValueSym:
    name: str
    span: Span
    params: list[tuple[str, Type]]
    result: Type
    decl: sx.Decl
    fn: int
    layers: list[str] = field(default_factory=list)
    lines: list[RuleLine] = field(default_factory=list)
    used: bool = False
    bots: bool = False


@dataclass(slots=True)
class RoutineSym:
    """A phase, action, procedure or icon, the effect of a card, or a block that became a procedure of its own."""

    name: str
    word: str
    span: Span
    params: list[tuple[str, Type]]
    gives: Type | None
    block: tuple[sx.Line, ...]
    proc: int
    menus: tuple[str, ...] = ()
    clauses: tuple[sx.Clause, ...] = ()
    cites: tuple[str, ...] = ()
    suspends: bool = False
    framed: bool = False
    this: int = 0
    conditions: tuple[sx.Expr, ...] = ()
    lines: list[RuleLine] = field(default_factory=list)
    used: bool = False
    captured: int = 0
    actor: bool = False  # the first parameter is `you`
    optional: bool = False  # a strip that begins with a choice, which may be declined
    original: str = ""  # of an action of a copy: the name of the one that stands on the card
    others: list[RoutineSym] = field(default_factory=list)  # the same action of the copies of its card
    of: str = ""  # of the block of a rule line: the card or rule that it stands in

    @property
    def procs(self) -> tuple[int, ...]:
        """The procedures that its name refers to."""
        return (self.proc, *(other.proc for other in self.others))

    @property
    def address(self) -> str:
        """Its place in the text: the same for all routines that were made from one text."""
        return (self.original or self.name).split("#")[0]


@dataclass(slots=True)
class OptionSym:
    name: str
    span: Span
    type: Type
    default: int
    address: int = -1
    used: bool = False


@dataclass(slots=True)
class TableSym:
    name: str
    span: Span
    keys: tuple[Type, ...]
    decl: sx.Decl
    value: Type = field(default_factory=IntType)
    table: int = -1
    rows: tuple[tuple[int, int, Any], ...] = ()
    used: bool = False


@dataclass(slots=True)
class PurseSym:
    name: str
    span: Span
    params: list[tuple[str, Type]]
    decl: sx.Decl
    number: int
    extra: list[RuleLine] = field(default_factory=list)


@dataclass(slots=True)
class CardSym:
    name: str
    title: str | None
    kind: KindSym
    thing: int
    decl: sx.Decl
    effect: RoutineSym | None = None
    things: tuple[int, ...] = ()  # the copies, the card itself first


@dataclass(slots=True)
class Mentions:
    """What a block names: any names, those after `any`; effects of cards, `resolve`, blocks that last until an end."""

    block: object
    names: set[str] = field(default_factory=set)
    any_of: set[str] = field(default_factory=set)
    effects: bool = False
    resolves: bool = False
    lasting: list[object] = field(default_factory=list)


MOST_GUESSES = 200


class Model:
    """Everything declared, by name, and the diagnostics found so far."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.guesses = 0  # unknown names that were compared with all known ones
        self.sources: dict[str, Source] = {}
        self.enums: dict[str, EnumSym] = {}
        self.kinds: dict[str, KindSym] = {}
        self.pieces: dict[str, PieceSym] = {}
        self.zones: dict[str, ZoneSym] = {}
        self.fields: dict[str, FieldSym] = {}
        self.options: dict[str, OptionSym] = {}
        self.tables: dict[str, TableSym] = {}
        self.values: dict[str, ValueSym] = {}
        self.routines: dict[str, RoutineSym] = {}
        self.purses: dict[str, PurseSym] = {}
        self.cards: dict[str, CardSym] = {}
        self.effects: dict[int, RoutineSym] = {}  # thing -> effect
        self.strips: dict[tuple[int, str], sx.Decl] = {}
        self.strip_routines: dict[tuple[int, str], RoutineSym] = {}
        self.menus: dict[str, list[RoutineSym]] = {}
        self.checks: list[tuple[sx.Loop, RuleLine]] = []
        self.triggers: list[RuleLine] = []
        self.order: sx.Decl | None = None  # `triggers ordered`: who says which of several cards comes first
        self.invariants: list[sx.Decl] = []
        self.facts: dict[str, tuple[ValueSym, RuleLine]] = {}  # what is handed on: a value, the line that says so
        self.positions: dict[str, sx.Decl] = {}
        self.rulings: dict[str, sx.Decl] = {}
        self.put_in: tuple[tuple[Span, str], ...] = ()  # for the parameters of a ruling
        self.domains: dict[str, DomainInfo] = {}
        self.members: dict[str, list[tuple[str, int]]] = {}  # id or alias -> (domain, value)
        self.tables_data: list[tuple[Any, ...]] = []
        self.declared: dict[str, Span] = {}  # every global name
        self.dropped: dict[tuple[str, str], Span] = {}  # (kind or enum, name) that an overlay takes away -> where
        self.broken: set[str] = set()  # names whose declaration failed: known, of unknown type
        self.lost: dict[str, Span] = {}  # those whose declaration cannot be used, with its place: no use is reported
        self.cites: dict[str, list[str]] = {}
        self.mentions: dict[int, Mentions] = {}  # by the id of a block; each holds its block, so the id stays unique
        self.thing_count = 0
        self.uses: list[tuple[Span, Span]] = []  # for editors, as the next two: (use, declaration)
        self.resolved_members: dict[Span, tuple[str, int]] = {}  # use of a member -> (domain, value)
        self.locals: dict[tuple[Span, str], Type] = {}  # (where it is bound, its name)

    # ------------------------------------------------------------ diagnostics

    def report(
        self,
        severity: Severity,
        code: str,
        span: Span,
        message: str,
        help: str | None = None,
        labels: tuple[Label, ...] = (),
        fix: Fix | None = None,
    ) -> None:
        """Add a message; one that was given before is left out where all are sorted."""
        self.diagnostics.append(Diagnostic(code, severity, span, message, help, labels, fix))

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        help: str | None = None,
        labels: tuple[Label, ...] = (),
        fix: Fix | None = None,
    ) -> None:
        self.report(Severity.ERROR, code, span, message, help, labels, fix)

    def warn(self, code: str, span: Span, message: str, help: str | None = None) -> None:
        self.report(Severity.WARNING, code, span, message, help)

    def note(self, code: str, span: Span, message: str, help: str | None = None) -> None:
        self.report(Severity.NOTE, code, span, message, help)

    def unknown(self, code: str, span: Span, what: str, name: str, known: list[str], help: str | None = None) -> None:
        """Report an unknown name, with `help`, or with the nearest known one. A name that is declared twice was
        reported there."""
        if name in self.broken and name in self.declared:
            return
        gone = tuple(Label(at, "it is dropped here") for (_, id), at in self.dropped.items() if id == name)
        help = "an overlay drops it: change or drop what names it as well" if gone else help
        self.guesses += help is None
        near = None if help or self.guesses > MOST_GUESSES else nearest(name, known)
        span = self.sources[span.file].narrowed(span, name) if span.file in self.sources else span
        fix = Fix(span, near) if near and span.end - span.start == len(name) else None
        self.error(code, span, f"unknown {what} `{name}`", f"did you mean `{near}`?" if near else help, gone, fix)

    @contextmanager
    def quietly(self) -> Iterator[int]:
        """Forget all that is reported inside, where it is read a second time. Gives the number of messages before."""
        told, broken = len(self.diagnostics), set(self.broken)
        yield told
        del self.diagnostics[told:]
        self.broken = broken

    def lose(self, d: sx.Decl) -> None:
        """Note that a declaration cannot be used, after the message that says why."""
        self.broken.add(d.name)
        self.lost[d.name] = d.span

    def text(self, span: Span) -> str:
        """The source text of a span on one line, with values for the parameters of a ruling."""
        source = self.sources.get(span.file)
        return " ".join(source.with_values(span, self.put_in).split()) if source else ""

    # ------------------------------------------------------------ questions

    def kind_parts(self, kind: KindSym) -> list[KindSym]:
        """The plain kinds that a kind or union consists of."""
        inner = (self.kinds[name] for name in kind.parts if name in self.kinds)
        return [part for one in inner for part in self.kind_parts(one)] if kind.parts else [kind]

    def all_fields(self) -> list[FieldSym]:
        """Every field and constant once, the global ones first."""
        return [*self.fields.values(), *(f for k in self.kinds.values() for f in k.fields.values() if f.owner is k)]

    def all_zones(self) -> list[ZoneSym]:
        """Every zone once, the global ones first."""
        return [*self.zones.values(), *(z for k in self.kinds.values() for z in k.zones.values() if z.owner is k)]

    def shape(self, kind: KindSym, name: str) -> FieldSym | ZoneSym | None:
        """The one field or zone of this name that all things of a kind or union have; a constant of a union is one of
        each of its kinds."""
        found = [part.fields.get(name) or part.zones.get(name) for part in self.kind_parts(kind)]
        return found[0] if found and all(f is found[0] for f in found) else None

    def kind_of(self, t: Type) -> KindSym | None:
        return self.kinds.get(t.domain) if isinstance(t, MemberType) else None

    def fits_kind(self, t: MemberType, wanted: MemberType) -> bool:
        """Whether every member of t's domain is a member of wanted's."""
        if t.domain == wanted.domain:
            return True
        have, want = self.kinds.get(t.domain), self.kinds.get(wanted.domain)
        if have is None or want is None:
            return False
        parts = {k.name for k in self.kind_parts(want)}
        return all(k.name in parts for k in self.kind_parts(have))

    def domain_mask(self, name: str) -> int:
        return sum(1 << v for v in self.domains[name].values)

    def add_citations(self, address: str, cites: tuple[str, ...]) -> None:
        if cites:
            self.cites.setdefault(address, []).extend(c for c in cites if c not in self.cites.get(address, ()))


def flat_id(node: sx.Expr) -> str | None:
    """`D3.E` as written, if the node is a chain of names."""
    if isinstance(node, sx.Name):
        return node.id
    if isinstance(node, sx.Attr):
        return f"{inner}.{node.name}" if (inner := flat_id(node.base)) else None
    return str(node.value) if isinstance(node, sx.Num) else None
