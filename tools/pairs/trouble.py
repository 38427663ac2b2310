"""Games of pairs that do not count: they failed, or were stopped before their end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dsl.files.phrases import Say
from interpreter import Game
from tools.commands.simulate import save_failure
from tools.pairs.figures import ended
from tools.pairs.playing import Pair

MAX_GAMES = 8  # games left out that are named of each sort
FAILURES = Path(".rulewright/failures")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A game of a pair that does not count: it failed, or was stopped (`failure` is empty)."""

    number: int
    seats: int
    seed: int
    side: str  # before, after or blind
    failure: str
    file: str | None = None  # of the save that leads to the failure


def left_out(pair: Pair, games: tuple[Game, Game]) -> Iterator[LeftOut]:
    """The games of a pair that do not count, each once; the saves of failures are written."""
    sides = [("before", pair.before, games[0])]
    if pair.after is not pair.before:
        sides.append(("after", pair.after, games[1]))
    if pair.blind is not None:
        sides.append(("blind", pair.blind, games[1]))
    for side, outcome, game in sides:
        if not ended(outcome):
            failure = outcome.failure.message if outcome.failure is not None else ""
            file = save_failure(outcome, game.program.named, FAILURES)
            yield LeftOut(outcome.setup.number, outcome.setup.seats, outcome.setup.seed, side, failure, file)


def game_lines(games: Sequence[LeftOut], say: Say) -> list[str]:
    """Games that do not count, with the command that shows a failure again."""
    lines = []
    for game in games[:MAX_GAMES]:
        failure = f": {game.failure}" if game.failure else ""
        saved = f"; rulewright replay {game.file}" if game.file else ""
        where = say("left_out", side=say(game.side), n=game.number, seats=game.seats, seed=game.seed)
        lines.append(f"  {where}{failure}{saved}")
    return [*lines, f"  {say('and_more', n=len(games) - MAX_GAMES)}"] if len(games) > MAX_GAMES else lines
