"""A study: pairs of games by bots of each level, until there is a verdict about all that was asked.

It looks at what it has after every `BATCH` pairs, in the order of their numbers, and counts no pair behind the one at
which it stops. So the result is the same whatever the number of processes, and on a cluster.
"""

from __future__ import annotations

import time
from typing import Any

from interpreter import Game
from tools.commands.simulate import make_setups
from tools.lab.effects import Ledger
from tools.lab.model import BY_HAND, DECIDED, EVEN, KNOWN, NO_SEARCH, NOT_ALIKE, RULE, TIME, StudyLevel, StudyQuestion
from tools.lab.sequence import ERROR
from tools.pairs.figures import LENGTH, Figure, ended, figure_text, figures_of
from tools.pairs.playing import Pair, PairTask, play_pairs
from tools.pairs.thinking import stores_alike
from tools.pairs.trouble import left_out
from tools.simulation.bots import SearchBot, make_player
from tools.simulation.playout import GameOutcome
from tools.workers.cluster import Cluster

BATCH = 50  # pairs between two looks


def sorts_of(question: StudyQuestion, games: tuple[Game, Game], bot: str) -> tuple[dict[str, str], str]:
    """The sorts of effects that bots of a level can show, each with the side of the games that are compared with those
    before; and why the effect of the rule itself is not among them."""
    if question.alone:
        return {EVEN: "after"}, ""
    if not isinstance(make_player(bot, 0), SearchBot):
        return {KNOWN: "after"}, NO_SEARCH
    if not stores_alike(games[0].program, games[1].program):
        return {KNOWN: "after"}, NOT_ALIKE
    return {RULE: "blind", KNOWN: "after"}, ""


def study_level(
    games: tuple[Game, Game],
    question: StudyQuestion,
    bot: str,
    workers: int | Cluster,
    quiet: bool,
    lang: str,
    deadline: float | None = None,
) -> tuple[StudyLevel, str]:
    """Play and judge one level; also why native code does not play."""
    sorts, no_rule = sorts_of(question, games, bot)
    error = ERROR / (len(question.asked) * len(sorts))
    ledgers = {sort: Ledger(question.asked, question.until, error, question.alone) for sort in sorts}
    level = StudyLevel(bot, no_rule)

    def take(pair: Pair) -> bool:
        for sort, ledger in ledgers.items():
            after = pair.blind if sorts[sort] == "blind" else pair.after
            assert after is not None, "a third game is played where it is needed"
            ledger.add(pair.before, after)
        level.played += 1
        level.left_out += left_out(pair, games)
        level.pairs.append(row_of(pair, question.alone))
        if level.played % BATCH or not all(ledger.decided for ledger in ledgers.values()):
            return False
        level.stop = DECIDED
        return True

    task = PairTask(question.rules, (bot,), question.max_decisions, question.backend, RULE in sorts)
    setups = make_setups(question.games, question.seats, question.seed)
    run = play_pairs(games, task, setups, workers, take, quiet, lang, deadline)
    if run.interrupted:
        level.stop = TIME if run.time_is_up else BY_HAND
    last = ledgers[KNOWN if KNOWN in ledgers else EVEN]
    level.compared, level.alike = last.compared, last.alike
    level.effects = {sort: ledger.findings() for sort, ledger in ledgers.items()}
    if (lengths := last.values.get(Figure(LENGTH))) is not None:
        level.lengths = lengths.before, lengths.after
    return level, run.notice


def row_of(pair: Pair, alone: bool) -> dict[str, Any]:
    """A pair for data: its seed, and the figures of its games that ended."""
    setup = pair.setup
    sides = {"before": pair.before} if alone else {"before": pair.before, "after": pair.after, "blind": pair.blind}
    found = {side: values_of(outcome) for side, outcome in sides.items() if outcome is not None}
    return {"game": setup.number, "seats": setup.seats, "seed": setup.seed, **found}


def values_of(outcome: GameOutcome) -> dict[str, float] | None:
    return {figure_text(f): value for f, value in figures_of(outcome)} if ended(outcome) else None


def share_of_time(deadline: float | None, levels: int) -> float | None:
    """The end of the time of a level, where so many are left that share what there is."""
    now = time.monotonic()
    return None if deadline is None else now + max(deadline - now, 0.0) / levels
