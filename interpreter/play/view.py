"""The view of a seat: everything that it may see of a state, as plain JSON data.

Derived from the layout of the program alone: cells by symbol and ids, hidden zones as a count with the things in
them that the seat knows, the pending question with its options for the seat that is asked. `None` is a spectator, who
sees what everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dsl import ir
from dsl.base.types import ListType, MemberType, SetType, Type, unpack, width
from dsl.program import SKIPPED
from interpreter.core.words import Words
from interpreter.rules.layout import holder_dims, holders
from interpreter.rules.pieces import count_items, slot_words
from interpreter.rules.rules import Rules
from interpreter.session.interrupts import open_decision
from interpreter.session.state import State
from interpreter.visibility import audiences
from interpreter.visibility.cells import sees_cell
from interpreter.visibility.unseen import unseen_cell


def view(state: State, seat: int | None, lang: str = "en") -> dict[str, Any]:
    """The position as `seat` may see it, as plain data. While another seat's plan is open, the position before it, and
    of the question only who is asked."""
    game, decision = state.game, state.decision
    words = state.words
    if state.plan is not None and seat != state.plan.seat:
        words = state.plan.words
    shown: dict[str, Any] = {
        "ruleset": game.program.id,
        "version": game.program.version,
        "seats": state.seats,
        "seat": seat,
        "options": dict(state.options),
        "over": state.over,
        "state": {e.symbol: entry_view(state, words, e, seat) for e in game.program.layout if e.sort not in SKIPPED},
        "decision": None,
    }
    if decision is not None and seat in decision.open_seats:
        decision = open_decision(state, seat) or decision
    if decision is not None:
        revealed = state.plan is None or seat == state.plan.seat  # only the actor sees how far an open plan has come
        shown["decision"] = {
            "seat": decision.seat,
            "actor": decision.actor,
            "address": decision.address if revealed else "",
            "shape": decision.shape if revealed else "",
        }
        if seat == decision.seat:
            shown["decision"]["prompt"] = decision.prompt(lang)
            shown["decision"]["options"] = [
                {"kind": o.kind, "code": list(o.code), "ids": list(o.ids), "text": o.text(lang)}
                for o in decision.options
            ]
            if decision.undecided:
                shown["decision"]["undecided"] = [list(o.ids) for o in decision.undecided]
    return shown


def entry_view(state: State, words: Words, entry: ir.LayoutEntry, seat: int | None) -> Any:
    """One declared field or zone: a value, or a map by holder if it belongs to things."""
    rows = {}
    for thing, base in holders(entry):
        if state.game.names.seat_number(thing) > state.seats:
            continue  # nobody sits there
        seen = sees_cell(state.game, words, entry, thing, seat)
        shown = {
            member: _visible(state, words, entry, at) if seen else _hidden(state, words, entry, at, seat)
            for member, at in members_at(state, entry, base)
        }
        cell = shown if "" not in shown else shown[""]
        if not thing:
            return cell
        rows[state.game.names.text(thing, entry.dims[0])] = cell
    return rows


def members_at(state: State, entry: ir.LayoutEntry, base: int) -> Iterator[tuple[str, int]]:
    """The members that a holder has zones for, by id, and the first word of each; for others the word alone."""
    dims = entry.dims[holder_dims(entry) :]
    names, domains, seats = state.game.names, state.game.program.domains, state.game.program.seat_kind

    def exists(member: int, t: Type) -> bool:
        """True for a key that is a member, which the numbers in the gaps of a union are not, and a seat at the
        table."""
        if not isinstance(t, MemberType):
            return True
        return names.seat_number(member) <= state.seats if t.domain == seats else member in domains[t.domain].values

    for number, key in enumerate(names.keys(dims)):
        if all(map(exists, key, dims)):
            yield names.key(key, dims), base + number * width(entry.type)


def _visible(state: State, words: Words, entry: ir.LayoutEntry, base: int) -> Any:
    """The value of a cell."""
    return cell_value(state, unpack(words, base, entry.type), entry)


def cell_value(state: State, value: Any, entry: ir.LayoutEntry) -> Any:
    """A cell as JSON; for a zone of one counted piece, which piece it is, and the words of faces."""
    if entry.sort == "slot":
        return slot_words(state.game, entry, value)
    if entry.sort == "face":
        return entry.faces[value]
    if entry.sort == "pieces" and entry.faces:
        return count_items(state.game, entry, value)
    return json_value(state, value, entry.type)


def json_value(state: State, value: Any, type_: Any) -> Any:
    """A value as JSON: ints, booleans, ids, lists of these."""
    names = state.game.names
    if isinstance(value, tuple) or isinstance(type_, SetType):
        return names.items(value, type_)
    text = names.text(value, type_)
    if text in ("true", "false"):
        return text == "true"
    return value if text == str(value) else text


def _hidden(state: State, words: Words, entry: ir.LayoutEntry, base: int, seat: int | None) -> dict[str, Any]:
    """A hidden cell: that it is hidden; for zones also how much is in it (unless that reveals everything) and which
    things the seat knows to be there."""
    cell = unseen_cell(state.game, words, entry, base, seat)
    if cell.count is None:
        return {"hidden": True}
    shown: dict[str, Any] = {"hidden": cell.count}
    if cell.known:
        shown["known"] = sorted(state.game.program.thing_ids[thing] for thing in cell.known)
    ordered = isinstance(entry.type, ListType)
    if ordered and (top := audiences.top_seen(state.game, words, zone_at(state, base), seat)):
        shown["top"] = state.game.program.thing_ids[top]
    if backs := backs_of(state, cell.things, ordered):
        shown["backs"] = backs
    return shown


def zone_at(state: State, base: int) -> int:
    """The number of the zone whose words begin at `base`."""
    return state.game.cached(zones_by_address).get(base, 0)


def zones_by_address(rules: Rules) -> dict[int, int]:
    return {zone.base: number for number, zone in enumerate(rules.program.zones) if number}


def backs_of(state: State, things: Sequence[int], ordered: bool) -> list[dict[str, Any]]:
    """The values on the backs of things: one after the other in an ordered zone, else with nothing said of which is
    which."""
    backs = state.game.backs
    found = [{name: json_value(state, value, t) for name, value, t in backs.get(thing, ())} for thing in things]
    if not any(found):
        return []
    return found if ordered else sorted(found, key=str)
