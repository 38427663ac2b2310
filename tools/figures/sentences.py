"""The figures of a game in words: rows of a head and a text in a language, for terminal and website."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.files.phrases import Say, phrases_of
from tools.figures.figures import Figures, Leads, Share, Spread

MINUTE = 60


def rows(figures: Figures, seconds: float, lang: str) -> Iterator[tuple[str, str]]:
    """Head and text of each row; `seconds`: how long people are taken to think about a choice."""
    say = phrases_of(lang, "figures")
    ended = round(figures.completion.hits)
    if ended < figures.completion.of:
        yield say("ended"), say("ended_n", n=ended, all=figures.completion.of)
    if not ended:
        return
    yield say("length"), say("length_n", **bounds(figures.duration_actions))
    minutes = [round(value * seconds / MINUTE) for value in figures.duration_actions.quantiles]
    yield say("minutes"), say("minutes_n", p5=minutes[0], median=minutes[1], p95=minutes[2], seconds=f"{seconds:g}")
    if figures.seats > 1:
        yield say("turns"), say("turns_n", **bounds(figures.duration_turns))
    width = f"{figures.branching_factor.mean:.1f}"
    yield say("width"), say("width_n", mean=width, most=figures.widest, share=percent(figures.decision_moves))
    if figures.lost:
        yield say("lost"), say("lost_n", n=figures.lost, all=ended)
    yield from rows_of_wins(figures, say)
    if figures.leads is not None:
        yield from rows_of_leads(figures.leads, say)


def rows_of_wins(figures: Figures, say: Say) -> Iterator[tuple[str, str]]:
    if figures.drawishness is None:
        return
    for seat, share in enumerate(figures.wins, 1):
        yield say("seat", n=seat), interval(share, say)
    if figures.advantage_p1 is not None:
        value, low, high = map(signed, figures.advantage_p1)
        yield say("advantage"), say("advantage_n", value=value, low=low, high=high)
    yield say("draws"), interval(figures.drawishness, say)


def rows_of_leads(leads: Leads, say: Say) -> Iterator[tuple[str, str]]:
    half = len(leads.first_won) // 2
    if leads.first_won[half].of:
        yield say("ahead"), interval(leads.first_won[half], say)
    if leads.last_won[half].of:
        yield say("comeback"), interval(leads.last_won[half], say)
    yield say("changes"), say("changes_n", mean=f"{leads.changes.mean:.1f}")
    last = len(leads.first_won) - 1
    if leads.decided is not None and leads.decided < last:
        yield say("decided"), say("decided_n", share=percent(leads.decided / last))
    else:
        yield say("decided"), say("decided_late")


def bounds(spread: Spread) -> dict[str, str]:
    p5, median, p95 = (f"{value:.0f}" for value in spread.quantiles)
    return {"mean": str(spread.mean), "p5": p5, "median": median, "p95": p95}


def interval(share: Share, say: Say) -> str:
    return say("share", share=percent(share.share), low=percent(share.low), high=percent(share.high))


def percent(share: float) -> str:
    return f"{share:.0%}"


def signed(share: float) -> str:
    return f"{100 * share:+.1f}"
