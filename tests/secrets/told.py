"""What one game alone shows of hidden things to somebody who may not know them: names in the log, how often a secret
answer is told, why a table has stopped; and what an onlooker is not shown though all know it. It is not a test itself.
"""

from __future__ import annotations

import json
from typing import Any

import interpreter as rw
from dsl.ir.sites import OWN
from interpreter.records.save import sealed
from interpreter.session.entry import AUTO, CHANCE, CHOICE
from interpreter.session.log import narrate
from interpreter.visibility.audiences import knows
from tests.secrets.twins import Leak, Played
from tools.web.running.kept import KeptTable
from tools.web.running.moving import Stopped, moved, why_of

MOST_STOPS = 3  # of one game, for one seat


def said_too_much(played: Played, seat: int | None) -> Leak | None:
    """The first of these that a seat reads, or an onlooker (None) does not read."""
    if not played.steps:
        return None
    found = named(played, seat) or told_twice(played, seat) or stopped(played, seat)
    return found or (kept_from_onlookers(played) if seat is None else None)


def leak(played: Played, seat: int | None, what: str, number: int) -> Leak:
    state = played.steps[number].state
    return Leak(seat, what, number, state, state)


def named(played: Played, seat: int | None) -> Leak | None:
    """A line about an answer names a thing that was chosen among hidden ones, and that the seat knew neither before the
    answer nor after it."""
    game = played.game
    for number, (step, then) in enumerate(zip(played.steps, played.steps[1:], strict=False)):
        new = then.state.log[len(step.state.log) :]
        if step.state.plan is not None or then.state.plan is not None or any(e.kind == AUTO for e in new):
            continue  # what was known in between is not looked at
        for entry in new:
            site = next((s for s in game.program.sites if s.address == entry.address), None)
            if entry.kind != CHOICE or entry.is_waiting() or site is None or OWN not in site.named:
                continue
            line = narrate(game, entry, seat)
            for id_ in entry.ids:
                thing = game.things.get(id_, 0)
                stores = (step.state.words, then.state.words)
                if thing and id_ in line and not any(knows(game, words, thing, seat) for words in stores):
                    return leak(played, seat, f"the name of {id_} in `{line}`", number)
    return None


def told_twice(played: Played, seat: int | None) -> Leak | None:
    """A secret answer of somebody else has more than one line."""
    lines: list[str] = []
    for entry in played.log:
        if entry.kind == CHANCE or entry.seen_by(seat):
            lines = []
            continue
        lines += [line for line in [narrate(played.game, entry, seat)] if line]
        if len(lines) > 1 and entry.form not in ("pick", "number"):
            return leak(played, seat, f"how long a secret answer is: {lines}", len(played.steps) - 1)
        if entry.form not in ("add", "amount"):
            lines = []
    return None


def stopped(played: Played, seat: int | None) -> Leak | None:
    """A table whose log does not go on names an outcome or answer that the seat may not read."""
    data = rw.save(played.steps[-1].state)
    hidden = [n for n, e in enumerate(played.log[: len(data["log"])]) if not e.seen_by(seat) and e.ids]
    for number in hidden[:MOST_STOPS]:
        for other in ("card_1", "card_2"):
            forged = json.loads(json.dumps(data))
            forged["log"][number]["ids"] = [other] * len(forged["log"][number]["ids"])
            found = moved(played.game, KeptTable("", "", {}, sealed(forged), 0, "", {}))
            if isinstance(found, Stopped) and other in (why := why_of(found, seat, "en")):
                return leak(played, seat, f"{other} in why a table has stopped: {why}", len(played.steps) - 1)
    return None


def kept_from_onlookers(played: Played) -> Leak | None:
    """All seats of several are shown a thing in a zone, and an onlooker is not."""
    for number, step in enumerate(played.steps):
        if step.state.plan is not None:
            continue
        views = [shown(rw.view(step.state, seat)["state"]) for seat in range(1, played.seats + 1)]
        missing = set[Any].intersection(*views) - shown(rw.view(step.state, None)["state"])
        if missing:
            return leak(played, None, f"not what all see: {sorted(missing)}", number)
    return None


def shown(cells: Any, at: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    """The ids that stand in a view, each with its place; those of a hidden zone that the reader knows among them."""
    if isinstance(cells, dict):
        parts = ((key, part) for key, part in cells.items() if key != "hidden")
        return {row for key, part in parts for row in shown(part, at if key == "known" else (*at, str(key)))}
    if isinstance(cells, list):
        return {row for part in cells for row in shown(part, at)}
    return {(*at, cells)} if isinstance(cells, str) else set()
