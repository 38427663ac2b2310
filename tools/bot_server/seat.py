"""The connection of a seat: of one game it sees and does what that seat may, and nothing else.

Its errors are always the same for one code, since a sentence about a refused answer might tell what the seat does not
know.
"""

from __future__ import annotations

from typing import Any

from interpreter import IllegalAnswer, State, view
from tools.bot_server.driver import result_of
from tools.bot_server.fields import OF_SEAT
from tools.bot_server.games import ServedGames
from tools.bot_server.speaker import Speaker
from tools.wire.lines import WireError
from tools.wire.questions import asked, options_for

MOST_SECONDS = 600  # of one `wait`


class Seat(Speaker):
    role = "seat"
    messages = OF_SEAT

    def __init__(self, games: ServedGames, game: int, seat: int) -> None:
        super().__init__(games)
        self.game, self.seat = game, seat

    @property
    def state(self) -> State:
        return self.games.find(self.game).state

    def place(self) -> dict[str, Any]:
        state = self.state
        told = {"ruleset": state.game.program.id, "seats": state.seats, "seat": self.seat}
        return {**told, "options": dict(state.options)}

    def do_question(self) -> dict[str, Any]:
        """The question that this seat may answer; `asked` says that the game waits for it."""
        state = self.state
        decision = asked(state, self.seat)
        options = options_for(state, decision, self.seat)
        told: dict[str, Any] = {"over": state.over, "asked": decision is not None, "question": None}
        if options:
            told["question"] = self.asked(state, decision, options)
        return told

    def do_wait(self, seconds: int = 60) -> dict[str, Any]:
        """`question`, as soon as this seat is asked or the game is over, or after so many seconds."""
        self.games.changed.wait_for(self.has_news, min(max(seconds, 0), MOST_SECONDS))
        return self.do_question()

    def has_news(self) -> bool:
        played = self.games.played.get(self.game)
        return played is None or played.state.over or asked(played.state, self.seat) is not None

    def do_answer(self, **given: Any) -> dict[str, Any]:
        state = self.state
        decision = asked(state, self.seat)
        try:
            after = self.answered(state, decision, options_for(state, decision, self.seat), self.seat, given)
        except IllegalAnswer:
            raise WireError("not_offered", "this answer is not offered") from None
        self.games.replace(self.game, after)
        return self.do_question()

    def do_view(self) -> dict[str, Any]:
        return {"view": view(self.state, self.seat, self.lang_of(self.state))}

    def do_log(self, since: int = 0) -> dict[str, Any]:
        found = self.games.find(self.game)
        return found.log(self.seat, self.lang_of(found.state), since)

    def do_result(self) -> dict[str, Any]:
        if not self.state.over:
            raise WireError("not_allowed", "a seat is told the result when the game is over")
        return result_of(self.state)
