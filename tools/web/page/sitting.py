"""Actors of seats, in words: the only actor that a seat decides for, where actors are not the seats themselves."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter import LogEntry, State
from interpreter.play.result import Actors
from tools.base.seats import seat_name
from tools.picture.model.position import seat_text
from tools.shows.presenter import Presenter
from tools.table.news import public_scores


@dataclass(slots=True)
class Sitting:
    """The actors of a game that have decided something, brought up to date with each position; not those of a plan that
    is still open."""

    actors: Actors = field(default_factory=dict)
    read: int = 0  # entries of the log
    last: LogEntry | None = None  # of those

    def at(self, state: State) -> Actors:
        """The actors up to this position of the same game, which may be one before an undo."""
        if self.read > len(state.log) or self.last is not (state.log[self.read - 1] if self.read else None):
            self.actors, self.read = {}, 0
        until = state.plan.entries if state.plan is not None else len(state.log)
        for entry in state.log[self.read : until]:
            actor, domain, seat = entry.decider()
            if actor and domain and domain != state.game.program.seat_kind:
                self.actors.setdefault(actor, (domain, seat))
        self.read = max(self.read, until)
        self.last = state.log[self.read - 1] if self.read else None
        return self.actors


def actor_of(presenter: Presenter, actors: Actors, seat: int) -> str:
    """The only actor that a seat decides for, as far as the reader is told of it: that of one's own seat, and those of
    others where the scores are public, which name it; else empty."""
    if seat != presenter.seat and not public_scores(presenter.game):
        return ""
    found = seat_name(presenter.state, seat, actors, presenter.lang)
    return found if found != seat_text(presenter, seat) else ""


def seat_told(presenter: Presenter, actors: Actors, seat: int) -> str:
    """The name of a seat, behind that of its actor."""
    actor, name = actor_of(presenter, actors, seat), seat_text(presenter, seat)
    return f"{actor} ({name})" if actor else name
