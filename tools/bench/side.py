"""One side of a comparison of two checkouts: a process that plays games of one ruleset when it is told to.

`against` runs this file by its path, with the packages of the checkout that is measured. The players and the clock are
those beside this file for both sides; everything that they import otherwise is of that checkout. It reads lines of
JSON, `[way, seconds, seed]`, and answers each by a line: a cell, or null where the checkout has no such way.
"""

from __future__ import annotations

import json
import sys
from dataclasses import astuple
from pathlib import Path

import tools.bench


def serve(ruleset: str, seats: int) -> None:
    tools.bench.__path__ = [str(Path(__file__).resolve().parent)]
    from interpreter import load
    from tools.bench.cells import Player, calibrate, measure
    from tools.bench.players import BULK, WAYS, make_native

    answers, sys.stdout = sys.stdout, sys.stderr  # libraries print, too
    game, native = load(ruleset), load(ruleset, backend="wasm")
    make_native(game)
    players: dict[str, tuple[Player, int] | None] = {}
    for line in sys.stdin:
        way, seconds, seed = json.loads(line)
        if way not in players:
            player = WAYS[way](native if way == BULK else game, seats or game.program.seats[0])
            players[way] = (player, calibrate(player, seconds)) if player is not None else None
        found = players[way]
        cell = astuple(measure(found[0], seconds, found[1], seed)) if found is not None else None
        print(json.dumps(cell), file=answers, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
