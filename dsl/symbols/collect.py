"""First pass over the trees: it collects the declarations.

Takes parsed files and the data documents, fills a `Model` with symbols, numbers members and things, and resolves
declared types; `rule_lines` attaches rule lines to what they change. Bodies are left to the elaborator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from dsl.base.span import NOWHERE, Span
from dsl.base.types import MemberType
from dsl.diagnostics.diagnostic import Label
from dsl.files.rows import COPIES_ROW
from dsl.ir import DomainInfo
from dsl.ir.lattices import cell_id
from dsl.symbols import copies as cp
from dsl.symbols.parts import check_deciders, check_parts
from dsl.symbols.products import check_by, combine, read_lattice
from dsl.symbols.rule_lines import ROUTINES, attach, declare_routine, parameters
from dsl.symbols.shapes import declare_shapes
from dsl.symbols.symbols import (
    CardSym,
    EnumSym,
    KindSym,
    Model,
    PurseSym,
    RoutineSym,
    TableSym,
    ValueSym,
)
from dsl.symbols.types import clause, declare, key_types, type_of
from dsl.syntax import nodes as sx

MOST_THINGS = 100_000  # of all kinds together
CASES = ("position", "ruling")
CITED = ("enum", "ranked enum", "kind", "lattice", "piece", "zone", "field", "option", "table", "purse", "rule")


class Collector:
    """Runs the sub-passes in order.

    `records(kind)` gives the ids of a data file's kind; `lines` are all declarations of the rules.
    """

    def __init__(
        self, model: Model, records: Callable[[KindSym], list[tuple[str, Span, list[str], int]]], max_seats: int
    ) -> None:
        self.m = model
        self.records = records
        self.max_seats = max_seats
        self.lines: list[sx.Line] = []
        self.things: dict[str, dict[str, list[int]]] = {}  # by the names of kinds with cards

    def run(self, files: Iterable[sx.File], bots: Iterable[sx.File] = ()) -> None:
        m = self.m
        self.lines = [line for f in files for line in f.lines]
        bot_lines = [line for f in bots for line in f.lines]
        check_parts(m, self.lines)
        self.collect_names()
        self.number_things()
        self.members()
        declare_shapes(m, self.lines)
        self.signatures(bot_lines)
        check_deciders(m)
        for line in self.lines:
            attach(m, line, 0, (), "")
            if isinstance(line, sx.Decl) and line.word in (*CITED, "triggers ordered"):
                m.add_citations(line.name, line.cites)
                for inner in line.block if line.word in ("kind", "lattice") else ():
                    if isinstance(inner, sx.Decl):
                        m.add_citations(f"{line.name}.{inner.name}", inner.cites)

    # ------------------------------------------------------------ names and numbers

    def collect_names(self) -> None:
        """Collect enums and kinds by name, so that types can be resolved."""
        m = self.m
        seat = KindSym("Seat", NOWHERE, ids=[f"p{i}" for i in range(1, self.max_seats + 1)], used=True)
        m.kinds["Seat"] = seat
        m.declared["Seat"] = NOWHERE
        for line in self.lines:
            if not isinstance(line, sx.Decl) or not line.name:
                continue
            if line.word in ("enum", "ranked enum"):
                if declare(m, line, "enum"):
                    names = [i.id for i in line.items if isinstance(i, sx.Name)]
                    times = Counter(names)
                    for item in line.items:
                        if isinstance(item, sx.Name) and times[item.id] > 1:
                            m.error("RW0202", item.span, f"`{item.id}` is a member of `{line.name}` twice")
                            break
                    m.enums[line.name] = EnumSym(
                        line.name,
                        names,
                        line.word == "ranked enum",
                        line.span,
                        MemberType(line.name, 1, max(1, len(names))),
                    )
            elif line.word in ("kind", "lattice"):
                self.kind(line)
        cells = {k.name for k in m.kinds.values() if k.lattice}
        on_cells = set(cells)  # and the kinds that have a thing for each cell, which come behind the cells
        while more := {
            k.name for k in m.kinds.values() if k.name not in on_cells and on_cells & {k.per, *(n.id for n in k.by)}
        }:
            on_cells |= more
        order = sorted(m.kinds.values(), key=lambda k: (k.name in on_cells, k.name in on_cells - cells))
        m.kinds = {k.name: k for k in order}  # cells are numbered last

    def kind(self, d: sx.Decl) -> None:
        m = self.m
        sym = m.kinds.get(d.name)
        if sym is None:
            if not declare(m, d, d.word):
                return
            sym = m.kinds[d.name] = KindSym(d.name, d.name_span)
        elif (d.items or clause(d, "from") or clause(d, "by")) and (
            sym.data or sym.count_per or sym.parts or sym.by or sym.lattice
        ):
            m.error(
                "RW0202",
                d.name_span,
                f"kind `{d.name}` is given a population twice",
                "a kind may be continued, but without `from` or members",
            )
        sym.decls.append(d)
        if d.word == "lattice":
            sym.lattice = sym.lattice or read_lattice(m, d)
            return
        for item in d.items:
            if isinstance(item, sx.Num):
                sym.count_per = item.value
            elif isinstance(item, sx.Name):
                sym.parts.append(item.id)
        for c in d.clauses:
            arg = c.args[0] if c.args else None
            if c.word == "from" and isinstance(arg, sx.Text):
                sym.data = arg.value
            elif c.word == "per" and isinstance(arg, sx.Name):
                sym.per = arg.id
            elif c.word == "by":
                sym.by = [a for a in c.args if isinstance(a, sx.Name)]
                check_by(m, sym, d, c)
            elif c.word == "decided by" and isinstance(arg, sx.Name):
                sym.decided_by, sym.decided_span = arg.id, arg.span
            elif c.word == "faces":
                sym.faces = tuple(a.id for a in c.args if isinstance(a, sx.Name))
                name = f"{d.name}.face"
                m.enums[name] = EnumSym(
                    name, list(sym.faces), False, c.span, MemberType(name, 1, max(1, len(sym.faces)))
                )

    def number_things(self) -> None:
        """Number all things from 1: seats first, then the kinds in order of declaration."""
        m = self.m
        for line in self.lines:
            if isinstance(line, sx.Decl) and line.word == "card":
                kind = m.kinds.get(line.type.id) if isinstance(line.type, sx.Name) else None
                if kind is None:
                    span = line.type.span if line.type else line.span
                    m.unknown("RW0210", span, "kind", m.text(span), list(m.kinds))
                    m.lose(line)
                elif kind.parts:
                    m.error("RW0211", line.span, f"a card belongs to one kind; `{kind.name}` is a union")
        cards: dict[str, list[sx.Decl]] = {}
        for line in self.lines:
            if isinstance(line, sx.Decl) and line.word == "card" and isinstance(line.type, sx.Name):
                cards.setdefault(line.type.id, []).append(line)
        next_number = 1
        for sym in m.kinds.values():
            if sym.parts:
                continue
            seen: dict[str, Span] = {}
            counts: dict[str, int] = {}
            if sym.data:
                for id_, span, aliases, count in self.records(sym):
                    sym.ids.append(id_)
                    seen[id_] = span
                    counts[id_] = count
                    for a in aliases:
                        sym.aliases[a] = id_
            for card in cards.get(sym.name, ()):
                if card.name not in seen:
                    sym.ids.append(card.name)
                elif not sym.data or seen[card.name] is card.span:
                    m.error("RW0202", card.name_span, f"card `{card.name}` is declared twice")
                seen.setdefault(card.name, card.span)
                row = cp.copies_row(card)
                if row is not None and not cp.declares(sym, COPIES_ROW):
                    counts[card.name] = cp.written_count(m, row)
            self.add_copies(sym, seen, counts)
            more = sym.count_per * (len(m.kinds[sym.per].ids) if sym.per in m.kinds else 1)
            if next_number + len(sym.ids) + more > MOST_THINGS:
                message = (
                    f"`{sym.name}` would have {len(sym.ids) + more} members; there are at most {MOST_THINGS} things"
                )
                help = "use numbers (`1..N`) or counted pieces, which need no thing for each"
                m.error("RW0328", sym.span, message, help)
                sym.count_per = 1
            if sym.per:
                parent = m.kinds.get(sym.per)
                if parent is None or parent.high < parent.low:
                    m.unknown("RW0210", sym.span, "kind", sym.per, [k for k, v in m.kinds.items() if v.high >= v.low])
                else:
                    low = sym.name[0].lower() + sym.name[1:]
                    for owner in parent.ids:
                        n = sym.count_per
                        sym.ids += [f"{low}_{owner}" if n == 1 else f"{low}_{owner}_{i}" for i in range(1, n + 1)]
            elif sym.by:
                combine(m, sym)
            elif sym.lattice is not None:
                sym.ids += [cell_id(sym.name, sym.lattice.coordinates(n)) for n in range(sym.lattice.size)]
            elif sym.count_per:
                low = sym.name[0].lower() + sym.name[1:]
                sym.ids += [f"{low}_{i}" for i in range(1, sym.count_per + 1)]
            if not sym.ids:
                refused = any(clause(d, "from") for d in sym.decls)  # its `from` names no file, as was reported
                if not sym.data and not (sym.per and sym.count_per) and not sym.by and not refused:
                    m.error(
                        "RW0212",
                        sym.span,
                        f"kind `{sym.name}` has no members",
                        'give it some: `from "data/FILE.yaml"`, `: 6 per Seat`, or cards `card x: ' + sym.name + "`",
                    )
                sym.ids.append(f"{sym.name}?")
            sym.low, sym.high = next_number, next_number + len(sym.ids) - 1
            next_number = sym.high + 1
        unions = [sym for sym in m.kinds.values() if sym.parts]
        plain = [name for name, sym in m.kinds.items() if not sym.parts]
        for sym in unions:
            for part in list(sym.parts):
                if part not in plain:
                    m.unknown("RW0210", sym.span, "kind", part, plain)
                    sym.parts.remove(part)
            if not sym.parts:  # later passes go on with a kind of one member
                sym.ids = [f"{sym.name}?"]
                sym.low = sym.high = next_number
                next_number += 1
            else:
                kinds = m.kind_parts(sym)
                sym.low, sym.high = min(k.low for k in kinds), max(k.high for k in kinds)
                sym.ids = [i for k in sorted(kinds, key=lambda k: k.low) for i in k.ids]
        m.thing_count = next_number - 1

    def add_copies(self, kind: KindSym, seen: dict[str, Span], counts: dict[str, int]) -> None:
        """Add the ids of copies after that of their card, `pen`, `pen_2`, `pen_3`; `seen` has the place of every id."""
        ids: list[str] = []
        for id_ in kind.ids:
            ids.append(id_)
            for number in range(2, counts.get(id_, 1) + 1):
                copy = cp.copy_id(id_, number)
                if copy in seen or copy in kind.aliases:
                    self.m.error(
                        "RW0202",
                        seen.get(copy) or seen[kind.aliases[copy]],
                        f"`{copy}` is declared twice: it is the id of a copy of `{id_}`, of which there are "
                        f"{counts[id_]}",
                        "use another id, or other copies",
                        (Label(seen[id_], "this has the copies"),),
                    )
                    continue
                ids.append(copy)
                kind.copies[copy] = id_
        kind.ids = ids

    def members(self) -> None:
        """Domains, and every member id with the domains it belongs to."""
        m = self.m
        for e in m.enums.values():
            values = tuple(range(1, len(e.members) + 1))
            m.domains[e.name] = DomainInfo(e.name, "enum", values, tuple(e.members))
            for v, id_ in enumerate(e.members, 1):
                m.members.setdefault(id_, []).append((e.name, v))
        for k in m.kinds.values():
            kinds = sorted(m.kind_parts(k), key=lambda p: p.low)
            values = tuple(v for p in kinds for v in range(p.low, p.high + 1))
            aliases = {a: p.low + p.ids.index(i) for p in kinds for a, i in p.aliases.items()}
            sort = "union" if k.parts else "kind"
            m.domains[k.name] = DomainInfo(k.name, sort, values, tuple(k.ids), aliases, k.lattice)
            if not k.parts:
                for v, id_ in enumerate(k.ids, k.low):
                    m.members.setdefault(id_, []).append((k.name, v))
                for a, v in aliases.items():
                    m.members.setdefault(a, []).append((k.name, v))

    # ------------------------------------------------------------ values, routines, tables, purses

    def signatures(self, bot_lines: list[sx.Line]) -> None:
        m = self.m
        for line in self.lines:
            self.signature(line, False)
        for line in bot_lines:
            if isinstance(line, sx.Decl) and line.word == "value":
                self.signature(line, True)
            else:
                m.error("RW0231", line.span, "only values belong in bots.rules")

    def signature(self, line: sx.Line, bots: bool) -> None:
        m = self.m
        if not isinstance(line, sx.Decl):
            return
        d = line
        if d.word == "value" and declare(m, d, "value"):
            value = ValueSym(
                d.name, d.name_span, parameters(m, d.params), type_of(m, d.type), d, len(m.values), bots=bots
            )
            if d.type is None:
                m.error(
                    "RW0232",
                    d.span,
                    f"the value `{d.name}` does not say its type",
                    "write `value name(...): TYPE = ...`",
                )
            layers = clause(d, "in layers")
            if layers:
                value.layers = [a.id for a in layers.args if isinstance(a, sx.Name)]
            m.values[d.name] = value
            m.add_citations(d.name, d.cites)
        elif d.word in ROUTINES and declare(m, d, d.word):
            declare_routine(m, d, 0, ())
        elif d.word == "table" and declare(m, d, "table"):
            by = clause(d, "by")
            keys = key_types(m, tuple(a for a in by.args if not isinstance(a, sx.Key))) if by else ()
            m.tables[d.name] = TableSym(d.name, d.name_span, keys, d)
        elif d.word == "purse" and declare(m, d, "purse"):
            m.purses[d.name] = PurseSym(d.name, d.name_span, parameters(m, d.params), d, len(m.purses))
            for line in d.block:
                m.add_citations(d.name, getattr(line, "cites", ()))
        elif d.word == "triggers ordered" and declare(m, d, d.word):
            m.order = d
        elif d.word == "invariant":
            m.invariants.append(d)
            m.add_citations(f"invariant.{d.name}", d.cites)
        elif d.word in CASES:
            collect_case(m, d)
        elif d.word == "card":
            self.card(d)

    def card(self, d: sx.Decl) -> None:
        m = self.m
        kind = m.kinds.get(d.type.id) if isinstance(d.type, sx.Name) else None
        if kind is None or kind.parts:
            return
        if kind.name not in self.things:
            self.things[kind.name] = cp.things_by_id(kind)
        things = self.things[kind.name].get(d.name, ())
        if not things or d.name in m.cards:  # it has no kind, or is declared twice, as was reported
            return
        card = CardSym(d.name, d.text, kind, things[0], d, things=tuple(things))
        m.cards[d.name] = card
        m.add_citations(d.name, d.cites)
        for line in d.block:
            if isinstance(line, sx.Section) and line.word == "effect":
                name = f"{d.name}.effect"
                if name in m.routines:
                    m.error("RW0202", line.span, f"the card `{d.name}` has two effects")
                    continue
                params = parameters(m, kind.effect_params)
                card.effect = RoutineSym(
                    name,
                    "effect",
                    line.span,
                    [*params],
                    None,
                    line.block,
                    len(m.routines) + 1,
                    cites=d.cites + line.cites,
                    this=card.thing,
                )
                m.routines[name] = card.effect
                for thing in things:
                    m.effects[thing] = cp.copy_routine(m, card.effect, thing, cp.refers_to_this(line.block))
            elif isinstance(line, sx.Decl) and line.word == "strip":
                if line.name not in kind.strips:
                    m.unknown("RW0234", line.name_span, f"strip of `{kind.name}`", line.name, list(kind.strips))
                if line.head is None:
                    way = f"write them behind a colon: `strip {line.name}: draw -> gain`"
                    m.error("RW0832", line.span, f"the strip `{line.name}` of the card `{d.name}` has no parts", way)
                    continue
                name = f"{d.name}.{line.name}"
                if name in m.routines:
                    m.error("RW0202", line.name_span, f"the card `{d.name}` has two strips `{line.name}`")
                    continue
                strip = m.routines[name] = RoutineSym(
                    name, "strip", line.span, [], None, (), len(m.routines) + 1, this=card.thing
                )
                for thing in things:
                    m.strips[(thing, line.name)] = line
                    own = cp.refers_to_this(line.head)
                    m.strip_routines[(thing, line.name)] = cp.copy_routine(m, strip, thing, own)


def collect_cases(m: Model, files: Iterable[sx.File]) -> None:
    """The positions and rulings of their files, which hold nothing else: what is in them changes no game."""
    files = list(files)
    check_parts(m, [line for f in files for line in f.lines])
    for line in (line for f in files for line in f.lines):
        if isinstance(line, sx.Decl) and line.word in CASES:
            collect_case(m, line)
        elif isinstance(line, sx.Decl):
            m.error(
                "RW0910",
                Span(line.span.file, line.span.start, line.span.start + len(line.word)),
                f"a file of rulings holds positions and rulings, and this is a `{line.word}`",
                "rules stand in files that end in `.rules`, cards in `.cards`",
            )


def collect_case(m: Model, d: sx.Decl) -> None:
    """A position or a ruling."""
    if d.word == "position":
        if d.name in m.positions:
            m.error("RW0202", d.name_span, f"the position `{d.name}` is declared twice", "give one another name")
        m.positions[d.name] = d
    else:
        if d.name in m.rulings:
            m.error("RW0202", d.name_span, f"the ruling `{d.name}` is declared twice")
        m.rulings[d.name] = d
