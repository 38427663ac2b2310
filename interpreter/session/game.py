"""A loaded ruleset ready to play: new games and their legal options.

`interpreter.session.advance` carries a state on; `interpreter.play` takes decisions and whole answers.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from dsl.base.shipped import home_folders
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.driver.reference import RulesetReference, find_overlay, parse_reference, with_bases
from interpreter.core import rng
from interpreter.core.words import Words
from interpreter.rules.facts import taken
from interpreter.rules.names import hint
from interpreter.rules.rules import NATIVE, Rules
from interpreter.session.advance import begin, settle
from interpreter.session.decision import Option
from interpreter.session.driver import Driver
from interpreter.session.interrupts import open_decision
from interpreter.session.playouts import Engine
from interpreter.session.setup import DRAW, Member, blank_store, option_ids, seats_for
from interpreter.session.state import State

MANIFEST = "ruleset.yaml"


class RulingsLeftOut(UserWarning):
    """A ruleset can be played, but rulings of it have errors and were left out."""


class RulesetInvalid(Exception):
    """A ruleset that does not check; `diagnostics` say why."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        errors = [d for d in diagnostics if d.severity is Severity.ERROR]
        first = f": {errors[0].code} {errors[0].message}" if errors else ""
        super().__init__(f"the ruleset has {len(errors)} error{'' if len(errors) == 1 else 's'}{first}")


def load(
    ruleset: str | Path, *, overlays: Sequence[str | Path] = (), home: Path | None = None, backend: str = NATIVE
) -> Game:
    """Load a ruleset by id (a folder of `home`/rulesets) or by path; overlays by name after it
    (`orchard+long_winter@2020-05-01`) or in `overlays` by name or path, and with each those that it is
    `on`. Raises RulesetInvalid; errors that only concern rulings leave these out and are a RulingsLeftOut warning."""
    named = parse_reference(str(ruleset), lambda name: find_ruleset(name, home))
    found = [*named.overlays, *(find_overlay(named.path, str(o)) for o in overlays)]
    named = replace(named, overlays=with_bases(named.path, found))
    program, diagnostics, _ = named.compile()
    if program is None:
        raise RulesetInvalid(diagnostics)
    if program.broken:
        names = ", ".join(program.broken)
        warnings.warn(f"{program.named} is loaded without its broken rulings: {names}", RulingsLeftOut, stacklevel=2)
    game = Game(program, backend)
    game.reference = named
    return game


def find_ruleset(ruleset: str | Path, home: Path | None = None) -> Path:
    """The folder of a ruleset: a path as it is, or an id in `home`; without one, where the command line looks: in
    RULEWRIGHT_HOME, in the current folder and those above it, among what came with the program. Raises
    FileNotFoundError."""
    path = Path(ruleset)
    if (path / MANIFEST).is_file():
        return path
    roots = [home] if home is not None else list(home_folders())
    for root in roots:
        if (root / "rulesets" / path / MANIFEST).is_file():
            return root / "rulesets" / path
    if path.exists():
        return path
    known = sorted({p.parent.name for root in roots for p in (root / "rulesets").glob(f"*/{MANIFEST}")})
    raise FileNotFoundError(
        f"no ruleset `{ruleset}` here{hint(str(ruleset), known)} (known: {', '.join(known) or 'none'})"
    )


class Game(Rules):
    """A ruleset that can be played: new games, and bare play over stores. `reference`: where it was read."""

    reference: RulesetReference | None = None

    @cached_property
    def engine(self) -> Engine:
        """Bare play over stores, without logs and texts."""
        return Engine(self)

    def driver(
        self,
        seats: int | None = None,
        options: Mapping[str, Member] | None = None,
        seed: int = 0,
        chance: str = DRAW,
        auto: bool = True,
    ) -> Driver:
        """The bare loop over a new game, run to its first question. The native module of the ruleset is made first
        where it is not in the cache: up to three seconds in the heaviest games, once."""
        seats = self.program.seats[0] if seats is None else seats
        if self.program.procs[self.program.entry].suspends:
            words = self._begun(seats, options or {}, chance)[:]
            rng.seed(words, seed)
        else:  # all of it runs where it is begun
            words = blank_store(self, seats, options or {}, seed, chance)
            self.machine.start(words, self.program.entry)
        return Driver(self, words, auto)

    def _begun(self, seats: int, options: Mapping[str, Member], chance: str) -> Words:
        """The store of a new game before anything has run; it is kept for the next one like it."""
        key = (seats, tuple(sorted((name, str(member)) for name, member in options.items())), chance)
        kept = self.cached(kept_beginnings)
        if key not in kept:
            words = blank_store(self, seats, options, 0, chance)
            self.machine.start(words, self.program.entry)
            kept[key] = words
        return kept[key]

    def new(
        self,
        seats: int | None = None,
        options: Mapping[str, Member] | None = None,
        seed: int = 0,
        script: Sequence[Any] = (),
        checked: bool = False,
        auto: bool = True,
        chance: str = DRAW,
        given: Mapping[str, Any] | None = None,
    ) -> State:
        """A new game, run to its first question. `given` are facts that another game has handed on (`hand_over`);
        without a number of `seats` there are as many as they name, or the least. `script` are chance outcomes that come
        before those of the generator. `chance` is `draw`, or `ask`: the game then waits at each chance event for an
        outcome (`State.chance`)."""
        if seats is None:
            seats = seats_for(self, given) if given else self.program.seats[0]
        words = blank_store(self, seats, options or {}, seed, chance, given)
        state = State(self, words, seats, option_ids(self, words), seed, tuple(script), auto, checked)
        state.given = deepcopy(taken(self, given)) if given else {}
        begin(state)
        settle(state)
        return state


def kept_beginnings(_: Rules) -> dict[object, Words]:
    """The stores of games that have not run yet, by what they begin with."""
    return {}


def legal(state: State, who: str | int | None = None) -> list[Option]:
    """The options of the pending question, in canonical order; none when the game is over. `who`: an actor or a seat,
    by id or number, whose answer is awaited as well, as in a loop `open to`; none where it is not."""
    decision = state.decision if who is None else open_decision(state, who)
    return list(decision.options) if decision else []
