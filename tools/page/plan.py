"""A ruleset as a page needs it: its module, and its plan as plain data.

Nothing here depends on a position. Raises Unsupported where there is no module of the program at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl.base.record import dataclass
from dsl.base.types import MemberType
from interpreter import Game
from interpreter.backends.low.purses import layout as purse
from interpreter.backends.low.rules.chance import events
from interpreter.backends.low.whole.readings import lower_readable
from interpreter.backends.low.whole.secrets import lower_secrets
from interpreter.backends.wasm.binary import encode
from interpreter.bots.levels import SEARCHES
from interpreter.bots.scale import style_of
from tools.page.questions import sites_as_json
from tools.page.readings import Readings
from tools.page.shows import shows_as_json, sources_as_json
from tools.page.state import layout_as_json, zones_as_json
from tools.page.texts import texts_as_json
from tools.page.things import domains_as_json, looks_as_json
from tools.page.values import type_as_json
from tools.picture.render.style import STROKES
from tools.shows.presenter import Presenter
from tools.shows.zones import fields_and_zones


@dataclass(frozen=True, slots=True)
class Plan:
    """`code`: the bytes of the module; `data`: what the scripts read; `gaps`: what gives up in play; `unread`: values
    that cannot be shown, with the reasons."""

    code: bytes
    data: dict[str, Any]
    gaps: tuple[str, ...]
    unread: tuple[str, ...]
    secrets: bytes = b""


def plan_of(game: Game, lang: str) -> Plan:
    """The plan in the languages of the ruleset and in `lang`."""
    languages = tuple(dict.fromkeys((*game.program.languages, lang)))
    readings = Readings(game)
    program = game.program
    state = game.new()
    presenter = Presenter(state, None, program.languages[0])
    data: dict[str, Any] = {
        "id": program.id, "seats": list(program.seats),
        "languages": list(languages), "seat_kind": program.seat_kind,
        "things": {"ids": list(program.thing_ids), "kinds": list(program.thing_kinds)},
        "domains": domains_as_json(game), "looks": looks_as_json(presenter),
        "copies": {str(thing): first for thing, first in program.copies.items()},
        "layout": layout_as_json(game, readings), "zones": zones_as_json(game, readings),
        "placed": list(program.placed), "known": program.known_base,
        "sites": sites_as_json(game, readings), "events": events_as_json(game),
        "phases": [p.name if p.word == "phase" else "" for p in program.procs], "entry": program.entry,
        "shows": shows_as_json(program.display), "sources": sources_as_json(presenter, readings),
        "consts": consts_by_kind(game), "plain": plain_panels(presenter),
        "options": options_as_json(game),
        "patterns": STROKES, "result": results_as_json(game, readings), "texts": texts_by_language(game, languages),
        "begin": begin_as_json(game), "digest": program.digest, "purse": purse_as_json(),
        "moment": program.moment_proc >= 0,
    }  # fmt: skip
    readable = lower_readable(program, readings.all)
    lowered = readable.lowered
    regions = lowered.regions
    data["memory"] = {
        "options": regions.options, "stride": regions.stride, "mersenne": regions.mersenne, "begun": regions.begun,
        "planned": readable.planned, "noted": readable.noted, "bots": readable.bots,
    }  # fmt: skip
    data["bots"] = bots_as_json(game) if readable.bots else None
    data["closed"] = readings.closed
    data["unread"] = sorted(readable.unread)
    secrets = lower_secrets(program, {number: readings.all[number] for number in readings.closed})
    hiding = encode(secrets.module) if secrets is not None else b""
    unread = (*readable.unread.values(), *readable.blind.values())
    return Plan(encode(lowered.module), data, lowered.gaps, unread, hiding)


def bots_as_json(game: Game) -> dict[str, Any]:
    """Whether a bot may play for points, the iterations of levels that search, and how they do so."""
    style = style_of(game, 0)
    return {"judges": game.program.evaluate >= 0, "searches": SEARCHES,
            "scale": style.scale, "cut": style.cut, "exploring": style.exploring}  # fmt: skip


def purse_as_json() -> dict[str, int]:
    """Where the parts of an open purse stand, see `interpreter.backends.low.purses.layout`."""
    return {"size": purse.SIZE, "head": purse.HEAD, "row": purse.ROW, "counts": purse.COUNTS,
            "at": purse.SOURCE + purse.AT}  # fmt: skip


def events_as_json(game: Game) -> list[dict[str, Any]]:
    """The chance events, by their numbers in the notes of the module."""
    return [
        {"address": i.address, "is": i.op, "type": type_as_json(i.type) if i.type is not None else None}
        for i in events(game.program)
    ]


def consts_by_kind(game: Game) -> dict[str, list[str]]:
    """The names of the constants of each kind, in the order of the rules."""
    found: dict[str, list[str]] = {}
    for address in game.program.consts:
        kind, _, name = address.partition(".")
        found.setdefault(kind, []).append(name)
    return found


def plain_panels(presenter: Presenter) -> list[Any]:
    """What is shown without a list of panels: the symbols of the whole game, and those of each kind."""
    symbols, kinds = fields_and_zones(presenter)
    return [symbols, kinds]


def options_as_json(game: Game) -> list[dict[str, Any]]:
    """The options of a game: where they stand, and what they may be, with the words of each language."""
    found = []
    for info in game.program.options:
        domain = game.program.domains.get(info.domain)
        members = list(zip(domain.values, domain.ids, strict=True)) if domain else [(0, "false"), (1, "true")]
        found.append({"name": info.name, "domain": info.domain if domain else "", "address": info.address,
                      "default": info.default, "members": [list(m) for m in members]})  # fmt: skip
    return found


def results_as_json(game: Game, readings: Readings) -> dict[str, Any]:
    """Who wins, and the score of a seat. A score of an actor that is no seat is left out: who acted is not known."""
    program = game.program
    found: dict[str, Any] = {}
    score, winners = program.result.get("score", -1), program.result.get("winners", -1)
    if score >= 0 and is_of_seats(game, [t for _, t in program.functions[score].params]):
        found["score"] = readings.call(score)
    if winners >= 0:
        found["winners"] = readings.call(winners)
        found["type"] = type_as_json(program.functions[winners].result)
    return found


def is_of_seats(game: Game, types: Sequence[Any]) -> bool:
    return len(types) == 1 and isinstance(types[0], MemberType) and types[0].domain == game.program.seat_kind


def texts_by_language(game: Game, languages: Sequence[str]) -> dict[str, Any]:
    state = game.new()
    return {lang: texts_as_json(Presenter(state, None, lang)) for lang in languages}


def begin_as_json(game: Game) -> dict[str, Any]:
    """The store before the first instruction: its length, and the words other than 0. The page puts the number of
    seats, the options and the generator into it."""
    words = game.engine.new()
    return {"length": len(words), "words": [[at, word] for at, word in enumerate(words) if word]}
