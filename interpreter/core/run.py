"""The interface of a run for the handlers of nodes: a program, its store, and whatever carrying out a node needs.

Handlers take a `Run` and reach each other through its tables (`ev`, `ex`, `ins`) and methods; so this module imports
none of them, and every room can import it. The machines of `interpreter.machine` implement it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dsl import ir
from dsl.base.span import NOWHERE, Span
from dsl.base.types import INT_HIGH, INT_LOW, IntType, Type
from dsl.program import Program
from interpreter.core.errors import RulesetError
from interpreter.core.places import PlaceIndex
from interpreter.core.question import Level, RawOption
from interpreter.core.words import Temps, Words

STOPPED = -1  # no instruction follows: the machine waits, or has come to an end

Evaluator = Callable[["Run", Any, Temps], Any]
Executor = Callable[["Run", Any, Temps], int]
Step = Callable[["Run", Any, int, Temps], int]


@dataclass(frozen=True, slots=True)
class ChanceOutcome:
    """The outcome of one chance event; `values` has one number, or the whole order from the top (of a shuffle that is
    asked: the part that is known)."""

    address: str
    op: str
    values: tuple[int, ...]
    ids: tuple[str, ...]
    audience: tuple[int, ...] | None = None  # the seats of `seen by`


class Run(Protocol):
    """A run of the rules as its handlers see it: all that they may read, change and call."""

    program: Program
    words: Words  # the current store
    ev: dict[type, Evaluator]
    ex: dict[type, Executor]
    ins: dict[type, Step]
    script: Sequence[Any]
    draws: list[ChanceOutcome]
    plain: list[int]  # running procedures that do not suspend
    given: Any  # what the procedure called last gave, where that is no number of a word
    probing: bool  # inside a trial of a plan
    list_all: bool  # whether what is taken by default is listed with all that could be chosen instead
    plan_start: Words  # the store at the beginning of the last opened plan
    tries: int
    passes: list[int]  # its only item: how often folds and choices may still go through a member
    offers: list[RawOption]  # options of the question at which the loop stopped
    undecided: tuple[RawOption, ...]  # options withheld there because the tries were used up
    rng: Callable[[], float] | None  # draw the answers of questions, if nobody is to have a list of their options
    candidates: int  # how many answers the last one was drawn from
    seldom: dict[int, frozenset[int]]  # by question: the answers that random play takes once in a while only
    invariants_by_symbols: dict[frozenset[str], tuple[ir.Invariant, ...]]  # the invariants to test after a change
    place_index: PlaceIndex | None  # once places are tested
    temps: int  # enough for any activation of the program
    seat_things: tuple[int, ...]
    seat_numbers: dict[int, int]
    owner_functions: dict[str, int]
    pieces: dict[str, str]
    levels: dict[int, tuple[list[ir.Expr], list[Level]]]  # by id of the alternative
    asked: dict[int, tuple[Any, Any]]  # tests, and the questions about searches that they are, by the id of the test
    questions: dict[int, list[Any]]  # the long answers that were asked for last, by the id of their site

    @property
    def checked(self) -> bool:
        """True if invariants and places are tested while running."""

    # ------------------------------------------------------------ running

    def loop(self, pc: int) -> None:
        """Carry out instructions from `pc` until one of them stops."""

    def value(self, e: ir.Expr, t: Temps) -> Any:
        """The value of an expression."""

    def enter(self, number: int, args: Temps, back: int) -> int:
        """Call a procedure; gives the instruction that follows. One that does not suspend is carried out at once."""

    def call_plain(self, number: int, args: Temps) -> None:
        """Call a procedure that does not suspend."""

    def run_plain(self, number: int, args: Temps) -> None:
        """Carry out the body of a procedure that does not suspend; `args` becomes its list of temps."""

    def give(self, value: Any) -> None:
        """Keep what a procedure gives until it is read; a number stays in the store."""

    def drop_given(self) -> None:
        """Keep of it only what stays in the store: at a question."""

    def holds(self, invariant: ir.Invariant) -> bool:
        """True if an invariant holds."""

    def pending(self) -> tuple[int, ir.Ask]:
        """Number and node of the instruction that waits for an answer."""

    # ------------------------------------------------------------ options

    def bound(self, alternative: ir.Alternative, t: Temps) -> Iterable[tuple[int, ...]]:
        """The values of all bindings of an alternative that pass its guards; its temps stay bound meanwhile."""

    def rows(self, site: ir.Site, t: Temps) -> Iterable[tuple[Any, ...]]:
        """All bindings of the members of a long answer, each with its `sequence.row_parts`."""

    def source_rows(self, purse: int, t: Temps) -> Iterable[tuple[Any, ...]]:
        """The sources of a purse that take part, as `purses.source_rows` reads them; temps hold its arguments."""

    def singles(self, site: ir.Site, t: Temps) -> list[RawOption]:
        """The options of a question that is answered by one alternative or number, before its conditions and keys."""

    def list_options(self) -> list[RawOption]:
        """List the options of the pending question, and store them for the driver."""

    def draw_options(self, rng: Callable[[], float]) -> list[RawOption]:
        """Draw one option of the pending question, and store it as if it were the only one."""

    def accept(self, option: RawOption) -> int:
        """Write an answer into the frame; gives the instruction that follows."""

    # ------------------------------------------------------------ plans

    def commit(self) -> None:
        """Commit the open plan: what follows cannot be taken back."""

    def end_plan(self) -> None:
        """End the open plan."""

    # ------------------------------------------------------------ faults

    def work(self, span: Span) -> None:
        """Count one small unit of work."""

    def overworked(self) -> RulesetError:
        """The fault of too many passes through members since the last decision."""

    def endless(self, span: Span = NOWHERE) -> RulesetError:
        """The fault of too much work since the last decision."""

    def demand(self, message: str, span: Span = NOWHERE, cites: Sequence[str] = (), ends: bool = False) -> Exception:
        """The exception for a demand that is not met: in a trial it fails the plan, elsewhere it is a fault. `ends`:
        after the commit point of an action it ends the action."""

    def fault(self, message: str, span: Span = NOWHERE, cites: Sequence[str] = ()) -> RulesetError:
        """A fault of the ruleset, at this place or at that of the innermost routine."""

    # ------------------------------------------------------------ hooks (called only where a machine overrides them)

    def on_call(self, proc: int, args: Sequence[Any]) -> None:
        """A procedure begins."""

    def on_leave(self, proc: int) -> None:
        """A procedure has ended."""

    def on_store(self, symbol: str, address: int, type_: Type, old: Any, new: Any, cause: int) -> None:
        """A value of the declared state has changed."""

    def on_require(self, guard: ir.Guard, held: bool, temps: Temps) -> None:
        """A demand was tested."""

    def on_note(self, address: str, cites: tuple[str, ...]) -> None:
        """A rule line took effect."""


def call(m: Run, number: int, args: Temps) -> Any:
    """The value of function `number`; `args` becomes its list of temps."""
    fn = m.program.functions[number]
    args.extend([0] * (fn.temps - len(args)))
    if fn.cost:
        m.passes[0] -= fn.cost
        if m.passes[0] < 0:
            spent = f"{m.program.limits.steps} units of work since the last decision (limit `steps`)"
            raise m.fault(f"{spent}: calls of `{fn.name}` lead to very many others", fn.span)
    found = m.ev[type(fn.body)](m, fn.body, args)
    if type(found) is int and type(fn.result) is IntType and not INT_LOW <= found <= INT_HIGH:
        raise m.fault(f"`{fn.name}` is {found}, and numbers are from {INT_LOW} to {INT_HIGH}", fn.span)
    return found
