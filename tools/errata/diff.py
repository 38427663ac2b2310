"""`errata diff`: what overlays do to a ruleset, gathered and reported as text, JSON or a page of HTML.

The rules changed, the rulings with another outcome, the recorded games that diverge, and on request what changes in
the figures of games by bots. Nothing is written but the page that was asked for, and the games that failed.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dsl.driver.reference import RulesetReference
from dsl.files.phrases import phrase, phrases_of
from dsl.overlay.changes import changes_of
from interpreter import Game, ReplayError, RulesetError, SaveError, write_atomic
from tools.base.errors import UserError
from tools.base.loading import choose_backend, choose_language, load_game
from tools.base.saves import read_save
from tools.commands.card import keeps_text
from tools.commands.simulate import check_play, make_setups
from tools.errata.balance import Balance, compare_pairs
from tools.errata.games import GameComparison, compare_game, sample_games
from tools.errata.model import Diff
from tools.errata.pictures import pairs_of
from tools.errata.rulings import common_rulings, compare_rulings
from tools.pairs.playing import Pair, PairTask, common_seats, compared_rules, play_pairs
from tools.pairs.trouble import left_out
from tools.simulation.bots import usual_bot
from tools.simulation.playout import MOST_DECISIONS
from tools.workers.progress import progress
from tools.workers.stopping import TimeIsUp, deadline_after, seconds_of, stoppable

MAX_SAMPLE, MAX_GAMES = 1000, 1_000_000


@dataclass(frozen=True, slots=True)
class BalanceRequest:
    """The pairs of games that are asked for; `bot` is greedy, or random where the rules do not say what is good, if it
    is None; `jobs`: processes, one per core if it is None; `backend`: who plays, native code where that can be had if
    it is None."""

    games: int = 0
    seats: str | None = None
    bot: str | None = None
    seed: int = 1
    max_decisions: int = MOST_DECISIONS
    jobs: int | None = None
    backend: str | None = None


NO_GAMES = BalanceRequest()


def diff_command(
    ruleset: str,
    overlays: list[str],
    sample: int,
    recorded: list[Path],
    balance: BalanceRequest,
    as_json: bool,
    html: Path | None,
    lang: str | None = None,
    time_limit: str | None = None,
) -> int:
    seconds = seconds_of(time_limit)
    if not 0 <= sample <= MAX_SAMPLE:
        raise UserError(f"--sample should be a number from 0 to {MAX_SAMPLE}, but {sample} was given.")
    if not 0 <= balance.games <= MAX_GAMES:
        raise UserError(f"--games should be a number from 0 to {MAX_GAMES}, but {balance.games} was given.")
    if not balance.games and (balance.seats or balance.bot):
        raise UserError("--seats and --bot are about the games that bots play: say how many, as in '--games 100'.")
    base, overlaid = compared_rules(ruleset, overlays)
    if base == overlaid:
        raise UserError("no overlays are given: name overlays, as in 'errata diff orchard long_winter'.")
    found = compare(base, overlaid, sample, recorded, balance, False, lang, html is not None, seconds)
    if html is not None:
        from tools.errata.html import diff_page

        write_atomic(html, diff_page(found))
    if as_json:
        print(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
    else:
        from tools.errata.text import print_diff

        print_diff(found)
        if html is not None:
            print(f"\n{phrase(found.lang, 'errata', 'written', file=html)}")
    played = found.balance
    stopped = found.cut or played is not None and played.interrupted
    return 1 if played is not None and played.failures or stopped and not found.time_is_up else 0


def compare(
    base: RulesetReference,
    overlaid: RulesetReference,
    sample: int,
    recorded: list[Path],
    balance: BalanceRequest = NO_GAMES,
    quiet: bool = True,
    wanted: str | None = None,
    with_pictures: bool = False,
    seconds: int | None = None,
) -> Diff:
    """Compare rules with and without overlays by their recorded games, or by `sample` new ones where none are given,
    and by the games by bots that are asked for; texts are in the `wanted` language. Where it is stopped before its end,
    by a signal or after so many seconds, what was found until then is given."""
    backend = choose_backend(balance.backend, balance.games)
    before, after = load_game(base, backend), load_game(overlaid, backend)
    lang = choose_language(after, wanted)
    found = Diff(base.label, overlaid.label, lang)
    added = [overlay for overlay in overlaid.layers if overlay not in base.layers]
    found.changes = changes_of(overlaid.path, added, overlaid.chosen)
    found.texts_kept = {
        card: text
        for card, kind in after.program.cards.items()
        if keeps_text(card, kind, found.changes) and (text := after.texts.find(lang, f"{kind}.{card}.text"))
    }
    read = [(file.name, read_save(file)) for file in recorded]
    saves, number = read or sample_games(before, sample, balance.seed, lang), len(read) or sample
    say, rulings = phrases_of(lang, "errata"), len(common_rulings(before, after))
    deadline = deadline_after(seconds)
    try:
        with stoppable(deadline):
            with progress(rulings, quiet, phrase(lang, "rulings", "rulings")) as advance:
                for change in compare_rulings(before, after, lang):
                    found.compared += 1
                    found.rulings += [change] if change is not None else []
                    advance()
            if with_pictures:
                found.pictures = list(pairs_of(before, after, found.changes, found.rulings, lang))
            with progress(number, quiet, phrase(lang, "simulate", "games")) as advance:
                for name, data in saves:
                    found.games.append(compared_game(name, before, after, data, lang))
                    advance()
            if balance.games:
                found.balance = compare_balance((before, after), (base, overlaid), balance, backend, quiet, lang)
                found.time_is_up = found.balance.interrupted and deadline is not None and time.monotonic() >= deadline
    except KeyboardInterrupt as stopped:
        found.time_is_up = isinstance(stopped, TimeIsUp)
        found.cut = say("cut", rulings=found.compared, all=rulings, games=len(found.games), of=number)
    return found


def compared_game(name: str, before: Game, after: Game, data: dict[str, Any], lang: str) -> GameComparison:
    try:
        return compare_game(name, before, after, data, lang)
    except (SaveError, ReplayError, RulesetError) as fault:
        raise UserError(f"'{name}' cannot be compared: {fault}.") from None


def compare_balance(
    games: tuple[Game, Game],
    rules: tuple[RulesetReference, RulesetReference],
    asked: BalanceRequest,
    backend: str,
    quiet: bool,
    lang: str,
) -> Balance:
    """Play the pairs that are asked for, and compare their figures."""
    bot = asked.bot or usual_bot(games[0])
    task = PairTask(rules, check_play(bot, asked.jobs, asked.max_decisions), asked.max_decisions, backend)
    setups = make_setups(asked.games, common_seats(asked.seats, games), asked.seed)
    pairs: list[Pair] = []

    def take(pair: Pair) -> bool:
        pairs.append(pair)
        return False

    run = play_pairs(games, task, setups, asked.jobs or os.cpu_count() or 1, take, quiet, lang)
    if run.notice and asked.backend is not None:
        print(f"note: {run.notice}; the reference plays.", file=sys.stderr)
    found = Balance(task.bots, asked.seed, asked.games, asked.max_decisions, interrupted=run.interrupted)
    found.left_out = [game for pair in pairs for game in left_out(pair, games)]
    texts = games[1].texts

    def name_of(id_: str) -> str:
        return texts.find(lang, id_) or texts.thing(lang, id_)

    return compare_pairs(pairs, found, lang, name_of)
