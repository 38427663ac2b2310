"""Saves: a state as JSON data, and back.

A save holds the id, version and digest of its ruleset, the setup of the game, the log and the store, and a seal over
all of it, which shows damage. What another game has handed on to it is part of the setup; that of a game that is over
holds what it hands on itself, so that neither game needs the other one to be continued or begun. `restore` trusts
nothing: foreign, truncated or altered data is refused with a sentence that says what is wrong. Nor is the seal trusted,
since everybody can make one.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from dsl import program as hdr
from interpreter.core.words import Words
from interpreter.play.hand_over import hand_over
from interpreter.records.soundness import UnsoundStore, check_store
from interpreter.rules.rules import Rules
from interpreter.session.advance import step
from interpreter.session.entry import LogEntry
from interpreter.session.setup import ASK, DRAW, GameSetupError, blank_store, option_ids
from interpreter.session.state import Beginning, PlanStart, State, digest

FORMAT = "rulewright save"
FORMAT_VERSION = 3
UNSEALED, HASHED = 1, 2  # formats before: without a seal; with seeds that gave other chance
MOST_SEED_BITS = 4096


class SaveError(ValueError):
    """A save that cannot be loaded."""


def save(state: State) -> dict[str, Any]:
    """The state as JSON data."""
    program = state.game.program
    data: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "ruleset": program.id,
        "rules": program.named,
        "version": program.version,
        "digest": program.digest,
        "seats": state.seats,
        "options": dict(state.options),
        "seed": state.seed,
        "script": _jsonable(state.script),
        "chance": ASK if state.words[hdr.ASKING] else DRAW,
        "auto": state.auto,
        "checked": state.checked,
        "log": [entry.to_json() for entry in state.log],
        "plan": plan_json(state.plan),
        "words": list(state.words),
        "state": state.digest(),
    }
    if state.early.answers:
        data["early"] = state.early.to_json()
    if state.begun is not None:
        data["begun"] = {"words": list(state.begun.words), "plan": plan_json(state.begun.plan)}
    if state.given:
        data["given"] = state.given
    if state.over and program.hands_on:
        data["hands_on"] = hand_over(state)
    return sealed(data)


def plan_json(plan: PlanStart | None) -> dict[str, Any] | None:
    """An open plan as JSON data."""
    return {"seat": plan.seat, "words": list(plan.words), "entries": plan.entries} if plan else None


def sealed(data: dict[str, Any]) -> dict[str, Any]:
    """The data with a seal over everything else in it; a seal that it has is replaced."""
    return {**data, "seal": seal_of(data)}


def seal_of(data: dict[str, Any]) -> str:
    """Hash of a save without its seal, whatever the order of its fields. Raises ValueError, TypeError or RecursionError
    for what is no JSON."""
    rest = {key: value for key, value in data.items() if key != "seal"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def restore(game: Rules, data: Any) -> State:
    """The state that was saved; raises SaveError for anything that is not a valid save of this very ruleset."""
    check_head(game, data)
    if data["digest"] != game.program.digest:
        raise SaveError(
            f"this save was made with another build of `{game.program.id}` (version {data['version']}, digest "
            f"{str(data['digest'])[:12]}; loaded is version {game.program.version}, digest "
            f"{game.program.digest[:12]}); "
            "`migrate` plays its log under this one, as far as it leads"
        )
    state = initial_state(game, data)
    words = sound_words(game, data.get("words"), "words")
    if data.get("state") != digest(words):
        raise SaveError("the store does not fit its own digest: the file was altered or damaged")
    _check_setup(state, words, "the store")
    state.log = log_entries(data)
    state.plan = read_plan(game, data.get("plan"), len(state.log), state.seats)
    state.replace_words(words)
    _check_question(state)
    take_early(state, data.get("early", []))
    if state.over and "hands_on" in data and data["hands_on"] != hand_over(state):
        raise SaveError("what it hands on is not what its end says: the file was altered or damaged")
    return state


def _check_setup(state: State, words: Words, what: str) -> None:
    """Require that a store was begun as the save says."""
    begun_with = words[hdr.SEATS], words[hdr.ASKING], option_ids(state.game, words)
    if begun_with != (state.seats, state.words[hdr.ASKING], state.options):
        raise SaveError(f"seats, options or chance of {what} differ from those of the save")


def _check_question(state: State) -> None:
    """Try the pending question: numbers among the variables of running routines have no bounds to check them by, so a
    store that was forged there fails in whatever way the machine notices first."""
    try:
        decision, event = state.decision, state.chance
        sound = decision is None or (1 <= decision.seat <= state.seats and len(decision.options) > 0)
        sound = sound and (event is None or len(event.outcomes) > 0)
    except Exception as error:
        raise SaveError(f"the question of the store cannot be asked ({type(error).__name__}: {error})") from None
    if not sound:
        raise SaveError("the store's question is addressed to no seat")


def take_early(state: State, rows: Any) -> None:
    """Give once more the answers that were given before their turn. Raises SaveError for any that is not possible."""
    try:
        for place, code in rows:
            decision = state.decision.members_behind(False)[place] if state.decision is not None else None
            option = next(o for o in decision.options if list(o.code) == code) if decision else None
            if decision is None or option is None:
                raise ValueError(place)
            step(state, decision, option, automatic=False)
    except Exception as error:
        raise SaveError(f"an answer that was given early cannot be given ({type(error).__name__})") from None


def read_save(text: str) -> Any:
    """JSON text of a save as data; raises SaveError for text that is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SaveError(f"this is not a save: {error}") from None


# ------------------------------------------------------------ checking what comes in


def check_head(game: Rules, data: Any) -> None:
    """Check the seal, and the fields that every save of any build of this ruleset must have; raises SaveError."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise SaveError("this is not a save of a game")
    version = data.get("format_version")
    if version not in (UNSEALED, HASHED, FORMAT_VERSION) or type(version) is not int:
        raise SaveError(f"save format {version!r}, but this program reads {UNSEALED} to {FORMAT_VERSION}")
    if version != UNSEALED and not has_seal(data):
        raise SaveError("the save does not fit its own seal: the file was altered or damaged")
    for key, type_ in _FIELDS.items():
        if type(data.get(key)) is not type_:
            raise SaveError(f"the save has no valid `{key}` ({type_.__name__} expected)")
    if data["seed"].bit_length() > MOST_SEED_BITS:
        raise SaveError("the save has no valid `seed`: it is too large")
    if data["ruleset"] != game.program.id:
        raise SaveError(f"this is a save of `{data['ruleset']}`, not of `{game.program.id}`")


def has_seal(data: dict[str, Any]) -> bool:
    try:
        return bool(data.get("seal") == seal_of(data))
    except (ValueError, TypeError, RecursionError):
        return False


_FIELDS: dict[str, type] = {
    "ruleset": str, "rules": str, "version": str, "digest": str, "seats": int, "options": dict, "seed": int,
    "script": list, "chance": str, "auto": bool, "checked": bool, "log": list,
}  # fmt: skip


def initial_state(game: Rules, data: dict[str, Any]) -> State:
    """The state at the beginning of the saved game, before the first instruction."""
    if not all(isinstance(k, str) and isinstance(v, str) for k, v in data["options"].items()):
        raise SaveError("the save has no valid `options` (names and members expected)")
    given = data.get("given", {})
    if not isinstance(given, dict):
        raise SaveError("the save has no valid `given` (facts by name expected)")
    try:
        words = blank_store(game, data["seats"], data["options"], data["seed"], data["chance"], given)
    except GameSetupError as error:
        raise SaveError(str(error)) from None
    script = tuple(_outcome(item) for item in data["script"])
    state = State(
        game, words, data["seats"], option_ids(game, words), data["seed"], script, data["auto"], data["checked"],
        given=given,
    )  # fmt: skip
    if "begun" in data:
        begin_from(state, data)
    return state


def begin_from(state: State, data: dict[str, Any]) -> None:
    """Bring a state to the position that its game began from. Raises SaveError for one that it cannot have begun from,
    and under other rules, for which the words of a store mean something else."""
    game, begun = state.game, data["begun"]
    if data["digest"] != game.program.digest:
        raise SaveError("this game began from a position, which only the rules know that it was saved under")
    if not isinstance(begun, dict):
        raise SaveError("the save has no valid `begun` (a position expected)")
    words = sound_words(game, begun.get("words"), "begun")
    _check_setup(state, words, "the position that it began from")
    state.plan = read_plan(game, begun.get("plan"), 0, state.seats)
    state.replace_words(words)
    state.begun = Beginning(words, state.plan)
    _check_question(state)


def _outcome(item: Any) -> Any:
    if isinstance(item, list):
        return tuple(_outcome(i) for i in item)
    if type(item) in (int, str):
        return item
    raise SaveError("the save has no valid `script` (ids, numbers and lists of them expected)")


def _jsonable(item: Any) -> Any:
    return [_jsonable(i) for i in item] if isinstance(item, (tuple, list)) else item


def log_entries(data: dict[str, Any]) -> list[LogEntry]:
    if not isinstance(data.get("log"), list):
        raise SaveError("the save has no valid `log` (list expected)")
    found = []
    for number, row in enumerate(data["log"], 1):
        try:
            found.append(LogEntry.from_json(row))
        except (TypeError, ValueError, KeyError):
            raise SaveError(f"line {number} of the log is not valid") from None
    return found


def read_plan(game: Rules, data: Any, entries: int, seats: int) -> PlanStart | None:
    """The open plan of a game with so many lines and seats. Raises SaveError."""
    if data is None:
        return None
    if not isinstance(data, dict) or type(data.get("seat")) is not int or type(data.get("entries")) is not int:
        raise SaveError("the save has no valid `plan`")
    if not 0 <= data["entries"] <= entries:
        raise SaveError("the save has no valid `plan`: it begins outside the log")
    if not 1 <= data["seat"] <= seats:
        raise SaveError("the save has no valid `plan`: it belongs to no seat")
    return PlanStart(data["seat"], sound_words(game, data.get("words"), "plan"), data["entries"])


def sound_words(game: Rules, words: Any, what: str) -> Words:
    try:
        return check_store(game, words, what)
    except UnsoundStore as fault:
        raise SaveError(str(fault)) from None
