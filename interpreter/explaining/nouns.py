"""Names for what an expression reads, as people who play say them: `your hand`, `cost of Anvil`.

Takes an expression and gives a message, or None where it has no name, as a sum of products has none. Names come from
the texts of the ruleset, else from the ids; things are named by their texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ir
from dsl.base.types import BoolType, IntType, MapType, MemberType, SetType, Type, width
from interpreter.explaining.scope import ReadingScope, evaluate, inside, is_visible, slot_cell, type_of
from interpreter.rules.layout import entry_at, holder_dims, holder_of
from interpreter.rules.messages import Message, Named, TextLabel, join_messages, message

ZONE_OF = "zone_of."  # begins the name of the function that gives the zone of a thing
WORTH = "worth_of("  # begins the name of the function that says what can be paid from a purse


def shown(scope: ReadingScope, value: Any, type_: Type | None) -> Message:
    """A value by its text; the one who is asked is told that it is he."""
    plain = message("as_it_is", text=Named(value, type_) if type_ is not None else str(value))
    return message("why_you", value=plain) if is_asked(scope, value, type_) else plain


def is_asked(scope: ReadingScope, value: Any, type_: Type | None) -> bool:
    """True for the one who is asked, as an actor or as a seat, if it is also the one who reads the reason."""
    decision = scope.decision
    if not isinstance(type_, MemberType) or not value or scope.seat != decision.seat:
        return False
    seat_kind, actor = decision.game.program.seat_kind, decision.site.actor_type
    if type_.domain == seat_kind:
        return decision.game.names.seat_number(value) == decision.seat
    return isinstance(actor, MemberType) and type_.domain == actor.domain and value == decision.actor_value


def noun(scope: ReadingScope, e: ir.Expr) -> Message | None:
    """The name of what an expression reads; None where it has none, or where its value says it all."""
    match e:
        case ir.Cell() | ir.CellSum():
            return cell_noun(scope, e)
        case ir.TableGet():
            return _constant_noun(scope, e)
        case ir.CallFn():
            return _value_noun(scope, e)
        case ir.Size(operand=operand, kind=kind):
            what = noun(scope, operand)
            return message("why_number_of", what=what) if what and kind != "total" else what
        case ir.Arith(op="+" | "-" | "max" | "min" | "*", left=left, right=right):
            return _combined(scope, e.op, left, right)
        case ir.If(test=test, then=then, orelse=orelse):
            cell = slot_cell(e)
            if cell is not None:
                return noun(scope, cell)
            if not is_visible(scope, test):
                return None
            return noun(scope, then if evaluate(scope, test) else orelse)
        case ir.Let(body=body) | ir.LazyLet(body=body):
            return noun(inside(scope, e), body)
        case ir.Temp(slot=slot) | ir.Force(slot=slot):
            let = next((x for x in reversed(scope.lets) if x.slot == slot), None)
            if let is not None:
                return noun(scope, let.value)
            given = scope.given.get(slot) if isinstance(e, ir.Temp) else None
            return noun(given[1], given[0]) if given is not None else None
        case ir.ByPlace(meaning=meaning):
            return noun(scope, meaning)
    return None


def of(scope: ReadingScope, what: Message, whose: Sequence[tuple[Any, Type]]) -> Message:
    """A name with what it belongs to: `your hand`, `hand of Anna`, `cost of Anvil`, `your cost (Anvil)`."""
    if not whose:
        return what
    first, *rest = whose
    mine = is_asked(scope, *first)
    named = rest if mine else whose
    of_whom = join_messages([message("as_it_is", text=Named(*item)) for item in named])
    if not mine:
        return message("why_of", what=what, whose=of_whom)
    return message("why_your_of", what=what, whose=of_whom) if rest else message("why_your", what=what)


def cell_noun(scope: ReadingScope, e: ir.Cell | ir.CellSum) -> Message | None:
    """The name of a field or zone, with its holder and keys."""
    game = scope.decision.game
    if not is_visible(scope, e.address):
        return None
    at = evaluate(scope, e.address)
    found = entry_at(game, at)
    if found is None or found[0].symbol != e.symbol:
        return None
    entry, number = found
    what = message("as_it_is", text=TextLabel((entry.symbol, f"display.{name_of(entry)}", name_of(entry))))
    keys = list(zip(game.names.keys(entry.dims)[number], entry.dims, strict=True)) if entry.dims else []
    if isinstance(entry.type, MapType) and (isinstance(e, ir.CellSum) or not isinstance(e.type, MapType)):
        keys += _counted(scope, entry, at, e.stride if isinstance(e, ir.CellSum) else 0)
    own = holder_dims(entry)
    if keys[own:]:
        listed = join_messages([message("as_it_is", text=Named(*key)) for key in keys[own:]])
        what = message("why_named", value=what, what=listed)
    if not own:
        return what
    kind = game.program.thing_kinds[holder_of(entry, number)]
    return of(scope, what, [(keys[0][0], MemberType(kind, 0, max(game.program.domains[kind].values)))])


def name_of(entry: ir.LayoutEntry) -> str:
    return entry.symbol.rpartition(".")[2]


def _counted(scope: ReadingScope, entry: ir.LayoutEntry, at: int, stride: int) -> list[tuple[Any, Type]]:
    """The keys of one of several counts, without those that a sum goes over and without faces."""
    assert isinstance(entry.type, MapType)
    names = scope.decision.game.names
    item = width(entry.type.value)
    first = (at - entry.base) % width(entry.type) // item
    rows = names.keys(entry.type.keys)
    following = rows[first + stride // item] if 0 <= first + stride // item < len(rows) else rows[first]
    skipped = 1 if entry.faces else 0
    found = zip(rows[first], following, entry.type.keys, strict=True)
    return [(a, t) for n, (a, b, t) in enumerate(found) if n >= skipped and a == b]


def _constant_noun(scope: ReadingScope, e: ir.TableGet) -> Message | None:
    program = scope.decision.game.program
    symbol = next((symbol for symbol, (number, _) in program.consts.items() if number == e.table), "")
    kind, _, name = symbol.rpartition(".")
    if not symbol or not is_visible(scope, e.offset):
        return None
    what = message("as_it_is", text=TextLabel((symbol, f"display.{name}", name)))
    offset, values = evaluate(scope, e.offset), program.domains[kind].values if kind in program.domains else ()
    if not 0 <= offset < len(values):
        return what
    return of(scope, what, [(values[offset], MemberType(kind, 0, max(values)))])


def _value_noun(scope: ReadingScope, e: ir.CallFn) -> Message | None:
    """The name of a declared value, with what it was asked for."""
    function = scope.decision.game.program.functions[e.fn]
    name, whose = function.name.removesuffix(".counts"), []
    if is_worth(scope, e):
        name = name.removeprefix(WORTH).rstrip(")")
        rows = list(zip(e.args, function.params, strict=True))[:1]
    else:
        rows = list(zip(e.args, function.params, strict=True))
    for arg, (_, type_) in rows:
        if not isinstance(type_, (MemberType, IntType, BoolType, SetType)) or not is_visible(scope, arg):
            return None
        if isinstance(type_, (MemberType, IntType)):
            whose.append((evaluate(scope, arg), type_))
    if name.startswith(ZONE_OF):
        return of(scope, message("why_zone"), whose)
    keys = (f"display.{name}", f"{name}.title", name.rpartition(".")[2])
    return of(scope, message("as_it_is", text=TextLabel(keys)), whose)


def is_worth(scope: ReadingScope, e: ir.Expr) -> bool:
    """True for an expression that is the amount that can be paid from a purse."""
    return isinstance(e, ir.CallFn) and scope.decision.game.program.functions[e.fn].name.startswith(WORTH)


def _combined(scope: ReadingScope, op: str, left: ir.Expr, right: ir.Expr) -> Message | None:
    """The name of a sum or a limit of names; a number in it that changes nothing is left out."""
    neutral = ir.Const(1 if op == "*" else 0)
    if neutral in (left, right) and op != "min":
        return noun(scope, right if left == neutral else left)
    if op in ("max", "min", "*") or type_of(scope, left) is None:
        return None
    parts = [noun(scope, part) for part in (left, right)]
    if None in parts:
        return None
    return message("why_sum" if op == "+" else "why_difference", a=parts[0] or (), b=parts[1] or ())
