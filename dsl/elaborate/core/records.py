"""Records of the walk, of all that it has made and noted so far: parts of `Elaboration`, each for one room or one
question.

They hold data only. Whoever fills a record is named with it.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, TypeVar

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.base.types import Type
from dsl.elaborate.core.scope import Body, Local, Scope
from dsl.symbols.symbols import RoutineSym, RuleLine
from dsl.syntax import nodes as sx

Call = ir.CallS | ir.CallI | ir.Enter
CallT = TypeVar("CallT", bound=Call)
Demands = tuple[tuple[ir.Guard, ...], tuple[ir.Guard, ...], bool]


@dataclass(slots=True)
class Output:
    """The parts of the program, each by its number."""

    functions: list[ir.Function | None]
    worth_base: int  # number of the first function that gives the worth of a purse; one for each follows
    purses: list[ir.Purse | None]
    next_proc: int
    procs: dict[int, ir.Proc] = field(default_factory=dict)
    code: list[ir.Instr] = field(default_factory=lambda: [ir.End()])
    sites: list[ir.Site] = field(default_factory=list)
    site_bodies: list[tuple[int, Body]] = field(default_factory=list)
    invariants: list[ir.Invariant] = field(default_factory=list)
    hands_on: list[ir.HandedOn] = field(default_factory=list)
    given: list[ir.GivenField] = field(default_factory=list)
    moment_proc: int = -1
    max_deferred: int = 0


@dataclass(slots=True)
class Findings:
    """What later checks of the whole ruleset and the assembly ask for."""

    tests: dict[int, tuple[Span, ir.Expr]] = field(default_factory=dict)  # conditions and where they stand, by id
    checks: list[tuple[sx.Loop, tuple[ir.Expr, ...]]] = field(default_factory=list)  # each check, what it tests
    opened: dict[int, ir.Expr] = field(default_factory=dict)  # what stands in `openly(...)`, by id
    calls: dict[int, tuple[Span, Call]] = field(default_factory=dict)  # of routines, and where they stand, by id
    bad_placeholders: list[tuple[str, str, str]] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)  # address of a demand -> what stands behind its `because`
    grades: dict[str, tuple[str, str]] = field(default_factory=dict)  # of the plan of each action
    # of each `/` in a strip: the address of its question, the thing on which it stands, labels and parts
    ways: list[tuple[str, int, tuple[tuple[str, sx.Expr], ...]]] = field(default_factory=list)

    def call(self, call: CallT, span: Span) -> CallT:
        """The call of a routine, which is written there."""
        self.calls[id(call)] = span, call
        return call


@dataclass(slots=True)
class Memo:
    """Results that are computed when they are first needed."""

    copy_tables: dict[tuple[str, str], int] = field(default_factory=dict)  # (kind, `copy` or `original`) -> table
    joined_tables: dict[tuple[tuple[str, ...], str], int] = field(default_factory=dict)  # (kinds of a union, constant)
    lattice_tables: dict[tuple[Any, ...], int] = field(default_factory=dict)  # (lattice, what, bounds) -> table
    zone_functions: dict[Type, int] = field(default_factory=dict)  # by type: from a thing to the zone that holds it
    # by kind, and whether it is seen where things lie: from two things to whether they cannot be told apart
    alike_functions: dict[tuple[str, bool], int] = field(default_factory=dict)
    # by name: the functions that give the sums of the state now, and the one that counts those recorded with them
    history_functions: dict[str, tuple[tuple[int, ...], int]] = field(default_factory=dict)
    rank_functions: dict[str, int] = field(default_factory=dict)  # by kind: from a thing to its place in source order
    by_cause: dict[str, bool] = field(default_factory=dict)  # purses: whether the offer depends on what is paid for
    # what icons demand, by icon, arguments, reading and type of `you`: head, guards, whether the rest must be tried
    demands: dict[tuple[str, tuple[ir.Expr, ...], ir.Expr, Type], Demands] = field(default_factory=dict)
    at_once: frozenset[str] | None = None  # what may happen inside a `together`
    noting: tuple[int, int] | None = None  # the procedures that note, as a `together` begins, and that clear the notes
    noted_conditions: dict[int, list[tuple[sx.Expr, ...]]] = field(default_factory=dict)  # by card: of its lines
    first_card: int = -1  # the procedure that asks which of several cards comes first
    worked_off: int = -1  # the one that works off what waits for the end of a `together`, in the order that is chosen
    within_orders: set[str] | None = None  # names of routines that may run inside an ordered action
    # what an `is` proves not none, by id of its node
    proved: dict[int, frozenset[sx.Expr]] = field(default_factory=dict)


@dataclass(slots=True)
class ValueReads:
    """The value that is being elaborated, and which values read which."""

    by_function: dict[int, str]  # the values by the number of their function
    current: str = ""
    for_bots: bool = False
    reads: dict[str, dict[str, Span]] = field(default_factory=dict)


@dataclass(slots=True)
class CheckProc:
    """The procedure of all `always` lines: what they read, its number, whether it suspends."""

    reads: frozenset[str] = frozenset()
    proc: int = -1
    suspends: bool = False


@dataclass(slots=True)
class RoutineNotes:
    """Notes that procedures share while they are made. `effect_you` is the kind that acts in each effect, `acting` are
    the effects and icons whose text needs whoever acts; `pending_blocks` and `pending_strips` are blocks that become
    procedures of their own; `resets` are counters to clear when a routine starts, `once_actions` those that an action
    sets; `resolvers` resolve strips, `resolved` are the numbers of these."""

    resolvers: set[str]
    effect_you: dict[int, Type] = field(default_factory=dict)
    acting: set[int] = field(default_factory=set)
    pending_blocks: list[tuple[RoutineSym, str]] = field(default_factory=list)
    pending_strips: list[tuple[RoutineSym, sx.Expr, bool]] = field(default_factory=list)
    resolved: set[int] = field(default_factory=set)
    resets: dict[str, list[int]] = field(default_factory=dict)
    once_actions: dict[str, int] = field(default_factory=dict)
    locals: list[Local] = field(default_factory=list)  # of the routine that is being made
    chained: set[Span] = field(default_factory=set)  # the branches that belong to others
    matched: set[Span] = field(default_factory=set)  # those that say what happens for every member


@dataclass(frozen=True, slots=True)
class TimedRule:
    """A trigger, check or source under `until end of`: its text, the card that it stands on, and what it copies."""

    line: sx.Decl | sx.Loop
    span: Span
    this: int
    address: str
    captured: tuple[tuple[str, Type], ...]


@dataclass(slots=True)
class TimedLines:
    """Lines under `until end of`, and those of `with v by n`."""

    rules: dict[TimedRule, RuleLine]  # what an earlier elaboration has found
    lines: list[RuleLine]  # by number
    found: dict[TimedRule, None] = field(default_factory=dict)  # what this elaboration finds


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A row of a ruling's table: the ruling as it is written, the line, and what stands for each parameter."""

    of: sx.Decl
    line: sx.Row
    values: dict[str, sx.Expr]


@dataclass(slots=True)
class CaseReading:
    """The position or ruling that is being read."""

    scope: Scope = field(default_factory=lambda: Scope(Body("")))
    patched: bool = False  # overlays may have altered a line, which still stands at its old text
    # by section and text of a line (and the line, if patched), what it adds; None: all are read, to resolve their words
    repeated_lines: dict[tuple[str, str, sx.Line | None], list[Any]] | None = None
    rows: dict[str, CaseRow] = field(default_factory=dict)  # by name those of rulings that are rows of a table
    values: dict[str, sx.Expr] = field(default_factory=dict)  # of the row that is being read
    alternatives: frozenset[str] | None = None  # the names of what questions offer, once somebody has asked
