"""The positions of a game up to now, by replay: what the slider shows.

Positions are copies at every so many lines of the log; those between are played from the last one. A reader sees of the
past what they saw then; of a plan of others, and of other seats, nothing before the game is over.
"""

from __future__ import annotations

from interpreter import LogEntry, ReplayError, RulesetError, SaveError, State, copy, save
from interpreter.records.replay import replay_entry
from interpreter.records.save import initial_state
from interpreter.session.advance import begin
from tools.web.page.drawn import seen_lines

EVERY = 50  # lines between two copies


class Past:
    """`entries`: the log that the copies belong to."""

    def __init__(self, state: State) -> None:
        self.entries: list[LogEntry] = []
        self.copies: dict[int, State] = {}
        data = save(state) | {"log": []}
        first = initial_state(state.game, data)
        begin(first)
        self.copies[len(first.log)] = first

    def at(self, state: State, lines: int, reader: int | None) -> State:
        """The position after so many lines of the log of `state`, or just behind them where lines came together. Raises
        ReplayError where the log does not lead on."""
        self.follow(state.log)
        wanted = max(0, min(lines, seen_lines(state, reader)))
        found = copy(self.copies[max((n for n in self.copies if n <= wanted), default=min(self.copies))])
        try:
            while len(found.log) < wanted and not found.over:
                replay_entry(found, self.entries)
                if len(found.log) <= wanted and len(found.log) // EVERY > max(self.copies) // EVERY:
                    self.copies[len(found.log)] = copy(found)
        except (RulesetError, SaveError) as fault:
            raise ReplayError(str(fault), len(found.log)) from fault
        return found

    def follow(self, log: list[LogEntry]) -> None:
        """Drop the copies behind the first line that is another one now: answers were taken back."""
        pairs = enumerate(zip(self.entries, log, strict=False))
        same = next((n for n, (old, new) in pairs if old is not new and old.code != new.code),
                    min(len(self.entries), len(log)))  # fmt: skip
        first = min(self.copies)
        self.copies = {n: one for n, one in self.copies.items() if n <= same or n == first}
        self.entries = log[:]
