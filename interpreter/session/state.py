"""A game in progress: the store, the log and what the game was begun with.

The store is the whole position, and a list that is always replaced, never changed; the rest of a `State` is what saves,
replays and narration need. `interpreter.session.advance` changes states, this module only holds them.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from dsl import program as hdr
from interpreter.core.question import RawOption
from interpreter.core.words import Words
from interpreter.machine.recorder import Event, Recorder
from interpreter.rules.rounds import NONE_EARLY, Early
from interpreter.rules.rules import Rules
from interpreter.session.chance import ChanceEvent
from interpreter.session.decision import Decision
from interpreter.session.entry import LogEntry

PAINTERS = "rulewright.state_html"
MOST_RECORDED = 16  # entries of the log whose events outlast the next answer


@dataclass(frozen=True, slots=True)
class PlanStart:
    """The beginning of an open plan: its seat, the store and the length of the log just before. Other seats see this
    position until the plan is certain."""

    seat: int
    words: Words
    entries: int


@dataclass(frozen=True, slots=True)
class Beginning:
    """The position in which a game begins that is no new one: the store, and the plan that was open there."""

    words: Words
    plan: PlanStart | None = None


@dataclass(slots=True, repr=False)
class State:
    """A game in progress. `decision` and `chance`: what the game waits for; `script`: outcomes of chance that replace
    the generator; `auto`: whether forced answers are taken without asking; `checked`: whether invariants are tested
    after each change; `given`: the facts that it began with; `early`: what was answered before its turn in a loop `at
    once`; `begun`: the position that it began from, None at the beginning of the rules; `recorder`: what carries out
    its answers instead of the machine of the game, None where nobody is told of events; `events`: what it recorded of
    the last answers, by the numbers of their entries."""

    game: Rules
    words: Words
    seats: int
    options: dict[str, str]
    seed: int = 0
    script: tuple[Any, ...] = ()
    auto: bool = True
    checked: bool = False
    log: list[LogEntry] = field(default_factory=list)
    plan: PlanStart | None = None
    automatic: int = 0  # forced answers since the last real one
    given: dict[str, Any] = field(default_factory=dict)
    early: Early = NONE_EARLY
    begun: Beginning | None = None
    recorder: Recorder | None = field(default=None, repr=False, compare=False)
    events: Mapping[int, tuple[Event, ...]] = field(default_factory=dict, repr=False, compare=False)
    offers: list[RawOption] | None = field(default=None, repr=False, compare=False)  # options of the store, once listed
    undecided: tuple[RawOption, ...] = field(default=(), repr=False, compare=False)  # withheld when they were listed
    _decision: Decision | None = field(default=None, repr=False, compare=False)
    _chance: ChanceEvent | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        """A line of what an onlooker may know: no words of the store, which hold every secret. Not to be asked in the
        middle of a machine's run, as every question about a state."""
        return f"<State of {self.game.program.id}: {self.seats} seat{'' if self.seats == 1 else 's'}, {self._stands()}>"

    def _stands(self) -> str:
        if self.over:
            return "over"
        if self.words[hdr.CHANCE]:
            return "chance is asked"
        if self.decision is None:
            return "nothing is asked"
        where = f" at {self.decision.address}" if self.plan is None else ""  # how far a plan has come is not told
        return f"seat {self.decision.seat} is asked{where}"

    def _repr_html_(self) -> str | None:
        """The state as a notebook shows it, to an onlooker; None (then it shows `repr`) where nothing draws states."""
        painter = state_painter()
        return painter(self) if painter is not None else None

    @property
    def decision(self) -> Decision | None:
        """The question that the game waits for; None when it is over, or waits for chance."""
        if self.words[hdr.SITE] == 0:
            return None
        if self._decision is None:
            self._decision = Decision(self.game, self.words, self.offers, self.undecided, self.early, self.auto)
        return self._decision

    @property
    def chance(self) -> ChanceEvent | None:
        """The chance event that the game waits for, where chance is asked; `apply` takes one of its outcomes."""
        if self.words[hdr.CHANCE] == 0:
            return None
        if self._chance is None:
            self._chance = ChanceEvent(self.game, self.words)
        return self._chance

    @property
    def over(self) -> bool:
        return self.words[hdr.OVER] == 1

    def digest(self) -> str:
        return digest(self.words)

    def keep_early(self, early: Early) -> None:
        """Keep other answers that were given before their turn: the question is the same, open to others."""
        self.early = early
        self._decision = None

    def replace_words(
        self, words: Words, offers: list[RawOption] | None = None, undecided: tuple[RawOption, ...] = ()
    ) -> None:
        """Replace the store; `offers`: the options of its question, if the machine has just listed them; `undecided`:
        those that it withheld because the tries were used up."""
        self.words = words
        self.offers = offers
        self.undecided = undecided
        self._decision = self._chance = None


@cache
def state_painter() -> Callable[[State], str] | None:
    """The function that draws states for notebooks, from the entry point of this group that is installed, since no tool
    is imported here; None without one."""
    found: Callable[[State], str] | None = None
    for point in entry_points(group=PAINTERS):
        found = point.load()
    return found


def copy(state: State) -> State:
    """An independent copy: nothing that changes is shared. What is tried on it is not recorded."""
    return State(
        state.game, state.words[:], state.seats, state.options.copy(), state.seed, state.script, state.auto,
        state.checked, state.log[:], state.plan, state.automatic, state.given, state.early, state.begun,
        offers=state.offers, undecided=state.undecided, _decision=state._decision, _chance=state._chance,
    )  # fmt: skip


def successor(state: State) -> State:
    """A copy that is to take the place of the state: its answers are recorded as those of the state are. Events far
    back in the log are let go."""
    found, first = copy(state), len(state.log) - MOST_RECORDED
    found.recorder = state.recorder
    found.events = {number: events for number, events in state.events.items() if number >= first}
    return found


def take_over(state: State, other: State) -> None:
    """Bring `state` to the position of `other`, a copy of it that went on."""
    state.log[:] = other.log
    state.events = other.events
    state.plan = other.plan
    state.automatic = other.automatic
    state.early = other.early
    state.replace_words(other.words)


def digest(words: Sequence[int]) -> str:
    """Hash of the canonical words: the same in every process and back end."""
    packed = array("i", words)
    if sys.byteorder == "big":
        packed.byteswap()
    return hashlib.blake2b(packed.tobytes(), digest_size=16).hexdigest()
