"""The places of all declared state in the flat store.

Takes a collected `Model`, gives every field, zone, option and place word its address, and the layout table and zone
instances from which views, saves and messages are derived.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from dsl import program as pg
from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.base.types import (
    MOST_PIECES,
    PLACE,
    IntType,
    ListType,
    MapType,
    MemberType,
    SetType,
    Type,
    bounds,
    key_count,
    width,
)
from dsl.ir import LayoutEntry, ZoneInstance
from dsl.symbols.symbols import FieldSym, KindSym, Model, PieceSym, ZoneSym

MOST_WORDS = 1_000_000  # of the declared state


@dataclass(slots=True)
class History:
    """A record of how parts of the state stood. `parts`: each with the tables of its factors; `sums`: how many numbers
    are kept of a time; `base`: the word that counts what was recorded, behind which it is kept, -1 after a message."""

    name: str
    span: Span
    most: int = 0
    sums: int = 0
    parts: tuple[tuple[Any, tuple[int, ...]], ...] = ()
    base: int = -1

    @property
    def words(self) -> int:
        """How many it takes."""
        return 1 + self.most * self.sums


@dataclass(slots=True)
class Layout:
    """Addresses. `face_base[kind]` is the face column of a kind with faces; `place[kind]` the place column (0: its
    things never stand in a zone)."""

    entries: list[LayoutEntry] = field(default_factory=list)
    zones: list[ZoneInstance] = field(default_factory=lambda: [ZoneInstance("box", "box", 0, PLACE, 0, 0)])
    init: list[tuple[int, int]] = field(default_factory=list)
    words: int = pg.HEADER
    place: dict[str, int] = field(default_factory=dict)
    face_base: dict[str, int] = field(default_factory=dict)
    known_base: int = 0
    counters: dict[str, int] = field(default_factory=dict)
    notes: dict[str, int] = field(default_factory=dict)
    histories: dict[str, History] = field(default_factory=dict)

    def take(self, words: int) -> int:
        base = self.words
        self.words += words
        return base

    def add(
        self,
        symbol: str,
        dims: tuple[Type, ...],
        t: Type,
        sort: str,
        audience: str = "all",
        piece: str = "",
        absent: tuple[int, ...] = (),
        top: str = "",
        faces: tuple[str, ...] = (),
    ) -> int:
        base = self.take(key_count(dims) * width(t))
        seen = hides_more_than_size(t, sort)
        self.entries.append(LayoutEntry(symbol, base, dims, t, sort, audience, seen, -1, piece, absent, top, faces))
        return base

    def counter(self, name: str) -> int:
        """A word for `once per`."""
        if name not in self.counters:
            self.counters[name] = self.add(f"counter.{name}", (), IntType(0, 999_999), "counter")
        return self.counters[name]

    def note(self, name: str, t: Type) -> int:
        """A word for what is noted while changes are one. It belongs to no declared state, so nobody sees it."""
        if name not in self.notes:
            self.notes[name] = self.take(width(t))
        return self.notes[name]


def hides_more_than_size(t: Type, sort: str) -> bool:
    """Whether a zone hides more than its size: which things, or which sorts of pieces."""
    if sort == "pieces":
        return isinstance(t, MapType) and key_count(t.keys) > 1
    return sort == "zone" or sort == "slot" and t != IntType(0, 1)


def pool_type(zone: ZoneSym) -> Type:
    """Type of the content of a zone of pieces: a code for a slot, else counts by face and index."""
    assert zone.piece
    piece = zone.piece
    keys = pool_keys(piece)
    if zone.cap == 1:
        return IntType(0, key_count(keys))
    return MapType(keys, IntType(0, MOST_PIECES)) if keys else IntType(0, MOST_PIECES)


def pool_keys(piece: PieceSym) -> tuple[Type, ...]:
    """Faces first (so that the counts of one face lie together), then the indices."""
    faces: tuple[Type, ...] = (IntType(0, len(piece.faces) - 1),) if len(piece.faces) > 1 else ()
    return faces + piece.index


def home_address(p: PieceSym, sort: int) -> int:
    """The word of the supply for a sort of pieces, by its number; -1 where the supply is endless."""
    if p.home is None or p.each is None:
        return -1
    if p.home.owner is None:
        return p.home.base + sort
    inner = key_count(p.index[p.home_index + 1 :])
    low, high = bounds(p.index[p.home_index])
    holder = low + sort // inner % (high - low + 1)
    return p.home.base + (holder - p.home.owner.low) * width(pool_type(p.home)) + sort


def thing_type(zone: ZoneSym) -> Type:
    assert zone.kind
    member = zone.kind.type
    if zone.cap == 1:
        return MemberType(member.domain, member.low, member.high, True)
    if zone.ordered:
        return ListType(member, min(zone.cap or len(zone.kind.ids), len(zone.kind.ids)))
    return SetType(member)


def assign_addresses(m: Model) -> Layout:
    """Give every symbol its address."""
    lay = Layout()
    for o in m.options.values():
        o.address = lay.add(o.name, (), o.type, "option")
    for f in m.fields.values():
        f.base = lay.add(f.name, (), f.type, "field", f.audience)
    for z in m.zones.values():
        add_zone(m, lay, z, None)
    for z in m.all_zones():
        if z.owner:
            add_zone(m, lay, z, z.owner)
    held = {k.name for z in m.all_zones() if z.kind for k in m.kind_parts(z.kind)}
    for k in m.kinds.values():
        for f in k.fields.values():
            if not f.const and f.owner is k:
                symbol = f"{k.name}.{f.name}"
                f.base = lay.add(symbol, (k.type,), f.type, "field", f.audience, absent=gaps(m, k))
        if k.parts:
            continue
        if k.faces:
            t = IntType(0, len(k.faces) - 1)
            lay.face_base[k.name] = lay.add(f"{k.name}.face", (k.type,), t, "face", faces=k.faces)
        if k.name in held:
            lay.place[k.name] = lay.add(f"{k.name}.place", (k.type,), IntType(0, len(lay.zones)), "place")
        else:
            lay.place[k.name] = 0
    if any(z.kind and z.audience != "all" for z in m.all_zones()):
        lay.known_base = lay.take(m.thing_count + 1)
    return lay


def check_size(m: Model, lay: Layout) -> None:
    """Report what takes most of a state that is too large."""
    if lay.words <= MOST_WORDS:
        return
    spans = {f"{f.owner.name}.{f.name}" if f.owner else f.name: f.span for f in all_fields(m)}
    spans |= {z.symbol: z.span for z in m.all_zones()}
    sizes = {e.symbol: key_count(e.dims) * width(e.type) for e in lay.entries}
    spans |= {h.name: h.span for h in lay.histories.values()}
    sizes |= {h.name: h.words for h in lay.histories.values()}
    symbol = max((s for s in sizes if s in spans), key=sizes.__getitem__, default="")
    if symbol:
        message = f"`{symbol}` takes {sizes[symbol]} words of the state, which has at most {MOST_WORDS}"
        m.error("RW0329", spans[symbol], message, "keep it for fewer things, or only where it is not nothing")


def all_fields(m: Model) -> list[FieldSym]:
    return [*m.fields.values(), *(f for k in m.kinds.values() for f in k.fields.values() if not f.const)]


def add_zone(m: Model, lay: Layout, z: ZoneSym, owner: KindSym | None) -> None:
    dims: tuple[Type, ...] = ((owner.type,) if owner else ()) + ((z.key,) if z.key else ())
    z.first = len(lay.zones)
    absent = gaps(m, owner) if owner else ()
    if z.piece:
        t = pool_type(z)
        sort = "slot" if z.cap == 1 else "pieces"
        faces = z.piece.faces if len(z.piece.faces) > 1 else ()
        z.base = lay.add(z.symbol, dims, t, sort, z.audience, z.piece.name, absent, faces=faces)
        kind = "pieces"
    else:
        t = thing_type(z)
        z.base = lay.add(z.symbol, dims, t, "zone", z.audience, absent=absent, top=z.top)
        kind = {MemberType: "slot", ListType: "list", SetType: "set"}[type(t)]
    cap = z.cap or (len(z.kind.ids) if z.kind else 0)
    holders = range(owner.low, owner.high + 1) if owner else (0,)
    members = [(z.key, v) for v in range(bounds(z.key)[0], bounds(z.key)[1] + 1)] if z.key else [None]
    places = [(0 if holder in absent else holder, member) for holder in holders for member in members]
    for i, (holder, member) in enumerate(places):
        at = z.base + i * width(t)
        lay.zones.append(ZoneInstance(z.symbol, kind, at, t, cap, holder, z.audience, member, z.top))


def gaps(m: Model, kind: KindSym) -> tuple[int, ...]:
    """The numbers between the members of a kind that belong to other kinds; only unions have any."""
    if not kind.parts:
        return ()
    return tuple(sorted(set(range(kind.low, kind.high + 1)).difference(m.domains[kind.name].values)))
