"""`errata diff`: what overlays do to a ruleset, gathered and reported as text, JSON or a page of HTML.

The rules changed, the rulings with another outcome, the recorded games that diverge, and on request what changes in
random games. Nothing is written but the page that was asked for.
"""

from __future__ import annotations

import json
from pathlib import Path

from dsl.driver.reference import RulesetReference
from dsl.overlay import ErrataChoice
from dsl.overlay.changes import changes_of
from interpreter import ReplayError, RulesetError, SaveError, write_atomic
from tools.base.errors import UserError
from tools.base.home import read_reference
from tools.base.loading import load_game
from tools.base.saves import read_save
from tools.errata.games import compare_game, sample_games
from tools.errata.model import Diff
from tools.errata.rulings import compare_rulings
from tools.errata.statistics import compare_figures

MAX_SAMPLE, MAX_GAMES = 1000, 1_000_000


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
    if not 0 <= sample <= MAX_SAMPLE:
        raise UserError(f"--sample should be a number from 0 to {MAX_SAMPLE}, but {sample} was given.")
    if not 0 <= games <= MAX_GAMES:
        raise UserError(f"--games should be a number from 0 to {MAX_GAMES}, but {games} was given.")
    base = read_reference(ruleset)
    overlaid = read_reference("+".join((ruleset, *overlays)) if "@" not in ruleset else ruleset)
    if not overlays:  # the overlays named with the ruleset are compared with the ruleset alone
        base = RulesetReference(overlaid.path)
    if base == overlaid:
        raise UserError("no overlays are given: name overlays, as in 'errata diff orchard long_winter'.")
    found = compare(base, overlaid, sample, recorded, games, seed, quiet=as_json)
    if html is not None:
        from tools.errata.html import diff_page

        write_atomic(html, diff_page(found))
    if as_json:
        print(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
    else:
        from tools.errata.text import print_diff

        print_diff(found)
        if html is not None:
            print(f"\nwritten to {html}")
    return 0


def compare(
    base: RulesetReference,
    overlaid: RulesetReference,
    sample: int,
    recorded: list[Path],
    games: int,
    seed: int,
    quiet: bool = True,
) -> Diff:
    """Compare rules with and without overlays by their recorded games, or by `sample` new ones where none are given;
    `games`: random games for the figures, none for 0."""
    before, after = load_game(base), load_game(overlaid)
    found = Diff(base.label, overlaid.label)
    added = [overlay for overlay in overlaid.layers if overlay not in base.layers]
    found.changes = changes_of(overlaid.path, added, ErrataChoice(overlaid.as_of, overlaid.printing))
    found.rulings, found.compared = compare_rulings(before, after)
    saves = [(file.name, read_save(file)) for file in recorded] or sample_games(before, sample, seed)
    for name, data in saves:
        try:
            found.games.append(compare_game(name, before, after, data))
        except (SaveError, ReplayError, RulesetError) as fault:
            raise UserError(f"'{name}' cannot be compared: {fault}.") from None
    if games:
        found.figures = compare_figures((before, base), (after, overlaid), games, seed, quiet)
    return found
