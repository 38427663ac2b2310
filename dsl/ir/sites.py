"""Choice sites: which seat is asked for what, and how an answer is tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Span
from dsl.base.types import Type

if TYPE_CHECKING:
    from dsl.ir.expressions import Domain, Expr, Payments, Possible
    from dsl.ir.statements import Guard


@dataclass(frozen=True, slots=True)
class Alternative:
    """One form of answer: its binders range over domains (later ones may use earlier ones), every guard must hold, and
    if `probe` is a procedure the action with `probe_args` must be possible. `slots` are the frame variables (slot,
    type) that take the values. Binders are temps while options are listed. `alike`: the temp of the binder whose things
    are one option where they cannot be told apart, and the set of those that are so with the one in it; None: none."""

    name: str
    binders: tuple[tuple[str, int, Domain, Type], ...]
    guards: tuple[Guard, ...]
    slots: tuple[tuple[int, Type], ...]
    probe: Possible | None = None
    alike: tuple[int, Expr] | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound on a whole answer: op `exactly`, `at least`, `at most`, `covering`; `amount`; for totals `weight`
    (expression over the binder temps of alternative 0, times the amount of the slot; None: 1) and `per` (index of
    the binder whose every value has its own bound; then `amount` may use that binder's temp). `slot`: the temp that
    holds the amount, if the weight is instead all that a member adds with its amount; -1: there is none. `known`:
    everybody knows the amount."""

    op: str
    amount: Expr
    weight: Expr | None = None
    per: int | None = None
    slot: int = -1
    known: bool = False


OWN = -1  # stands for the answer of the question itself


@dataclass(frozen=True, slots=True)
class Site:
    """A place where a seat is asked.

    shape     `one` (one of the alternatives), `some` (a set: alternative 0 ranges over the members), `number` (a
              range), `amounts` (a sparse map: alternative 0 ranges over the slots; `each` is (low, high) over its
              temps)
    seat      the seat asked; actor: who acts (equal to the seat where actors are seats)
    answer    frame variable (slot, type) of the whole answer: the number of the alternative from 1 (`one` with
              several), the set, the number, the sparse map; None where not needed
    cursor    frame variable slot for `some` and `amounts`: how many members in the order of S are already passed (0
              at the start)
    such_that tested on the whole answer (answer variable set); `whole_slot` is the temp that holds the answer meanwhile
    keys      only the best answers are offered, over the binder temps (`one`) or the whole answer (`some`)
    decline   may be declined; if_any: skipped when there is nothing to choose
    always_ask  asked even with one option (what decides is not known to all)
    sighted   it reads what only those see whom a predicate lets see: in play the one who is asked must be one of them
    audience  who sees the answer: `all`, or an expression giving the set of seats
    open_to   for `open to`: the set of seats that may answer now, and the frame variable that takes the answering
              member
    filter    inside an open plan options must be tried (a later demand may fail), declining too
    payment   for the question how to pay or to gain: what is paid; its answer is the number of a way
    by_default  the first option is taken, unless the seat that is asked wished to choose
    at_once   in a loop `at once`: its first site, and the frame variables with the place of the next member and with
              the list of the members
    waits     the answer is shown to all once all have answered
    text_values  what texts may name; own_values: the same for each alternative, whose binders these may read
    kept      the frame variables that hold what not all may know; unseen: those that the one who is asked may not know;
              named: those that hold what was chosen openly among hidden things, and `OWN` where this question is such
              a choice: texts name it to who knows it
    open_values  which of the values for texts everybody may see in the log, even where they depend on hidden cells
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
    sighted: bool = False
    audience: Expr | None = None
    filter: bool = False
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE
    temps: int = 0
    text_values: tuple[tuple[str, Expr, Type], ...] = ()
    own_values: tuple[tuple[tuple[str, Expr, Type], ...], ...] = ()
    open_values: frozenset[str] = frozenset()
    kept: frozenset[int] = frozenset()
    unseen: frozenset[int] = frozenset()
    named: frozenset[int] = frozenset()
    open_to: tuple[Expr, int] | None = None
    payment: Payments | None = None
    by_default: bool = False
    at_once: tuple[int, int, int] | None = None
    waits: bool = False

    def answer_slots(self) -> list[tuple[int, Type]]:
        """The frame variables that take the answer."""
        return [s for a in self.alternatives for s in a.slots] + ([self.answer] if self.answer else [])
