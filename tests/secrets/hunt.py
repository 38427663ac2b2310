"""The search: programs from seeds, their twins, and the leaks that are found. It is not a test itself."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import Random

from dsl.program import Program
from interpreter import State
from tests.secrets.accepted import accepted
from tests.secrets.programs import Text, program
from tests.secrets.told import said_too_much
from tests.secrets.twins import Counts, Leak, compare, new_game, played

GAMES = 2  # of each program
TWINS = 2  # of each game, for each seat


@dataclass(frozen=True)
class Finding:
    """A program that leaks."""

    seed: int
    text: Text
    leak: Leak

    def __str__(self) -> str:
        who = "a spectator" if self.leak.seat is None else f"p{self.leak.seat}"
        head = f"seed {self.seed}, question {self.leak.question}, {who} sees {self.leak.what}"
        return "\n".join((head, self.text.rules, self.text.locale(), *map(told, (self.leak.one, self.leak.other))))


def told(state: State) -> str:
    """The whole log of a game, with those who may see each entry."""
    rows = (f"  {e.address} {' '.join(e.ids)} ({'all' if e.audience is None else e.audience})" for e in state.log)
    return "\n".join(("log:", *rows))


def leak_of(program: Program, seed: int, counts: Counts) -> Leak | None:
    """The first leak that the twins of some games of a program show."""
    r = Random(f"twins {seed}")
    game = new_game(program)
    for _ in range(GAMES):
        one = played(game, r.choice((2, 2, 3)), r)
        for seat in (None, *range(1, one.seats + 1)):
            if leak := said_too_much(one, seat):
                return leak
            for _ in range(TWINS):
                if leak := compare(one, seat, r, counts):
                    return leak
    return None


def hunt(seed: int, counts: Counts, ignored: Collection[str] = ()) -> tuple[bool, Finding | None]:
    """Whether the program of this seed (or what is left of it) was accepted, and its leak."""
    found = accepted(program(seed), ignored)
    if found is None:
        return False, None
    text, compiled = found
    leak = leak_of(compiled, seed, counts)
    return True, Finding(seed, text, leak) if leak else None
