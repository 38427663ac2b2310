"""The parts of a program besides its code: domains, layout, zones, functions, purses, options, rulings, positions."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Span
from dsl.base.types import Type
from dsl.ir.lattices import Lattice

if TYPE_CHECKING:
    from dsl.ir.expressions import Domain, Expr
    from dsl.ir.statements import Pool, Stmt


@dataclass(frozen=True, slots=True)
class DomainInfo:
    """An enum, kind or union. `ids[i]` is the id of member `values[i]`; enums number from 1, things over all kinds from
    1. The members of a lattice are its cells, in the order of their numbers."""

    name: str
    sort: str  # enum, kind, union
    values: tuple[int, ...]
    ids: tuple[str, ...]
    aliases: dict[str, int] = field(default_factory=dict)
    lattice: Lattice | None = None


@dataclass(frozen=True, slots=True)
class LayoutEntry:
    """Declared state: `symbol` (`Place.stones`, `bag`, `Card.turned`), first word, dimensions (key types, row-major),
    the type of one item, who may see it, and what it is.

    sort      field, pieces (count per index), slot (single counted piece), zone (things), place, face, option, seats,
              counter
    audience  `all`, `owner` (of the first dimension's thing), `nobody`, or a function number as `fn:N` (thing, seat)
              -> bool
    size_seen whether everybody may know how much is in a hidden zone (not where that is all there is to know)
    top       who sees the first thing of a zone that not all see; empty: those who see the zone
    absent    the numbers between the members of the first dimension that are no members: a union may have gaps
    faces     the words of the faces of what lies there, or of the thing, if there are several
    """

    symbol: str
    base: int
    dims: tuple[Type, ...]
    type: Type
    sort: str
    audience: str = "all"
    size_seen: bool = True
    owner_fn: int = -1
    piece: str = ""
    absent: tuple[int, ...] = ()
    top: str = ""
    faces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ZoneInstance:
    """Zone number i (from 1) of the program. kind: `slot`, `set`, `list`; `holder` is the thing it belongs to (0:
    global), `member` the one of its holder's zones that it is, with its type, where there is one for each member.
    `top`: who sees its first thing besides those who see it all; empty: nobody."""

    symbol: str
    kind: str
    base: int
    type: Type
    cap: int
    holder: int
    audience: str = "all"
    member: tuple[Type, int] | None = None
    top: str = ""


@dataclass(frozen=True, slots=True)
class Function:
    """A pure function: parameters are temps 0..n-1. `cost`: the work of a call in passes, where functions that call
    each other could run up very much of it; 0 for others, whose work is not counted."""

    name: str
    params: tuple[tuple[str, Type], ...]
    temps: int
    result: Type
    body: Expr
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE
    cost: int = 0


@dataclass(frozen=True, slots=True)
class Proc:
    """A routine. A suspending one has `entry` (instruction number), `epilogue` (where `stop` and `give` go) and a frame
    of `frame_words` words after the three link words, parameters first (one word each); another has `body` and its
    parameters are temps."""

    name: str
    word: str
    params: tuple[tuple[str, Type], ...]
    temps: int
    suspends: bool
    body: tuple[Stmt, ...] = ()
    entry: int = -1
    epilogue: int = -1
    frame_words: int = 0
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE
    of: str = ""  # of the block of a rule line: the card or rule that it stands in, if that has a name


@dataclass(frozen=True, slots=True)
class PurseSource:
    """Pieces of `pool` are worth `worth` each; spent ones go to `target`. A `for every` source is unrolled at run time:
    temp `slot` ranges over `domain`. `most` bounds the pieces that one payment takes from it; a payment adds their
    number to the word at `counter` (0: none), which `where` may read (`once per`). Sources with a `rank` come after
    those without, the lowest first. A source that is `never_back` takes no gains and no change."""

    slot: int
    domain: Domain | None
    pool: Pool
    worth: Expr
    target: Pool | None
    first: bool
    where: Expr | None
    most: Expr | None = None
    counter: int = 0
    rank: Expr | None = None
    never_back: bool = False


@dataclass(frozen=True, slots=True)
class Purse:
    """Parameters are temps 0..n-1; `over_slot` is the temp that holds the overpayment while `require` is tested."""

    name: str
    params: tuple[tuple[str, Type], ...]
    temps: int
    sources: tuple[PurseSource, ...]
    change: Pool | None
    over_slot: int
    require: tuple[Expr, ...]
    keys: tuple[tuple[bool, Expr], ...]


@dataclass(frozen=True, slots=True)
class Invariant:
    name: str
    fn: int
    reads: frozenset[str]
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class HandedOn:
    """A fact that the game hands on at its end: the value of function `fn`, row by row where it has parameters, without
    the rows for which the function `where` (same parameters) is false; -1: all rows."""

    name: str
    fn: int
    where: int = -1
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class GivenField:
    """A field that a game may begin with: the fact `name` is the layout entry `symbol`, one `type` for each combination
    of the `keys` (row-major; the things of its kind first). `optional`: other facts may come without it."""

    name: str
    symbol: str
    keys: tuple[Type, ...]
    type: Type
    optional: bool = False
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class OptionInfo:
    name: str
    domain: str
    default: int
    address: int


@dataclass(frozen=True, slots=True)
class RulingStep:
    """A step of a ruling or position. op: `do` (start `proc` with args), `answer` (`who` text, `items` as texts or
    nested tuples), `chance` (items)."""

    op: str
    proc: int = -1
    args: tuple[Expr, ...] = ()
    who: str = ""
    items: tuple[Any, ...] = ()
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Expectation:
    """A row of an `expect` block. op: `value` (`left` must equal `right`, both of `type`), `illegal`/`legal` (an answer
    by `items`, `reason` may name the guard), `asks` (`who`), `nothing` (is asked), `options` (the texts of all options,
    as a set), `over` (the game has ended), `not over`, `handed` (the fact `who` has the rows `items`, each its keys and
    a value of `type`)."""

    op: str
    text: str
    left: Expr | None = None
    right: Expr | None = None
    type: Type | None = None
    items: tuple[Any, ...] = ()
    reason: str = ""
    who: str = ""
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Needs:
    """All that the expressions of positions and rulings need from a machine beyond what the rules need: room for
    `temps`, the procedures of the actions that they try (`possible`), whether one is tried with changes (`changed`),
    whether they ask which procedures are running."""

    temps: int = 0
    tried: frozenset[int] = frozenset()
    changed: bool = False
    running: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """Steps, and what is expected once they have been taken."""

    steps: tuple[RulingStep, ...] = ()
    expect: tuple[Expectation, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """A golden case. `given` are raw changes of the zeroed store or of a position (see `dsl.driver.rulings`); `stages`
    follow in their order of writing."""

    name: str
    title: str
    cites: tuple[str, ...]
    seats: int
    options: tuple[tuple[str, int], ...]
    given: tuple[Any, ...]
    stages: tuple[Stage, ...]
    file: str = ""
    span: Span = NOWHERE
    temps: int = 0
    base: str = ""  # the position that the rows are put on; empty: the zeroed store

    @property
    def steps(self) -> tuple[RulingStep, ...]:
        """The steps of all stages."""
        return tuple(step for stage in self.stages for step in stage.steps)

    @property
    def expect(self) -> tuple[Expectation, ...]:
        """The expectations of all stages."""
        return tuple(e for stage in self.stages for e in stage.expect)


# rows of positions and rulings: raw changes of the store, not subject to rules


@dataclass(frozen=True, slots=True)
class GivenCell:
    """Write a value at a fixed address (a field, an option, the face of a thing)."""

    address: int
    type: Type
    value: Any
    symbol: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class GivenPieces:
    """The counts of a zone become exactly these: one (address, count, supply address or -1, label) per word;
    differences are taken from the supply or returned to it. Too few pieces in the supply is a reported error with the
    numbers. For a slot the word is the code `count` and `supply` is given per code in `supplies` (code -> address)."""

    cells: tuple[tuple[int, int, int, str], ...]
    slot: bool = False
    supplies: tuple[tuple[int, int], ...] = ()
    symbol: str = ""
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class GivenThings:
    """The content of zone instance `zone` becomes these things in this order; they leave the places where they were,
    and things that were in the zone before go to the unnamed box."""

    zone: int
    things: tuple[int, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class GivenSupply:
    """The contents of a supply once all rows have been applied: one (address, count, label) per word. Another number is
    a reported error, since what the rows do not place stays in the supply; with `gone` there may be more, and it is
    lost."""

    cells: tuple[tuple[int, int, str], ...]
    gone: bool = False
    symbol: str = ""
    span: Span = NOWHERE


Given: TypeAlias = Union[GivenCell, GivenPieces, GivenThings, GivenSupply]


@dataclass(frozen=True, slots=True)
class Position:
    """A named position: options, seats, rows over `base` (or over the zeroed store), then the steps that follow."""

    name: str
    title: str
    base: str
    seats: int
    options: tuple[tuple[str, int], ...]
    given: tuple[Given, ...]
    steps: tuple[RulingStep, ...]
    span: Span = NOWHERE
