"""A game in progress: the store, the log and what the game was begun with.

The store is the whole position, and a list that is always replaced, never changed; the rest of a `State` is what saves,
replays and narration need. `interpreter.session.advance` changes states, this module only holds them.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dsl import program as hdr
from interpreter.core.question import Option
from interpreter.rules.rules import Rules
from interpreter.session.chance import ChanceEvent
from interpreter.session.decision import Decision
from interpreter.session.entry import LogEntry


@dataclass(frozen=True, slots=True)
class OpenPlan:
    """Where an open plan began: its seat, the store and the length of the log just before. Other seats see this
    position until the plan is certain."""

    seat: int
    words: tuple[int, ...]
    entries: int


@dataclass(slots=True)
class State:
    """A game in progress. `decision` and `chance`: what the game waits for; `script`: outcomes of chance that replace
    the generator; `auto`: whether forced answers are taken without asking; `checked`: whether invariants are tested
    after each change; `given`: the facts that it began with."""

    game: Rules
    words: list[int]
    seats: int
    options: dict[str, str]
    seed: int = 0
    script: tuple[Any, ...] = ()
    auto: bool = True
    checked: bool = False
    log: list[LogEntry] = field(default_factory=list)
    plan: OpenPlan | None = None
    automatic: int = 0  # forced answers since the last real one
    given: dict[str, Any] = field(default_factory=dict)
    offers: list[Option] | None = field(default=None, repr=False, compare=False)  # options of the store, once listed
    undecided: tuple[Option, ...] = field(default=(), repr=False, compare=False)  # withheld when they were listed
    _decision: Decision | None = field(default=None, repr=False, compare=False)
    _chance: ChanceEvent | None = field(default=None, repr=False, compare=False)

    @property
    def decision(self) -> Decision | None:
        """The question that the game waits for; None when it is over, or waits for chance."""
        if self.words[hdr.SITE] == 0:
            return None
        if self._decision is None:
            self._decision = Decision(self.game, self.words, self.offers, self.undecided)
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

    def replace_words(
        self, words: list[int], offers: list[Option] | None = None, undecided: tuple[Option, ...] = ()
    ) -> None:
        """Replace the store; `offers`: the options of its question, if the machine has just listed them; `undecided`:
        those that it withheld because the tries were used up."""
        self.words = words
        self.offers = offers
        self.undecided = undecided
        self._decision = self._chance = None


def copy(state: State) -> State:
    """An independent copy: nothing that changes is shared."""
    return State(
        state.game, state.words[:], state.seats, state.options.copy(), state.seed, state.script, state.auto,
        state.checked, state.log[:], state.plan, state.automatic, state.given, state.offers, state.undecided,
        state._decision, state._chance,
    )  # fmt: skip


def take_over(state: State, other: State) -> None:
    """Bring `state` to the position of `other`, a copy of it that went on."""
    state.log[:] = other.log
    state.plan = other.plan
    state.automatic = other.automatic
    state.replace_words(other.words)


def digest(words: Sequence[int]) -> str:
    """Hash of the canonical words: the same in every process and back end."""
    packed = array("i", words)
    if sys.byteorder == "big":
        packed.byteswap()
    return hashlib.blake2b(packed.tobytes(), digest_size=16).hexdigest()
