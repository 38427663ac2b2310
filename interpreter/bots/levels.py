"""Levels of bots that people play against."""

from __future__ import annotations

from interpreter.rules.rules import Rules

RANDOM, GREEDY, NOVICE, SEARCH = "random", "greedy", "novice", "search"
SEARCHES = {"club": 100, "expert": 1000}  # iterations of the levels that search, by name
JUDGING = (NOVICE, GREEDY)  # those that play at random where the rules do not say what is good
LEVELS = (RANDOM, *JUDGING, *SEARCHES, SEARCH)
"""All that are offered, the weakest first. `search` is one with a number of iterations, `search:N`."""


def levels(rules: Rules) -> tuple[str, ...]:
    """Those that can be had for these rules. While their native code is not known to be out of reach, all that
    search are."""
    judged, natively = rules.program.evaluate >= 0, rules.making is not None and not rules.making.notice
    return tuple(
        level for level in LEVELS if (judged or level not in JUDGING) and (natively or level in (RANDOM, *JUDGING))
    )
