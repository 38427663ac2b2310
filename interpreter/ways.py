"""What a way of paying is called: how many pieces of which source are spent, and what comes back.

Takes the store and the number of a way; its words name zones and members, so that they mean the same under another
build of the ruleset. Nothing is paid here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import ir
from dsl.types import IntType, MapType, Type, width
from interpreter import purse
from interpreter.visible import entry_at, holder_of

if TYPE_CHECKING:
    from interpreter.game import Game

BACK = "back"  # before what is given back as change


Part = tuple[str, str, list[tuple[int, Type]], int]  # holder or empty, symbol of the zone, its index, how many


def way_ids(game: Game, words: list[int], paid: ir.Ways, number: int, temps: int) -> tuple[str, ...]:
    """Each source with its number, in their order; after `back` what comes back."""
    spent, back = parts(game, words, paid, number, temps)
    found = [word for part in spent for word in ids_of(game, part)]
    return tuple(found + [BACK] * bool(back) + [word for part in back for word in ids_of(game, part)])


def way_text(game: Game, words: list[int], paid: ir.Ways, number: int, temps: int, lang: str) -> str:
    """The same for people."""
    spent, back = (
        game.texts.engine(lang, "and").join(text_of(game, part, lang) for part in found)
        for found in parts(game, words, paid, number, temps)
    )
    return game.texts.engine(lang, "change", spent=spent, back=back) if back else spent


def parts(game: Game, words: list[int], paid: ir.Ways, number: int, temps: int) -> tuple[list[Part], list[Part]]:
    """What a way spends of each source, and what comes back to it."""
    args = [game.evaluate(words, arg, {}, temps) for arg in paid.args]
    amount = game.evaluate(words, paid.amount, {}, temps)
    game.machine.words = words
    p = purse.open_purse(game.machine, paid.purse, list(args))
    way = purse.ways(game.machine, p, amount)[number - 1]
    spent, back = (
        [part_of(game, unit.source, n, args[0]) for unit, n in zip(p.units, counts, strict=True) if n]
        for counts in (way.spent, way.back)
    )
    return spent, back


def part_of(game: Game, end: purse.End, n: int, payer: int) -> Part:
    symbol = end.pool.symbol
    found = entry_at(game, end.at)
    if found is None:
        return "", symbol, [], n
    entry, number = found
    thing = holder_of(entry, number)
    holder = game.program.thing_ids[thing] if thing not in (0, payer) else ""
    if not isinstance(entry.type, MapType):
        return holder, symbol, [], n
    values = game.names.keys(entry.type.keys)[(end.at - entry.base) % width(entry.type)]
    keys = zip(values, entry.type.keys, strict=True)
    return holder, symbol, [(v, t) for v, t in keys if not isinstance(t, IntType)], n


def ids_of(game: Game, part: Part) -> list[str]:
    holder, symbol, keys, n = part
    name = symbol.rpartition(".")[2]
    return [f"{holder}.{name}" if holder else name, *(game.names.text(v, t) for v, t in keys), str(n)]


def text_of(game: Game, part: Part, lang: str) -> str:
    holder, symbol, keys, n = part
    name = symbol.rpartition(".")[2]
    shown = [game.texts.find(lang, symbol) or name, *(game.texts.value(lang, v, t) for v, t in keys)]
    if holder:
        kind = game.program.thing_kinds[game.things[holder]]
        shown.append(f"({game.texts.id(lang, kind, holder)})")
    return game.texts.engine(lang, "pieces", n=str(n), what=" ".join(shown))
