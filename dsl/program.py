"""The compiled ruleset: everything that a machine, a view, a save or a tool needs, and nothing of the source tree.

A `Program` is plain data (it is what the cache keeps). The flat store that it describes is

    [ header | declared state, in order of declaration | end lists and timed records | frames, growing ]

as an array of 32-bit numbers whose length is the stack pointer: a copy is one slice, the canonical words are all words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.span import Source, Span
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.shows.program import ShowProgram

# header words
PC = 0  # instruction to resume; 0 is never a valid address of user code (instruction 0 is End)
FP = 1  # base of the running frame, 0: none
RV = 2  # value given by the last call
SITE = 3  # pending decision: site number + 1; 0: none
CHANCE = 4  # pending chance: instruction number; 0: none
PLAN = 5  # depth of open plans
PLAN_SEAT = 6  # seat whose plan is open
TOGETHER = 7  # depth of `together`
CHECKING = 8  # 1 while state-based checks run
RNG = 9  # 9, 10, 11: words of the generator
SCRIPT = 12  # outcomes of the chance script used so far
STEPS = 13  # work done since the last decision (budget)
DEFERRED = 14  # items on end lists
TIMED = 15  # timed records
SEATS = 16  # seats in play
OVER = 17  # 1 when the game is over
WAIVE = 18  # set of causes waived by the innermost perform
PLAN_FRAME = 19  # base of the frame that opened the outermost plan; PLAN counts the plans opened by that frame
DRIVEN = 20  # 1 while a procedure runs that a driver started (its end is not the end of the game)
TOGETHER_FRAME = 21  # base of the frame in which the outermost open `together` stands
ASKING = 22  # 1: chance is asked of the driver, not drawn
DRAWN = 23  # things on top of the zone whose order is being asked that are certain already
HEADER = 24

ALL, OWNER, NOBODY = "all", "owner", "nobody"  # audiences
PREDICATE = "fn:"  # before the number of the function that says who is in an audience
SKIPPED = ("place", "option", "seats")  # sorts of state shown elsewhere: by the zones, and at the top

NOTE = "$note"  # the symbol of the words that note what was so as a `together` began

FRAME_LINK = 3  # frame: return address, caller's FP, procedure number, then parameters and variables
DEFERRED_LINK = 2  # an item of an end list takes 2 words (frame, procedure) and then `deferred_args` words
ORDER = ("thing", "seat", "rank")  # what the last words of such an item hold where seats order what waits
TIMED_LINK = 3  # a timed record takes 3 words (line, frame, number of values) and then `timed_args` words


PASSES = 20  # through members that one unit of work stands for
MOST_OPTIONS = 100_000  # of one question


CEILINGS = {
    "frames": 1000, "stack": 1_000_000, "deferred": 10_000, "timed": 10_000, "check_rounds": 100_000, "tries": 100_000,
    "open_to": 100_000, "steps": 20_000_000,
}  # fmt: skip
"""The greatest value of each limit."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the state (manifest `limits`); passing one is a reported error with what filled it."""

    frames: int = 64
    stack: int = 4096
    deferred: int = 32
    timed: int = 32
    check_rounds: int = 200
    tries: int = 2000
    open_to: int = 500
    steps: int = 2_000_000

    @property
    def passes(self) -> int:
        """The number of passes of folds and choices through members that may be made since the last decision."""
        return self.steps * PASSES


SETTINGS = {"scale": (1, 10_000_000), "cut": (0, 1000), "exploring": (0, 1000)}
"""The least and the greatest value of each setting of a search."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Settings of searching bots (manifest `search`); None: as is usual. `scale`: how far ahead by `evaluate` is far;
    `cut`: the most random answers behind the tree; `exploring`: the hundredths of a win that less tried answers are
    preferred by."""

    scale: int | None = None
    cut: int | None = None
    exploring: int | None = None


@dataclass(frozen=True, slots=True)
class StandIn:
    """A stand-in for printed things, as it is under the overlays of the game; its text is at `stand_in.NAME`. `left` of
    `records` are made up; `left` is 0 where no data file of it says how many are."""

    name: str
    files: tuple[str, ...]
    left: int = 0
    records: int = 0


@dataclass(slots=True)
class Program:
    id: str
    version: str
    digest: str  # of all source text, data and overlays
    title: dict[str, str]
    seats: tuple[int, int]
    limits: Limits
    domains: dict[str, ir.DomainInfo]
    thing_ids: tuple[str, ...]  # thing number -> id; index 0 is "none"
    thing_kinds: tuple[str, ...]  # thing number -> kind
    tables: tuple[tuple[Any, ...], ...]
    layout: tuple[ir.LayoutEntry, ...]
    state_words: int  # header + declared state + end lists + timed records
    placed: tuple[int, ...]  # thing number -> address of its place word, 0: none
    zones: tuple[ir.ZoneInstance, ...]  # index 0 is the unnamed box
    init: tuple[tuple[int, int], ...]  # words other than 0 at the start of every game
    deferred_base: int
    deferred_args: int
    timed_base: int
    timed_args: int
    functions: tuple[ir.Function, ...]
    procs: tuple[ir.Proc, ...]
    code: tuple[ir.Instr, ...]
    sites: tuple[ir.Site, ...]
    purses: tuple[ir.Purse, ...]
    invariants: tuple[ir.Invariant, ...]
    options: tuple[ir.OptionInfo, ...]
    entry: int  # procedure `game`
    known_base: int = 0  # first word of "which seats know where thing t is", 0: no hidden zones
    function_names: dict[str, int] = field(default_factory=dict)
    proc_names: dict[str, int] = field(default_factory=dict)
    causes: str = ""  # name of the enum of causes
    seat_kind: str = "Seat"  # seats are things of this kind; seat number s is thing `domains["Seat"].values[s - 1]`
    result: dict[str, int] = field(default_factory=dict)  # manifest `result`: score/winners/... -> function number
    zero_sum: bool = False  # whether the scores of a game always add up to nothing
    evaluate: int = -1  # function (Seat) -> int for greedy bots
    search: SearchSettings = SearchSettings()
    watch: tuple[tuple[str, int], ...] = ()
    seldom: tuple[str, ...] = ()  # actions, and questions whose end, that random bots take only now and then
    clauses: dict[str, dict[str, str]] = field(default_factory=dict)  # id -> {title, source, prose}
    sources_of_clauses: dict[str, dict[str, str]] = field(default_factory=dict)  # id -> language or "" -> source
    cites: dict[str, tuple[str, ...]] = field(default_factory=dict)  # address -> clauses
    texts: dict[str, dict[str, str]] = field(
        default_factory=dict
    )  # language -> address -> text; the first is that of the ruleset
    wanted: tuple[str, ...] = ()  # addresses for which a complete translation has a text
    display: ShowProgram = field(default_factory=ShowProgram)
    positions: Mapping[str, ir.Position] = field(default_factory=dict)
    rulings: Mapping[str, ir.Ruling] = field(default_factory=dict)
    needs: ir.Needs = ir.Needs()  # of both
    broken: tuple[str, ...] = ()  # positions and rulings that were left out, since there are errors in them
    # rulings that hold for other overlays, options or seats only -> their files
    elsewhere: dict[str, str] = field(default_factory=dict)
    # overlays that positions and rulings speak of -> whether there is one
    named_overlays: dict[str, bool] = field(default_factory=dict)
    overlays: tuple[str, ...] = ()  # names of the overlays that were asked for
    as_of: str | None = None  # the day up to which all errata count
    printing: str | None = None
    cards: dict[str, str] = field(default_factory=dict)  # id of a thing with card text -> its kind
    sources: dict[str, Source] = field(default_factory=dict)
    notes: tuple[Diagnostic, ...] = ()  # what the checker said; errors only of cases that are broken
    plans: tuple[tuple[str, str, str], ...] = ()  # (action, grade, sentence that made the difference)
    presets: dict[str, dict[str, str]] = field(default_factory=dict)  # name -> option -> member
    consts: dict[str, tuple[int, Any]] = field(
        default_factory=dict
    )  # `Kind.const` -> (table, type); row of thing t: t - lowest t
    backs: frozenset[str] = frozenset()  # those of them that stand on the backs of their things
    back_tables: frozenset[int] = frozenset()  # the tables of these, and of unions that have them
    copies: dict[int, int] = field(default_factory=dict)  # thing -> first of its copies, where that is another
    hands_on: tuple[ir.HandedOn, ...] = ()  # facts at its end, for another game
    given: tuple[ir.GivenField, ...] = ()  # facts that it may begin with
    follows: tuple[tuple[str, Span], ...] = ()  # rulesets from whose end it may begin; where the manifest says so
    options_before: tuple[tuple[str, str, Span], ...] = ()  # of the game before, if this one is to follow it
    stand_ins: tuple[StandIn, ...] = ()  # in place of printed things; the text of each is at `stand_in.NAME`
    moment_proc: int = -1  # procedure (Seat) that asks for one of the actions `at any moment`; -1: there are none

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the texts; the first stands in where another lacks a text."""
        return tuple(self.texts)

    @property
    def named(self) -> str:
        """The ruleset and what was laid over it, as people and files name it: `orchard+long_winter@2020-05-01`."""
        day = f"@{self.as_of or ''}" if self.as_of or self.printing else ""
        return "+".join((self.id, *self.overlays)) + day + (f"/{self.printing}" if self.printing else "")
