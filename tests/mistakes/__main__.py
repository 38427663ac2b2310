"""`python -m tests.mistakes [SEED ..] [--count N]`: plant mistakes and print how each kind is told."""

from __future__ import annotations

import argparse
from random import Random

from tests.mistakes.games import every_game, overlaid_games
from tests.mistakes.measure import judge, missed, table
from tests.mistakes.plant import plant

SEED, COUNT = 20261123, 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", nargs="*", type=int, default=[SEED])
    parser.add_argument("--count", type=int, default=COUNT)
    given = parser.parse_args()
    games, overlaid = every_game(), overlaid_games()
    for seed in given.seeds:
        verdicts = [judge(mistake) for mistake in plant(games, overlaid, Random(seed), given.count)]
        for verdict in verdicts:
            if not (verdict.at_line and verdict.alone and verdict.mended):
                print(missed(verdict))
        print(f"seed {seed}\n{table(verdicts)}\n")


if __name__ == "__main__":
    main()
