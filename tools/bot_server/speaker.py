"""The part that both sorts of connections have: hello, and answering a question. A subclass has a method `do_NAME` for
each of its messages (`fields`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter import Decision, Option, State, answer, apply, copy
from tools.adapters.actions import TooManyOptions
from tools.bot_server.fields import Fields
from tools.bot_server.games import ServedGames, actions_of
from tools.wire.lines import MOST_BYTES, WireError
from tools.wire.questions import chosen, question_of

VERSION = 1


class Speaker:
    """One connection. `texts`, `actions`, `lang`: what it wants to be told with each question."""

    role = ""
    messages: Mapping[str, Fields] = {}

    def __init__(self, games: ServedGames) -> None:
        self.games = games
        self.texts, self.actions, self.lang = True, False, ""

    def handle(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a message. Raises WireError, and for faults of this program whatever they raise."""
        name = message.get("do")
        wanted = self.messages.get(name) if isinstance(name, str) else None
        if wanted is None:
            raise WireError("unknown_message", f"`do` should be one of {', '.join(self.messages)}")
        found: dict[str, Any] = getattr(self, f"do_{name}")(**wanted.check(message))
        return found

    def do_hello(
        self, version: int = VERSION, token: str = "", texts: bool = True, actions: bool = False, lang: str = ""
    ) -> dict[str, Any]:
        if version != VERSION:
            raise WireError("bad_version", f"this server speaks version {VERSION}")
        self.texts, self.actions, self.lang = texts, actions, lang
        return {
            "version": VERSION,
            "role": self.role,
            "most_bytes": MOST_BYTES,
            "messages": list(self.messages),
        } | self.place()

    def place(self) -> dict[str, Any]:
        """The fields that hello tells besides."""
        return {}

    def lang_of(self, state: State) -> str:
        known = state.game.texts.languages()
        return self.lang if self.lang in known else known[0]

    def asked(self, state: State, decision: Decision | None, options: list[Option]) -> dict[str, Any]:
        actions = None
        if self.actions and decision is not None:
            actions = {option: number for number, option in numbered(state, decision).items()}
        return question_of(decision, options, self.lang_of(state) if self.texts else None, actions)

    def answered(
        self, state: State, decision: Decision | None, options: list[Option], seat: int, given: dict[str, Any]
    ) -> State:
        """The state after an answer; the one given is not changed. Raises WireError and what `apply` raises."""
        paying = given.pop("paying", False)
        option = self.option_of(state, decision, options, given)
        after = copy(state)
        if option is not None:
            return apply(after, option, paying)
        if decision is None:
            raise WireError("not_asked", "this seat is not asked")
        return answer(after, given["ids"], seat)

    def option_of(
        self, state: State, decision: Decision | None, options: list[Option], given: dict[str, Any]
    ) -> Option | None:
        if "action" not in given:
            return chosen(options, given)
        if len(given) > 1:
            raise WireError("bad_field", "an answer has one of `number`, `ids` and `action`")
        if decision is None:
            raise WireError("not_asked", "this seat is not asked")
        option = numbered(state, decision).get(given["action"])
        if option is None:
            raise WireError("not_offered", "no option has this `action`")
        return option


def numbered(state: State, decision: Decision) -> dict[int, Option]:
    try:
        return state.game.cached(actions_of).by_number(decision)
    except TooManyOptions:
        raise WireError("too_many", "this question has more options than fixed numbers: answer by `number`") from None
