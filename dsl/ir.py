"""The intermediate representation: the whole meaning of a checked ruleset, without its text.

Two levels. *Expressions* and *statements* are small trees that never suspend. A procedure that can reach a decision or
a chance event is cut into *instructions* (a flat list shared by the program, addressed by number); between two
instructions everything lives in the store, so a position can be copied, saved and resumed anywhere. A procedure that
cannot suspend stays one statement tree. Values are ints and tuples as `dsl.types` describes. The reference interpreter
defines the meaning of every node.

Locals: a `Temp` lives in the Python list of the running activation; a `FrameVar` lives in the store, in the frame of
the running suspending procedure (`frame base + 3 + slot`; the first three words are return address, caller's frame,
procedure). A temp may be read by a later instruction only if neither a question, nor chance, nor a call lies between (a
parameter of a suspending procedure is a FrameVar).

Addresses: `Linear(const, ((e, stride), ...))` is `const + sum(e * stride)`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias, Union

from dsl.span import NOWHERE, Span
from dsl.types import Type

# ================================================================ expressions


@dataclass(frozen=True, slots=True)
class Const:
    value: Any


@dataclass(frozen=True, slots=True)
class Temp:
    slot: int


@dataclass(frozen=True, slots=True)
class FrameVar:
    slot: int
    type: Type


@dataclass(frozen=True, slots=True)
class FrameItem:
    """One item of a dense map kept in the frame: words at `slot + offset`."""

    slot: int
    offset: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Cell:
    """Load from the declared state at the given address; `symbol` names the layout entry."""

    address: Expr
    type: Type
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class CellSum:
    """Sum of `count` one-word cells from `address` on, `stride` words apart."""

    address: Expr
    count: int
    stride: int = 1
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Linear:
    const: int
    terms: tuple[tuple[Expr, int], ...]


@dataclass(frozen=True, slots=True)
class TableGet:
    """Item `offset` of constant table `table` of the program."""

    table: int
    offset: Expr


@dataclass(frozen=True, slots=True)
class RangeTable:
    """Lookup by ranges: the value of the first (low, high, value) row that holds `key`; the last is the fallback."""

    rows: tuple[tuple[int, int, Any], ...]
    key: Expr


@dataclass(frozen=True, slots=True)
class Not:
    operand: Expr


@dataclass(frozen=True, slots=True)
class And:
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Or:
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class If:
    """`then if test else orelse`, an expression."""

    test: Expr
    then: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True)
class Arith:
    """op: `+ - *`, `min`, `max`, `div_up`, `div_down`, `half_up` (right unused), `half_down`, `|` `&` `&~` (sets)."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare:
    """op: `== != < <= > >=`, gives 0 or 1; `==` compares any two values of one type."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class InSet:
    """1 if bit `member` of `set` is set (0 for member 0)."""

    member: Expr
    set: Expr


@dataclass(frozen=True, slots=True)
class Subset:
    """1 if every member of `left` is in `right`."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class InList:
    member: Expr
    list: Expr


@dataclass(frozen=True, slots=True)
class MakeSet:
    """Set of the given members; 0 (none) adds nothing."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class RangeSet:
    """Set of the ints low..high."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Size:
    """Members of a set (`set`), items of a list or entries of a sparse map (`list`), sum of the amounts of a sparse or
    dense map of ints (`total`)."""

    kind: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class ListItem:
    """`list[index]`, from 1; an index outside is a reported error."""

    list: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class ListOp:
    """op: `insert` (args list, item, index: after insertion the item is number index + 1), `without` (list, set of
    members to drop), `concat`, `to_set`, `to_list` (set -> list in member order), `front` (first item or 0), `last`
    (last item or 0)."""

    op: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class MapItem:
    """Item `offset` of a dense map value; for a sparse one the amount under key number `offset` (0 where none)."""

    map: Expr
    offset: Expr
    sparse: bool = False


@dataclass(frozen=True, slots=True)
class MapWith:
    """A dense map value with item `offset` replaced."""

    map: Expr
    offset: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class CallFn:
    """Call of a pure function of the program."""

    fn: int
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Domain:
    """What a binder ranges over: `set` (a), `list` (a), `range` (a..b)."""

    kind: str
    a: Expr
    b: Expr | None = None


@dataclass(frozen=True, slots=True)
class Fold:
    """kind: count, sum, max, min, any, every, set, list, table, first, only, tied, ranked, tiers.

    `binders` are (temp slot, domain), the later ones inside the earlier ones; `where` is tested innermost. `keys` are
    (highest?, expression). `body` is the folded value (for `set`/`list` the member; for first/only/tied/ranked/tiers
    the member is the last binder). max/min of nothing give `empty`; first of nothing is a failed demand (`required`) or
    0; only: 0 when tied or empty; `table` gives a dense map over all keys of `table_keys` (low, high per binder),
    `empty` where no member lies.
    """

    kind: str
    binders: tuple[tuple[int, Domain], ...]
    where: Expr | None
    keys: tuple[tuple[bool, Expr], ...]
    body: Expr | None
    empty: Any = 0
    required: bool = False
    table_keys: tuple[tuple[int, int], ...] = ()
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Reach:
    """Set of nodes reachable from `start`: temp x is the node stood on, temp y the next, `next` the set of neighbours
    of x, `where` whether the step is open, `costs` (cost of the step, budget) pairs. Start nodes are included."""

    start: Expr
    x: int
    y: int
    next: Expr
    where: Expr | None
    costs: tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True, slots=True)
class Running:
    """1 if a frame of one of these procedures is running (its body or its `at end of` list)."""

    procs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TimedActive:
    """1 if a timed record (`until end of`, `perform with`) of this line is alive."""

    line: int


@dataclass(frozen=True, slots=True)
class TimedFold:
    """Sum (op `+`), or any (op `or`), or last (op `to`: value of the latest whose `where` holds, else `base`), or the
    list (op `list`: of those whose `where` holds, the oldest first) over the live records of a timed line: the captured
    values are bound to temps `slot, slot+1, ...` while `where` and `body` are read. `base` is what no record gives."""

    line: int
    op: str
    slot: int
    where: Expr | None
    body: Expr
    base: Expr | None = None
    types: tuple[Type, ...] = ()  # of the captured values


@dataclass(frozen=True, slots=True)
class Possible:
    """1 if the action (a procedure) with these arguments could be completed by some choices of the actor (`CONCEPTS`
    11). `waive` is a set of causes whose payments are waived; `mods` are timed lines with captured values that hold
    meanwhile."""

    proc: int
    args: tuple[Expr, ...]
    waive: int = 0
    mods: tuple[tuple[int, tuple[Expr, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Payable:
    """1 if `amount` can be paid from purse `purse` with these arguments (`Purse` of the program)."""

    purse: int
    args: tuple[Expr, ...]
    amount: Expr


@dataclass(frozen=True, slots=True)
class Ways:
    """How many ways there are to pay `amount` from purse `purse`; they are ordered by the keys of its default."""

    purse: int
    args: tuple[Expr, ...]
    amount: Expr


@dataclass(frozen=True, slots=True)
class Waived:
    """1 if payments with this cause are waived by the nearest running `perform ... without`."""

    cause: Expr


@dataclass(frozen=True, slots=True)
class Let:
    """`body` with temp `slot` set to `value`."""

    slot: int
    value: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class LastResult:
    """The value given by the procedure called last (header word RV)."""


Expr: TypeAlias = Union[
    Const,
    Temp,
    FrameVar,
    FrameItem,
    Cell,
    CellSum,
    Linear,
    TableGet,
    RangeTable,
    Not,
    And,
    Or,
    If,
    Arith,
    Compare,
    InSet,
    Subset,
    InList,
    MakeSet,
    RangeSet,
    Size,
    ListItem,
    ListOp,
    MapItem,
    MapWith,
    CallFn,
    Fold,
    Reach,
    Running,
    TimedActive,
    TimedFold,
    Possible,
    Payable,
    Ways,
    Waived,
    Let,
    LastResult,
]


# ================================================================ statements (never suspend)


@dataclass(frozen=True, slots=True)
class SetTemp:
    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class SetFrame:
    """Set a frame variable; with `offset` one item of a dense map (type is then the item's)."""

    slot: int
    type: Type
    value: Expr
    offset: Expr | None = None


@dataclass(frozen=True, slots=True)
class Store:
    """Write a value into the declared state. An int outside its type's bounds is a reported ruleset error. `symbol`
    names the layout entry (for traces and dependencies)."""

    address: Expr
    type: Type
    value: Expr
    symbol: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Pool:
    """One end of a transfer of counted pieces. kind: `count` (a word that counts), `slot` (a word that holds the code
    of its single piece, 0 when empty; `code` is the code of the moved piece), `endless` (a supply without limit; no
    word)."""

    kind: str
    address: Expr | None
    code: Expr | None
    symbol: str


@dataclass(frozen=True, slots=True)
class Transfer:
    """Move `amount` equal pieces. `exact`: fewer there (or no room) is a failed demand; else as many as there are. The
    number really moved is put into temp `moved` when it is not None. A negative amount is a reported ruleset error.
    `limit`: room at the destination (None: no limit; a slot has 1)."""

    amount: Expr
    source: Pool
    target: Pool
    exact: bool
    limit: int | None
    moved: int | None
    what: str
    cause: Expr | None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class MoveThing:
    """Move a thing from wherever it is to zone instance `zone`; `at`: None (end of an ordered zone = its top? see
    below), `top`, `bottom` or an expression (number, from 0: how many stay in front of it).

    An ordered zone is read from its top: item 1 is the top. `at top` puts in front, `at bottom` (and no `at`) behind
    the last. A full zone is a failed demand. Thing 0 (none) moves nothing. Zone 0 is the unnamed box.
    """

    thing: Expr
    zone: Expr
    at: Union[str, Expr, None]
    cause: Expr | None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class IfS:
    test: Expr
    then: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class While:
    test: Expr
    body: tuple[Stmt, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class For:
    """Frozen loop: the domain is read once."""

    slot: int
    domain: Domain
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Break:
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True)
class Continue:
    """Next pass of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Return:
    """Leave a procedure that does not suspend; the value goes to RV."""

    value: Expr | None


@dataclass(frozen=True, slots=True)
class CallS:
    """Call of a procedure that does not suspend; its value is in RV afterwards."""

    proc: int
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition with what is needed to explain it: its text, clauses, place, and the operands worth showing (text,
    expression, type). `key` names its text in the locale."""

    test: Expr
    text: str
    cites: tuple[str, ...]
    span: Span
    parts: tuple[tuple[str, Expr, Type], ...] = ()
    key: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Require:
    """A demand: false fails the plan; outside a plan it is a reported ruleset error."""

    guard: Guard


@dataclass(frozen=True, slots=True)
class Defer:
    """Put a procedure with argument values on the end list of the innermost running frame of `procs`; with no `procs`
    on the list of the open `together` (tag 0), which `Drain` works off."""

    procs: tuple[int, ...]
    proc: int
    args: tuple[Expr, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Timed:
    """Make a timed record of `line` with captured values, alive until the innermost running frame of `procs` ends."""

    procs: tuple[int, ...]
    line: int
    values: tuple[Expr, ...]
    span: Span = NOWHERE
    types: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class Pay:
    """Take the default way of paying `amount` from a purse; not payable is a failed demand. `gain` is the mirror image
    (exactly, else the nearest below)."""

    purse: int
    args: tuple[Expr, ...]
    amount: Expr
    gain: bool
    cause: Expr | None
    span: Span = NOWHERE
    way: Expr | None = None  # the number of a way, the default is the first; 0 or None: the default


@dataclass(frozen=True, slots=True)
class Show:
    """The seats of `seats` (a set) now know the things of `things` (a set)."""

    things: Expr
    seats: Expr


@dataclass(frozen=True, slots=True)
class Together:
    """+1 / -1 on the depth of `together`."""

    delta: int


@dataclass(frozen=True, slots=True)
class AtomicEnd:
    """An atomic change of these symbols is complete: in checking runs the invariants that read one of them are tested
    (not while a `together` is open)."""

    symbols: tuple[str, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Note:
    """For traces only: a rule line with this address and these clauses took effect."""

    address: str
    cites: tuple[str, ...]


Stmt: TypeAlias = Union[
    SetTemp,
    SetFrame,
    Store,
    Transfer,
    MoveThing,
    IfS,
    While,
    For,
    Break,
    Continue,
    Return,
    CallS,
    Require,
    Defer,
    Timed,
    Pay,
    Show,
    Together,
    AtomicEnd,
    Note,
]


# ================================================================ instructions


@dataclass(frozen=True, slots=True)
class Run:
    """Run statements, go on with the next instruction."""

    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Jump:
    target: int


@dataclass(frozen=True, slots=True)
class Branch:
    """Go on with the next instruction if `test` holds, else at `target`."""

    test: Expr
    target: int


@dataclass(frozen=True, slots=True)
class CallI:
    """Push a frame for a suspending procedure; it returns to the next instruction with its value in RV."""

    proc: int
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Enter:
    """Call the procedure whose number stands in `proc` (suspending or not) with args; used where it is known only at
    run time. `choices` are the procedures that may come."""

    proc: Expr
    args: tuple[Expr, ...]
    choices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Give:
    """Set RV and go to `target` (the procedure's epilogue)."""

    value: Expr | None
    target: int


@dataclass(frozen=True, slots=True)
class EndList:
    """Stage two of a frame: while the end list of this frame has items, call the first; then fall through. Also drops
    the frame's timed records."""


@dataclass(frozen=True, slots=True)
class Drain:
    """While no `together` is open and its list has items, call the first; then fall through."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Pop the frame and go to its return address (RV is kept)."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the innermost running frame of `procs`: drop the frames inside it with their lists, go to its epilogue; next
    instruction when none is running."""

    procs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """Suspend for the decision of `site`. When it is answered the answer's frame variables are set and the next
    instruction follows; declined or nothing to choose (where the site allows it): `skip`. No option where one is
    needed: a failed demand inside a plan, else a reported dead end."""

    site: int
    skip: int


@dataclass(frozen=True, slots=True)
class Confirm:
    """Go to `target` if the answer that stands in the frame variables of `site` could be given now, else on (to an
    Ask)."""

    site: int
    target: int


@dataclass(frozen=True, slots=True)
class Chance:
    """Suspend for chance. op: `member` (of the set `a`, into frame var `slot`), `number` (a..b), `shuffle` (zone
    instance a), `piece` (`a` is a dense map of counts: one piece is drawn, each equally likely; the answer is the
    lowest number of `type` plus its position). Nothing to draw: go to `empty` when it is not -1, else a failed
    demand. `audience` is the set of seats that are told the outcome; None: whoever sees what was drawn."""

    op: str
    a: Expr
    b: Expr | None
    slot: int
    type: Type | None
    address: str
    empty: int = -1
    span: Span = NOWHERE
    audience: Expr | None = None


@dataclass(frozen=True, slots=True)
class OpenPlan:
    """A plan of the seat that decides for actor `actor` begins (nested: depth + 1)."""

    seat: Expr


@dataclass(frozen=True, slots=True)
class ClosePlan:
    """The plan ends (depth - 1)."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Begin (`begin`) or end the scope of a `perform ... with ... without`: pushes `waive` (a set of causes) and timed
    records."""

    begin: bool
    waive: int = 0
    mods: tuple[tuple[int, tuple[Expr, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """The game (or the procedure started by a driver) is over."""


Instr: TypeAlias = Union[
    Run,
    Jump,
    Branch,
    CallI,
    Enter,
    Give,
    EndList,
    Drain,
    Leave,
    Stop,
    Ask,
    Confirm,
    Chance,
    OpenPlan,
    ClosePlan,
    Scope,
    End,
]


# ================================================================ choice sites


@dataclass(frozen=True, slots=True)
class Alternative:
    """One form of answer: its binders range over domains (later ones may use earlier ones), every guard must hold, and
    if `probe` is a procedure the action with `probe_args` must be possible. `slots` are the frame variables (slot,
    type) that take the values. Binders are temps while options are listed."""

    name: str
    binders: tuple[tuple[str, int, Domain, Type], ...]
    guards: tuple[Guard, ...]
    slots: tuple[tuple[int, Type], ...]
    probe: Possible | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound on a whole answer: op `exactly`, `at least`, `at most`, `covering`; `amount`; for totals `weight`
    (expression over the binder temps of alternative 0, times the amount of the slot; None: 1) and `per` (index of
    the binder whose every value has its own bound; then `amount` may use that binder's temp)."""

    op: str
    amount: Expr
    weight: Expr | None = None
    per: int | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """A place where a seat is asked.

    shape     `one` (one of the alternatives), `some` (a set: alternative 0 ranges over the members), `number` (a
    range),
              `amounts` (a sparse map: alternative 0 ranges over the slots; `each` is (low, high) over its temps)
    seat      the seat asked; actor: who acts (equal to the seat where actors are seats)
    answer    frame variable (slot, type) of the whole answer: the number of the alternative from 1 (`one` with
    several), the set, the
              number, the sparse map; None where not needed
    cursor    frame variable slot for `some` and `amounts`: how many members in the order of S are already passed (0
    at the start)
    such_that tested on the whole answer (answer variable set); `whole_slot` is the temp that holds the answer meanwhile
    keys      only the best answers are offered, over the binder temps (`one`) or the whole answer (`some`)
    decline   may be declined; if_any: nothing to choose skips
    always_ask  asked even with one option (what decides reads hidden cells)
    audience  who sees the answer: `all`, or an expression giving the set of seats
    open_to   for `open to`: the set of seats that may answer now, and the frame variable that takes the answering
    member
    filter    inside an open plan options must be tried (a later demand may fail)
    ways      for the question how to pay: what is paid; its answer is the number of a way
    by_default  the first option is taken, unless the one who is asked wished to choose
    at_once   in a loop `at once`: its first site, and the frame variable with the place of the next member
    waits     the answer is told to all when all have answered
    """

    address: str
    shape: str
    seat: Expr
    actor: Expr
    actor_type: Type
    alternatives: tuple[Alternative, ...]
    each: tuple[Expr, Expr] | None = None
    bounds: tuple[Bound, ...] = ()
    such_that: tuple[Guard, ...] = ()
    keys: tuple[tuple[bool, Expr], ...] = ()
    decline: bool = False
    if_any: bool = False
    answer: tuple[int, Type] | None = None
    cursor: int = -1
    whole_slot: int = -1
    always_ask: bool = False
    audience: Expr | None = None
    filter: bool = False
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE
    temps: int = 0
    text_values: tuple[tuple[str, Expr, Type], ...] = ()
    open_to: tuple[Expr, int] | None = None
    ways: Ways | None = None
    by_default: bool = False
    at_once: tuple[int, int] | None = None
    waits: bool = False


# ================================================================ the program


@dataclass(frozen=True, slots=True)
class DomainInfo:
    """An enum, kind or union. `ids[i]` is the id of member `values[i]`; enums number from 1, things over all kinds from
    1."""

    name: str
    sort: str  # enum, kind, union
    values: tuple[int, ...]
    ids: tuple[str, ...]
    aliases: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LayoutEntry:
    """Declared state: `symbol` (`Place.stones`, `bag`, `Card.turned`), first word, dimensions (key types, row-major),
    the type of one item, who may see it, and what it is.

    sort      field, pieces (count per index), slot (single counted piece), zone (things), place, face, option, seats,
    counter
    audience  `all`, `owner` (of the first dimension's thing), `nobody`, or a function number as `fn:N` (thing, seat)
    -> bool
    size_seen whether it is public how much lies in a hidden zone (not where that is all there is to know)
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


@dataclass(frozen=True, slots=True)
class ZoneInstance:
    """Zone number i (from 1) of the program. kind: `slot`, `set`, `list`; `holder` is the thing it belongs to (0:
    global)."""

    symbol: str
    kind: str
    base: int
    type: Type
    cap: int
    holder: int
    audience: str = "all"


@dataclass(frozen=True, slots=True)
class Function:
    """A pure function: parameters are temps 0..n-1."""

    name: str
    params: tuple[tuple[str, Type], ...]
    temps: int
    result: Type
    body: Expr
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE


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


@dataclass(frozen=True, slots=True)
class PurseSource:
    """Pieces of `pool` are worth `worth` each; spent ones go to `target`. A `for every` source is unrolled at run time:
    temp `slot` ranges over `domain`. `most` bounds the pieces that one payment takes from it; a payment that takes
    some adds their number to the word at `counter` (0: none), which `where` may read (`once per`). Sources with a
    `rank` come behind those without, the lowest first."""

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
class OptionInfo:
    name: str
    domain: str
    default: int
    address: int


@dataclass(frozen=True, slots=True)
class RulingStep:
    """op: `do` (start `proc` with args), `answer` (`who` text, `items` as texts or nested tuples), `chance` (items)."""

    op: str
    proc: int = -1
    args: tuple[Expr, ...] = ()
    who: str = ""
    items: tuple[Any, ...] = ()
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Expectation:
    """op: `value` (`left` must equal `right`, both of `type`), `illegal`/`legal` (an answer by `items`, `reason` may
    name the guard), `asks` (`who`), `options` (the texts of all options, as a set), `over` (the game has ended)."""

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
class Ruling:
    """A golden case. `given` are raw statements over the zeroed or set-up store (see `dsl.rulings`); steps and
    expectations follow in their order of writing."""

    name: str
    title: str
    cites: tuple[str, ...]
    seats: int
    options: tuple[tuple[str, int], ...]
    given: tuple[Any, ...]
    steps: tuple[RulingStep, ...]
    expect: tuple[Expectation, ...]
    file: str = ""
    span: Span = NOWHERE
    temps: int = 0
    base: str = ""  # the position that the rows are put on; empty: the zeroed store


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
    differences come out of the supply or go back there. One too few in the supply is a reported error with the
    numbers. For a slot the word is the code `count` and `supply` is given per code in `supplies` (code -> address)."""

    cells: tuple[tuple[int, int, int, str], ...]
    slot: bool = False
    supplies: tuple[tuple[int, int], ...] = ()
    symbol: str = ""
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class GivenThings:
    """The content of zone instance `zone` becomes these things in this order; they leave the places where they were,
    things that stood there go to the unnamed box."""

    zone: int
    things: tuple[int, ...]
    span: Span = NOWHERE


Given: TypeAlias = Union[GivenCell, GivenPieces, GivenThings]


@dataclass(frozen=True, slots=True)
class Position:
    """A named position: options, seats, rows over `base` (or over the zeroed store), then steps that lead on."""

    name: str
    title: str
    base: str
    seats: int
    options: tuple[tuple[str, int], ...]
    given: tuple[Given, ...]
    steps: tuple[RulingStep, ...]
    span: Span = NOWHERE
