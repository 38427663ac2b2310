"""The names of payments: how many pieces of which source are spent, and what comes back.

A payment is a way to pay or to gain. This takes the store and the number of a payment; its words name zones and
members, so that they mean the same under another build of the ruleset. A gain spends nothing, so it is named by what
comes. Nothing is paid here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dsl import ir
from dsl.base.types import IntType, MapType, Type, width
from interpreter.core.words import Words
from interpreter.rules.layout import entry_at, holder_of
from interpreter.rules.rules import Rules
from interpreter.semantics import purses

BACK = "back"  # the word before what is given back as change
PAYING, GAINING = "paying", "gaining"  # the word before a payment, after the answer that leads to it


PaymentPart = tuple[str, str, list[tuple[int, Type]], int]  # holder or empty, symbol of the zone, its index, how many


@dataclass(frozen=True, slots=True)
class PaymentList:
    """The payments that one question offers, in their order, and who pays or gains."""

    gain: bool
    payer: int
    units: list[purses.Unit]
    payments: list[purses.Payment]


def list_payments(rules: Rules, words: Words, paid: ir.Payments, temps: int) -> PaymentList:
    args = [rules.evaluate(words, arg, {}, temps) for arg in paid.args]
    amount = rules.evaluate(words, paid.amount, {}, temps)
    rules.machine.words = words
    p = purses.open_purse(rules.machine, paid.purse, list(args))
    found = (purses.ranked_gains if paid.gain else purses.ranked_payments)(rules.machine, p, amount)
    return PaymentList(paid.gain, args[0], p.units, found)


def payment_ids(rules: Rules, listed: PaymentList, number: int) -> tuple[str, ...]:
    """The words of a payment: each source with its number, in order; after `back` what comes back, if anything is
    spent."""
    spent, back = payment_parts(rules, listed, number)
    found = [word for part in spent for word in part_ids(rules, part)]
    return tuple(found + [BACK] * bool(back) + [word for part in back for word in part_ids(rules, part)])


def payment_text(rules: Rules, listed: PaymentList, number: int, lang: str) -> str:
    """The payment as text for a player."""
    spent, back = (
        rules.texts.engine(lang, "and").join(part_text(rules, part, lang) for part in found)
        for found in payment_parts(rules, listed, number)
    )
    return join_change(rules, spent, back, lang)


def join_change(rules: Rules, spent: str, back: str, lang: str) -> str:
    return rules.texts.engine(lang, "change", spent=spent, back=back) if back else spent


def words_before_payment(words: Sequence[str], first: int = 0) -> int:
    """The index, `first` or more, of the word that begins a payment; the number of words if there is none."""
    return next((at for at, word in enumerate(words) if at >= first and word in (PAYING, GAINING)), len(words))


def logged_payment_text(rules: Rules, ids: Sequence[str], kind: str, lang: str) -> str:
    """The payment with these words, as a log stores them, as text for a player; `kind` is that of the payer."""
    found: list[list[str]] = [[]]
    words: list[str] = []
    for word in ids:
        if word == BACK:
            found.append([])
        elif not word.isdecimal():
            words.append(word)
        elif words:
            holder, _, zone = words[0].rpartition(".")
            owner = rules.program.thing_kinds[rules.things[holder]] if holder in rules.things else kind
            shape = rules.shapes.get(owner, {}).get(zone)
            own = shape.symbol if shape else f"{owner}.{zone}"
            symbol = own if holder or rules.texts.find(lang, own) or not rules.texts.find(lang, zone) else zone
            shown = [rules.texts.find(lang, symbol) or zone, *(rules.texts.id(lang, "", w) for w in words[1:])]
            found[-1].append(piece_text(rules, shown, holder, word, lang))
            words = []
    spent, back = (rules.texts.engine(lang, "and").join(part) for part in (*found, [])[:2])
    return join_change(rules, spent, back, lang)


def is_same_payment(ids: Sequence[str], words: Sequence[str]) -> bool:
    """True if `words` name the payment `ids`; its parts may come in any order."""
    return len(ids) == len(words) and _split_parts(ids) == _split_parts(words)


def _split_parts(words: Sequence[str]) -> tuple[list[list[str]], ...]:
    """The parts of a payment, each up to its number: what is spent, then what comes back."""
    found: list[list[list[str]]] = [[[]]]
    for word in words:
        if word == BACK:
            found.append([[]])
            continue
        found[-1][-1].append(word)
        if word.isdecimal():
            found[-1].append([])
    return tuple(sorted(parts) for parts in found)


def payment_parts(rules: Rules, listed: PaymentList, number: int) -> tuple[list[PaymentPart], list[PaymentPart]]:
    """The parts that a payment spends, and those that come back; for a gain the parts that come, and none."""
    payment = listed.payments[number - 1]
    spent, back = (
        [payment_part(rules, unit.source, n, listed.payer) for unit, n in zip(listed.units, counts, strict=True) if n]
        for counts in (payment.spent, payment.back)
    )
    return (back, []) if listed.gain else (spent, back)


def payment_part(rules: Rules, end: purses.PoolAt, n: int, payer: int) -> PaymentPart:
    symbol = end.pool.symbol
    found = entry_at(rules, end.at)
    if found is None:
        return "", symbol, [], n
    entry, number = found
    thing = holder_of(entry, number)
    holder = rules.program.thing_ids[thing] if thing not in (0, payer) else ""
    if not isinstance(entry.type, MapType):
        return holder, symbol, [], n
    values = rules.names.keys(entry.type.keys)[(end.at - entry.base) % width(entry.type)]
    keys = zip(values, entry.type.keys, strict=True)
    return holder, symbol, [(v, t) for v, t in keys if not isinstance(t, IntType)], n


def part_ids(rules: Rules, part: PaymentPart) -> list[str]:
    holder, symbol, keys, n = part
    name = symbol.rpartition(".")[2]
    return [f"{holder}.{name}" if holder else name, *(rules.names.text(v, t) for v, t in keys), str(n)]


def part_text(rules: Rules, part: PaymentPart, lang: str) -> str:
    holder, symbol, keys, n = part
    name = symbol.rpartition(".")[2]
    shown = [rules.texts.find(lang, symbol) or name, *(rules.texts.value(lang, v, t) for v, t in keys)]
    return piece_text(rules, shown, holder, str(n), lang)


def piece_text(rules: Rules, shown: list[str], holder: str, n: str, lang: str) -> str:
    """The text of `n` pieces, with their holder if it is a thing."""
    if holder in rules.things:
        kind = rules.program.thing_kinds[rules.things[holder]]
        shown = [*shown, f"({rules.texts.id(lang, kind, holder)})"]
    return rules.texts.engine(lang, "pieces", n=n, what=" ".join(shown))
