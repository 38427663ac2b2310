"""Saves: a state as JSON data, and back.

A save holds the id, version and digest of its ruleset, the setup of the game, the log and the store. `restore` trusts
nothing: foreign, truncated or altered data is refused with a sentence that says what is wrong.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from dsl import ir
from dsl import program as hdr
from dsl.base.types import (
    BoolType,
    IntType,
    ListType,
    MapType,
    MemberType,
    SetType,
    SparseType,
    Type,
    bounds,
    key_count,
    unpack,
    width,
)
from interpreter.rules.rules import Rules
from interpreter.session.entry import LogEntry
from interpreter.session.setup import ASK, DRAW, GameSetupError, blank_store, option_ids
from interpreter.session.state import OpenPlan, State, digest

FORMAT = "rulewright save"
FORMAT_VERSION = 1
_LOW, _HIGH = -(2**31), 2**31 - 1


class SaveError(ValueError):
    """A save that cannot be loaded."""


def save(state: State) -> dict[str, Any]:
    """The state as JSON data."""
    program = state.game.program
    return {
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
        "plan": {"seat": state.plan.seat, "words": list(state.plan.words), "entries": state.plan.entries}
        if state.plan
        else None,
        "words": state.words[:],
        "state": state.digest(),
    }


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
    words = _words(game, data.get("words"), "words")
    if data.get("state") != digest(words):
        raise SaveError("the store does not fit its own digest: the file was altered or damaged")
    begun_with = words[hdr.SEATS], words[hdr.ASKING], option_ids(game, words)
    if begun_with != (state.seats, state.words[hdr.ASKING], state.options):
        raise SaveError("seats, options or chance of the store differ from those of the save")
    state.log = log_entries(data)
    state.plan = _plan(game, data.get("plan"), len(state.log))
    state.replace_words(words)
    _check_question(state)
    return state


def _check_question(state: State) -> None:
    """Try the pending question: the variables of running routines have no types to check them by, so a store that was
    forged there fails in whatever way the machine notices first."""
    try:
        decision, event = state.decision, state.chance
        sound = decision is None or (1 <= decision.seat <= state.seats and len(decision.options) > 0)
        sound = sound and (event is None or len(event.outcomes) > 0)
    except Exception as error:
        raise SaveError(f"the question of the store cannot be asked ({type(error).__name__}: {error})") from None
    if not sound:
        raise SaveError("the store's question is addressed to no seat")


def read_save(text: str) -> Any:
    """JSON text of a save as data; raises SaveError for text that is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SaveError(f"this is not a save: {error}") from None


def write_atomic(path: Path | str, text: str) -> None:
    """Write a file completely or not at all."""
    import tempfile  # only writing needs it

    target = Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


# ------------------------------------------------------------ checking what comes in


def check_head(game: Rules, data: Any) -> None:
    """Check the fields that every save of any build of this ruleset must have; raises SaveError."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise SaveError("this is not a save of a game")
    if data.get("format_version") != FORMAT_VERSION:
        raise SaveError(f"save format {data.get('format_version')!r}, but this program reads {FORMAT_VERSION}")
    for key, type_ in _FIELDS.items():
        if type(data.get(key)) is not type_:
            raise SaveError(f"the save has no valid `{key}` ({type_.__name__} expected)")
    if data["ruleset"] != game.program.id:
        raise SaveError(f"this is a save of `{data['ruleset']}`, not of `{game.program.id}`")


_FIELDS: dict[str, type] = {
    "ruleset": str, "rules": str, "version": str, "digest": str, "seats": int, "options": dict, "seed": int,
    "script": list, "chance": str, "auto": bool, "checked": bool, "log": list,
}  # fmt: skip


def initial_state(game: Rules, data: dict[str, Any]) -> State:
    """The state at the beginning of the saved game, before the first instruction."""
    if not all(isinstance(k, str) and isinstance(v, str) for k, v in data["options"].items()):
        raise SaveError("the save has no valid `options` (names and members expected)")
    try:
        words = blank_store(game, data["seats"], data["options"], data["seed"], data["chance"])
    except GameSetupError as error:
        raise SaveError(str(error)) from None
    script = tuple(_outcome(item) for item in data["script"])
    return State(
        game, words, data["seats"], option_ids(game, words), data["seed"], script, data["auto"], data["checked"]
    )


def _outcome(item: Any) -> Any:
    if isinstance(item, list):
        return tuple(_outcome(i) for i in item)
    if type(item) in (int, str):
        return item
    raise SaveError("the save has no valid `script` (ids, numbers and lists of them expected)")


def _jsonable(item: Any) -> Any:
    return [_jsonable(i) for i in item] if isinstance(item, (tuple, list)) else item


def log_entries(data: dict[str, Any]) -> list[LogEntry]:
    found = []
    for number, row in enumerate(data["log"], 1):
        try:
            found.append(LogEntry.from_json(row))
        except (TypeError, ValueError, KeyError):
            raise SaveError(f"line {number} of the log is not valid") from None
    return found


def _plan(game: Rules, data: Any, entries: int) -> OpenPlan | None:
    if data is None:
        return None
    if not isinstance(data, dict) or type(data.get("seat")) is not int or type(data.get("entries")) is not int:
        raise SaveError("the save has no valid `plan`")
    if not 0 <= data["entries"] <= entries:
        raise SaveError("the save has no valid `plan`: it begins outside the log")
    return OpenPlan(data["seat"], tuple(_words(game, data.get("words"), "plan")), data["entries"])


def _words(game: Rules, words: Any, what: str) -> list[int]:
    """The words of a store after checking its size, header, frames and each declared cell; raises SaveError."""
    program = game.program
    if not isinstance(words, list) or not all(type(w) is int and _LOW <= w <= _HIGH for w in words):
        raise SaveError(f"the save has no valid `{what}` (a list of 32-bit numbers expected)")
    if not program.state_words <= len(words) <= program.state_words + program.limits.stack:
        raise SaveError(f"the store has {len(words)} words; {program.state_words} or more are expected")
    site, pc = words[hdr.SITE] - 1, words[hdr.PC]
    if not -1 <= site < len(program.sites) or not 0 <= pc < len(program.code):
        raise SaveError("the store points outside the ruleset")
    instruction = program.code[pc]
    if site >= 0 and not (isinstance(instruction, ir.Ask) and instruction.site == site):
        raise SaveError("the store waits at a place where nothing is asked")
    if words[hdr.CHANCE] not in (0, pc) or (words[hdr.CHANCE] and not isinstance(instruction, ir.Chance)):
        raise SaveError("the store waits for chance at a place where nothing is drawn")
    _check_frames(game, words)
    _check_header(game, words)
    for entry in program.layout:
        _check_cells(words, entry)
    return list(words)


def _check_frames(game: Rules, words: list[int]) -> None:
    program = game.program
    base, last = words[hdr.FP], len(words)
    while base:
        if not program.state_words <= base <= last - hdr.FRAME_LINK:
            raise SaveError("the frames of the store are broken")
        back, _, proc = words[base : base + hdr.FRAME_LINK]
        proc = proc if proc >= 0 else ~proc  # inverted once the end list is done
        if not 0 <= back < len(program.code) or proc >= len(program.procs):
            raise SaveError("a frame of the store points outside the ruleset")
        if base + hdr.FRAME_LINK + program.procs[proc].frame_words > last:
            raise SaveError("the frames of the store are cut off")
        base, last = words[base + 1], base


def _check_header(game: Rules, words: list[int]) -> None:
    limits = game.program.limits
    ranges = {
        hdr.SCRIPT: (0, _HIGH), hdr.STEPS: (0, limits.steps), hdr.DEFERRED: (0, limits.deferred),
        hdr.TIMED: (0, limits.timed), hdr.OVER: (0, 1), hdr.DRIVEN: (0, 1), hdr.WAIVE: (0, _HIGH),
        hdr.PLAN: (0, _HIGH), hdr.ASKING: (0, 1), hdr.DRAWN: (0, len(game.program.thing_ids)),
        hdr.RNG: (0, 2**22 - 1), hdr.RNG + 1: (0, 2**22 - 1), hdr.RNG + 2: (0, 2**20 - 1),
    }  # fmt: skip
    for address, (low, high) in ranges.items():
        if not low <= words[address] <= high:
            raise SaveError(f"word {address} of the store is {words[address]}, which is outside {low}..{high}")


def _check_cells(words: list[int], entry: ir.LayoutEntry) -> None:
    size = width(entry.type)
    for number in range(key_count(entry.dims)):
        at = entry.base + number * size
        if not _is_valid(words, at, entry.type):
            shown = words[at] if size == 1 else words[at : at + size]
            raise SaveError(f"{entry.symbol} holds {shown}, which is not of type {entry.type}")


def _is_valid(words: list[int], at: int, type_: Type) -> bool:
    """Whether the words at an address are a value of the type; 0 always is, since a store begins with zeros."""
    match type_:
        case BoolType() | IntType() | MemberType():
            low, high = bounds(type_)
            return words[at] == 0 or low <= words[at] <= high
        case SetType(elem):
            low, high = bounds(elem)
            packed = words[at : at + width(type_)]
            return min(packed) >= 0 and unpack(words, at, type_) < 1 << (high + 1)
        case ListType(elem, cap):
            size = width(elem)
            return 0 <= words[at] <= cap and all(_is_valid(words, at + 1 + i * size, elem) for i in range(words[at]))
        case MapType(keys, value):
            return all(_is_valid(words, at + i * width(value), value) for i in range(key_count(keys)))
        case SparseType(keys, cap):
            numbers = words[at + 1 : at + 1 + 2 * words[at] : 2]
            return 0 <= words[at] <= cap and all(0 <= n < key_count(keys) for n in numbers)
    return True
