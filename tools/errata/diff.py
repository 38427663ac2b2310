"""`errata diff`: what overlays do to a ruleset, gathered and told as text, JSON or a page of HTML.

The rules touched, the rulings that come out otherwise, the recorded games that part, and on request the shift of random
games. Nothing is written but the page that was asked for.
"""

from __future__ import annotations

import json
from pathlib import Path

from dsl.driver.reference import Named
from dsl.overlay import Chosen
from dsl.overlay.changes import changes_of
from interpreter import write_atomic
from tools.base.errors import UserError
from tools.base.home import read_reference
from tools.base.loading import load_game, read_save
from tools.errata.games import parting, sample_games
from tools.errata.model import Diff
from tools.errata.rulings import compare_rulings
from tools.errata.statistics import shifts

MOST_SAMPLE, MOST_GAMES = 1000, 1_000_000


def diff_command(
    ruleset: str,
    overlays: list[str],
    sample: int,
    recorded: list[Path],
    games: int,
    seed: int,
    as_json: bool,
    html: Path | None,
) -> int:
    if not 0 <= sample <= MOST_SAMPLE:
        raise UserError(f"--sample should be a number from 0 to {MOST_SAMPLE}, but {sample} was given.")
    if not 0 <= games <= MOST_GAMES:
        raise UserError(f"--games should be a number from 0 to {MOST_GAMES}, but {games} was given.")
    base, laid = (
        read_reference(ruleset),
        read_reference("+".join((ruleset, *overlays)) if "@" not in ruleset else ruleset),
    )
    if not overlays:  # what stands behind the ruleset is what is compared
        base = Named(laid.path)
    if base == laid:
        raise UserError("nothing is laid over the ruleset: name overlays, as in 'errata diff orchard long_winter'.")
    found = compare(base, laid, sample, recorded, games, seed, quiet=as_json)
    if html is not None:
        from tools.errata.html import page

        write_atomic(html, page(found))
    if as_json:
        print(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
    else:
        from tools.errata.text import render

        render(found)
        if html is not None:
            print(f"\nwritten to {html}")
    return 0


def compare(
    base: Named, laid: Named, sample: int, recorded: list[Path], games: int, seed: int, quiet: bool = True
) -> Diff:
    before, after = load_game(base), load_game(laid)
    found = Diff(base.label, laid.label)
    over = [overlay for overlay in laid.overlays if overlay not in base.overlays]
    found.changes = changes_of(laid.path, over, Chosen(laid.as_of, laid.printing))
    found.rulings, found.compared = compare_rulings(before, after)
    saves = [(file.name, read_save(file)) for file in recorded] or sample_games(before, sample, seed)
    found.games = [parting(name, before, after, data) for name, data in saves]
    if games:
        found.shifts = shifts((before, base), (after, laid), games, seed, quiet)
    return found
