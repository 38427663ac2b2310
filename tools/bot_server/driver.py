"""The connection of a driver, who owns the games and may know everything about them."""

from __future__ import annotations

import random
import secrets
from typing import Any

from interpreter import (
    GameSetupError,
    IllegalAnswer,
    SaveError,
    State,
    apply,
    copy,
    restore,
    result,
    save,
    view,
)
from interpreter.session.chance import ChanceEvent
from interpreter.session.setup import DRAW
from tools.base.home import rulesets
from tools.base.loading import members_of
from tools.bot_server.fields import OF_DRIVER
from tools.bot_server.games import ServedGames, actions_of
from tools.bot_server.speaker import Speaker
from tools.table.table import drawn
from tools.wire.lines import WireError
from tools.wire.questions import asked, options_for


class DriverConnection(Speaker):
    role = "driver"
    messages = OF_DRIVER

    def __init__(self, games: ServedGames, inviting: bool) -> None:
        """`inviting`: whether there are connections for others, to whom seats may be given."""
        super().__init__(games)
        self.inviting = inviting

    # ------------------------------------------------------------ rulesets

    def do_rulesets(self) -> dict[str, Any]:
        return {"rulesets": sorted(rulesets())}

    def do_rules(self, ruleset: str) -> dict[str, Any]:
        game = self.games.rules(ruleset)
        program = game.program
        options = {o.name: list(members_of(game, o.domain)) for o in program.options}
        told: dict[str, Any] = {"ruleset": program.id, "rules_version": program.version, "rules": program.named}
        told |= {"languages": list(game.texts.languages()), "actions": game.cached(actions_of).size}
        return {**told, "seats": list(program.seats), "options": options}

    # ------------------------------------------------------------ games

    def do_new(
        self,
        ruleset: str,
        seats: int | None = None,
        options: dict[str, Any] | None = None,
        seed: int | None = None,
        chance: str = DRAW,
        given: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        if not all(isinstance(member, (str, bool, int)) for member in (options or {}).values()):
            raise WireError("bad_field", "`options` should be texts, numbers, true or false by name")
        self.games.require_room()
        seed = secrets.randbelow(1 << 31) if seed is None else seed
        try:
            state = self.games.rules(ruleset).new(seats, options, seed, chance=chance, given=given)
        except GameSetupError as fault:
            raise WireError("bad_setup", str(fault)) from None
        number = self.games.add(state, random.Random(seed))
        return {"game": number, "seats": state.seats, "seed": seed, **self.situation(state)}

    def do_load(self, save: dict[str, Any]) -> dict[str, Any]:
        name = save.get("rules", save.get("ruleset"))
        if not isinstance(name, str):
            raise WireError("bad_save", "the save names no rules")
        self.games.require_room()
        game = self.games.rules(name)
        try:
            state = restore(game, save)
        except SaveError as fault:
            raise WireError("bad_save", str(fault)) from None
        number = self.games.add(state, random.Random(state.seed))
        return {"game": number, "seats": state.seats, "seed": state.seed, **self.situation(state)}

    def do_save(self, game: int) -> dict[str, Any]:
        return {"save": save(self.games.find(game).state)}

    def do_copy(self, game: int) -> dict[str, Any]:
        found = self.games.find(game)
        chance = random.Random()
        chance.setstate(found.chance.getstate())
        return {"game": self.games.add(copy(found.state), chance)}

    def do_drop(self, game: int) -> dict[str, Any]:
        self.games.drop(game)
        return {}

    def do_invite(self, game: int, seat: int) -> dict[str, Any]:
        state = self.games.find(game).state
        if not self.inviting:
            raise WireError("not_allowed", "over stdio there are no other connections: begin the server with a socket")
        return {"token": self.games.invite(game, seat_of(state, seat))}

    # ------------------------------------------------------------ playing

    def do_question(self, game: int, seat: int | None = None) -> dict[str, Any]:
        return self.situation(self.games.find(game).state, seat)

    def do_answer(self, game: int, seat: int | None = None, **given: Any) -> dict[str, Any]:
        state = self.games.find(game).state
        if state.chance is not None:
            after = taken_outcome(state, state.chance, given)
        else:
            if state.over:
                raise WireError("not_asked", "the game is over")
            seat = self.seat_asked(state, seat)
            decision = asked(state, seat)
            try:
                after = self.answered(state, decision, options_for(state, decision, seat), seat, given)
            except IllegalAnswer as refused:
                raise WireError("not_offered", str(refused)) from None
        self.games.replace(game, after)
        return self.situation(after)

    def do_draw(self, game: int) -> dict[str, Any]:
        found = self.games.find(game)
        if found.state.chance is None:
            raise WireError("not_asked", "no chance is awaited")
        outcome = drawn(found.state.chance, found.chance)
        self.games.replace(game, apply(copy(found.state), outcome))
        return {"drawn": outcome.id, **self.situation(found.state)}

    def situation(self, state: State, seat: int | None = None) -> dict[str, Any]:
        """The question or chance that the game waits for, if any, and whether it is over."""
        told: dict[str, Any] = {"over": state.over, "question": None}
        if state.chance is not None:
            told["chance"] = chance_of(state.chance, self.lang_of(state) if self.texts else None)
        elif state.decision is not None:
            seat = self.seat_asked(state, seat)
            decision = asked(state, seat)
            options = options_for(state, decision, seat)
            if decision is not None or options:
                told["question"] = self.asked(state, decision, options)
        return told

    @staticmethod
    def seat_asked(state: State, seat: int | None) -> int:
        assert state.decision is not None, "something is asked"
        return state.decision.seat if seat is None else seat_of(state, seat)

    # ------------------------------------------------------------ looking

    def do_view(self, game: int, seat: int | None = None) -> dict[str, Any]:
        state = self.games.find(game).state
        return {"view": view(state, None if seat is None else seat_of(state, seat), self.lang_of(state))}

    def do_log(self, game: int, seat: int | None = None, since: int = 0) -> dict[str, Any]:
        found = self.games.find(game)
        seat = None if seat is None else seat_of(found.state, seat)
        return found.log(seat, self.lang_of(found.state), since)

    def do_result(self, game: int) -> dict[str, Any]:
        return result_of(self.games.find(game).state)


def seat_of(state: State, seat: int) -> int:
    if not 1 <= seat <= state.seats:
        raise WireError("bad_field", f"`seat` should be from 1 to {state.seats}")
    return seat


def result_of(state: State) -> dict[str, Any]:
    found = result(state)
    scores = {str(seat): score for seat, score in found.scores.items()}
    told = {"over": state.over, "scores": scores, "actor_scores": found.actor_scores, "winners": found.winners}
    return {**told, "has_winners": found.has_winners, "lost": found.lost}


def chance_of(event: ChanceEvent, lang: str | None) -> dict[str, Any]:
    """The outcomes that chance may bring, each with `weight` of `total`."""
    rows = []
    for number, outcome in enumerate(event.outcomes):
        row: dict[str, Any] = {"number": number, "id": outcome.id, "weight": outcome.weight}
        rows.append(row if lang is None else row | {"text": outcome.text(lang)})
    total = sum(outcome.weight for outcome in event.outcomes)
    return {"address": event.address, "op": event.op, "total": total, "outcomes": rows}


def taken_outcome(state: State, event: ChanceEvent, given: dict[str, Any]) -> State:
    """The state after an outcome that the driver has chosen, by `number` or by its id in `ids`."""
    number, ids = given.get("number"), given.get("ids")
    if len(given) != 1 or (number is None and ids is None):
        raise WireError("bad_field", "chance is answered by a `number`, or by an id in `ids`")
    if number is not None:
        outcome = event.outcomes[number] if 0 <= number < len(event.outcomes) else None
    else:
        outcome = event.outcome(ids[0]) if ids and len(ids) == 1 and isinstance(ids[0], str) else None
    if outcome is None:
        raise WireError("not_offered", "this outcome cannot come")
    return apply(copy(state), outcome)
