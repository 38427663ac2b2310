"""The syntax tree that the parser gives and every later pass reads.

Frozen dataclasses, each with a `Span`. The tree follows the one sentence shape of the language (*word, operand,
clauses, block*), so it has few classes; which words and clauses may be used where is checked elsewhere.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias, Union

from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Node:
    """Base class of everything in the tree."""

    span: Span = field(default=NOWHERE, kw_only=True, compare=False, repr=False)


# ---------------------------------------------------------------- expressions (types are expressions too)


@dataclass(frozen=True, slots=True)
class Num(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A quoted text: titles, `because`, dates, digests."""

    value: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    """Any bare name: `x`, `true`, `none`, `this`, `you`, `all`, `int`."""

    id: str


@dataclass(frozen=True, slots=True)
class Attr(Node):
    """`base.name`; also ids with dots such as `D3.E` (the elaborator distinguishes them)."""

    base: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`base[a, b]`."""

    base: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Arg(Node):
    """An argument or parameter: `value`, or `name: type` (then `value` is `Name(name)`)."""

    value: Expr
    type: Expr | None = None


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`func(args)`: a call, a declaration's head or a rule line's pattern; `func` is a Name or an Attr. `seats from p`
    is a call of `seats from`."""

    func: Expr
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """op: `-` or `not`."""

    op: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """op: `+ - *` or `mod`."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """op: `is`, `is not`, `in`, `not in`, `<`, `<=`, `>`, `>=`."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Bool(Node):
    """op: `and` or `or`, two or more items."""

    op: str
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Cond(Node):
    """`then if test else orelse`."""

    then: Expr
    test: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True)
class SetLit(Node):
    """`{a, b}`."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class RangeExpr(Node):
    """`low..high`, both ends included."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class TypeExpr(Node):
    """`set of T` (word `set`), `list of T` (`list`), `count by E, F` (`count`), `T or none` (`or none`)."""

    word: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class AnyOf(Node):
    """`any t`: an argument that the player chooses, or any action of a menu."""

    name: str


@dataclass(frozen=True, slots=True)
class Amount(Node):
    """Operand of the moving verbs: `3 cube[a]`, `n[h] cube[a]`, `all cube[a, bare]` (count is then `Name("all")`)."""

    count: Expr
    what: Expr


@dataclass(frozen=True, slots=True)
class Key(Node):
    """`highest e` or `lowest e` of a `with` clause."""

    direction: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Binder(Node):
    """`x in S`."""

    name: str
    domain: Expr


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """A clause word with its arguments.

    `where P`, `from Z`, `each a..b`, `of menu_a, menu_b` (several args), `with highest a, lowest b` (args are `Key`s),
    `with v by n` (word `with by`, args `(v, n)`), `in layer L`, `in layers L, M`, `cost C within B` (word `cost`, args
    `(C, B)`; without `within` only C), `once per F`, `where E` ..., flags without args: `ordered`, `or decline`,
    `if any`, `at once`, `at any moment`, `first`. Words of several words are joined by one space. `exactly`,
    `at least`, `at most`, `covering` are clauses of their own that follow the `total` (or sentence) they bind.
    """

    word: str
    args: tuple[Expr | Key, ...] = ()


@dataclass(frozen=True, slots=True)
class Fold(Node):
    """`word(x in S, y in T where P with KEYS : body)`; word: count sum max min any every set list table first only tied
    ranked tiers, and `reach`, `distance`, `nearest` (binders x, y; clauses `where`, `cost`, `to`).

    `possible(a(..) without C)` is a Fold without binders: word `possible`, the call as body, its clauses."""

    word: str
    binders: tuple[Binder, ...]
    clauses: tuple[Clause, ...]
    body: Expr | None


# icon strips: `A / B + C -> D`
@dataclass(frozen=True, slots=True)
class StripExpr(Node):
    """op: `/` (one of), `+` (all), `->` (afterwards); items are `Call`/`Name`/`StripExpr`."""

    op: str
    items: tuple[Expr, ...]


Expr: TypeAlias = Union[
    Num,
    Text,
    Name,
    Attr,
    Index,
    Call,
    Unary,
    Binary,
    Compare,
    Bool,
    Cond,
    SetLit,
    RangeExpr,
    TypeExpr,
    AnyOf,
    Amount,
    Fold,
    StripExpr,
]


# ---------------------------------------------------------------- lines


@dataclass(frozen=True, slots=True)
class Sentence(Node):
    """`word operands clauses` with an optional block: the verbs (`move gain lose pay turn set show shuffle`), `do
    perform offer resolve give stop require`.

    `give` without operand has `()`. `move 1 cube[a] ...` has one `Amount`; `set f to e` has `(f,)` and a clause `to`.
    `perform a(..) or b(..)` has both calls as operands. `cites` holds the citations.
    """

    word: str
    operands: tuple[Expr, ...]
    clauses: tuple[Clause, ...]
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choose(Node):
    """`choose`/`random`. shape: `one` (binders), `some` (one binder), `number` (one binder over a range), `amounts`
    (binders after `for`; `name` is the map's name), `cases` (`choose one` with `case` lines in `block`)."""

    word: str
    shape: str
    name: str | None
    binders: tuple[Binder, ...]
    clauses: tuple[Clause, ...]
    block: tuple[Line, ...] = ()
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Loop(Node):
    """word: `for every`, `round robin`, `open to`, `repeat`, `always for every` (a check); `live` for `in live S`."""

    word: str
    live: bool
    binders: tuple[Binder, ...]
    clauses: tuple[Clause, ...]
    block: tuple[Line, ...]
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class If(Node):
    """`if`/`else if`/`else`; `orelse` holds a single `If` for `else if`. `depending on X` is such a chain, too, whose
    tests have the spans of the members with which they compare X."""

    test: Expr
    then: tuple[Line, ...]
    orelse: tuple[Line, ...] = ()
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`let x [: T] = e`."""

    name: str
    type: Expr | None
    value: Expr
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result(Node):
    """`= e`, the last line of the block of a value, until it is joined to its declaration."""

    value: Expr
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case(Node):
    """`case name(params) clauses: block`."""

    name: str
    params: tuple[Arg, ...]
    clauses: tuple[Clause, ...]
    block: tuple[Line, ...]
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section(Node):
    """A headed block that is not a loop: `effect`, `step NAME`, `plan by P`, `together`, `while P`, `at end of F`,
    `until end of F`, `given POSITION`, `when`, `expect`, `cases`.

    `name` is the step's name or the position's; `head` the expression (P of `while`, F of `at end of` as a `Name`,
    actor of `plan by`); `params` only for `effect(x: T)`.
    """

    word: str
    name: str | None
    head: Expr | None
    params: tuple[Arg, ...]
    block: tuple[Line, ...]
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer(Node):
    """A ruling's line: `WHO chooses A, B` (word `chooses`) or `chance gives 3, 5` (word `gives`, who is `chance`).
    Items are expressions; an `Amount` is a pair such as `5 cube` or `D2 3` (`count` is the first); a longer run such as
    `D2 D3 1` nests to the left."""

    who: Expr
    word: str
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Row(Node):
    """`key: cells`: data of cards and tables, `given` and `expect` rows, texts (`name: en "..", ja ".."`).

    Each cell is the run of expressions between two commas: `red 1, blue 2` gives `((red, 1), (blue, 2))`. `block` may
    hold further rows.
    """

    key: Expr
    cells: tuple[tuple[Expr, ...], ...]
    block: tuple[Line, ...] = ()
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decl(Node):
    """A declaration, at the top of a file or inside a kind, card, rule or overlay.

    word: enum, ranked enum, option, table, const, field, zone, kind, piece, value, purse, phase, action, procedure,
    icon, card, strip, rule, modify, grant, deny, hands on, source, change, default, before, after, instead of, errata,
    variant, replace, insert before, insert after, drop, alter, invariant, position, ruling.

    name    the declared name; for rule lines (modify, grant, deny, hands on, before, after, instead of) the name inside
            `head`
    head    pattern (`Call`) of rule lines; address of replace/insert/drop/alter; zone of source/change; the strip's
            StripExpr
    params  parameters in brackets; None when there are no brackets
    type    after a colon: field's, const's, zone's type; result of a value; card's kind
    items   members of an enum or option (`Name`s), members of a union or the count of a kind (`kind S: 6 per Seat` ->
            (Num 6,))
    value   after `=`: body of a value (its `let` lines are the block), default of an option, condition of an invariant
            (after its colon)
    text    the title in quotes
    """

    word: str
    name: str
    head: Expr | None = None
    params: tuple[Arg, ...] | None = None
    type: Expr | None = None
    items: tuple[Expr, ...] = ()
    value: Expr | None = None
    text: str | None = None
    clauses: tuple[Clause, ...] = ()
    block: tuple[Line, ...] = ()
    cites: tuple[str, ...] = ()
    name_span: Span = field(default=NOWHERE, compare=False, repr=False)


Line: TypeAlias = Union[Sentence, Choose, Loop, If, Let, Result, Case, Section, Answer, Row, Decl]


def key_name(key: Expr) -> str:
    """The name of a row with this key in an address: `a`, `2`, `3-5` for a range; empty for any other key."""
    match key:
        case Name(id=id):
            return id
        case Num(value=value):
            return str(value)
        case RangeExpr(low=Num(value=low), high=Num(value=high)):
            return f"{low}-{high}"
    return ""


@dataclass(frozen=True, slots=True)
class File(Node):
    """One parsed source file. `unknown`: names whose declaration could not be read; their uses are not reported.
    `lost`: those of them that are known everywhere, not in their block alone."""

    path: str
    lines: tuple[Line, ...]
    unknown: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
