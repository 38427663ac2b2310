"""A position as a seat may imagine it: what the seat knows stays, what it cannot know is dealt again, evenly.

Takes a store and gives a copy of it; the rules go on from there as in any game. Chance that is still to come is new.
Things that the seat does not know change places among all zones that are declared to hold the same, where each place
keeps what is seen of a back; so do counted pieces. Fields that it does not see may be whatever their types allow
(`interpreter.machine.redeal`), and answers that others have given in a round of a loop `at once` whatever they were
offered. A deal that breaks an invariant is dealt again.
"""

from __future__ import annotations

from dsl.program import FP, FRAME_LINK, PC, SITE
from interpreter.choices.generator import Generator
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words
from interpreter.machine.hidden import HiddenParts, hidden_of
from interpreter.machine.redeal import redeal
from interpreter.rules.rounds import place_of
from interpreter.rules.rules import Rules
from interpreter.visibility.audiences import sees


def imagined(rules: Rules, words: Words, seat: int, chance: Generator) -> Words:
    """A copy of this store in which `seat` knows no more than it may; chance is drawn, also where it would be asked.

    For bots and searches, which are to choose alike wherever their seat cannot tell the difference. Costs some passes
    through what is hidden, and a deal more for each that breaks an invariant."""
    store, parts = words[:], rules.cached(secrets)
    redeal(parts, StoreSight(rules, parts, store), store, seat, chance)
    return answered_anew(rules, store, seat, chance)


def secrets(rules: Rules) -> HiddenParts:
    return hidden_of(rules.program)


class StoreSight:
    """The view of a store that the redeal asks for (`interpreter.machine.redeal.Sight`)."""

    def __init__(self, rules: Rules, parts: HiddenParts, store: Words) -> None:
        self.rules, self.parts, self.store = rules, parts, store
        self.kept = store

    def sees(self, place: int, seat: int) -> bool:
        return self._is_of(self.parts.zones[place].audience, place, seat)

    def sees_top(self, zone: int, seat: int) -> bool:
        return bool(self.parts.zones[zone].top) and self._is_of(self.parts.zones[zone].top, zone, seat)

    def _is_of(self, audience: str, place: int, seat: int) -> bool:
        zone = self.parts.zones[place]
        return sees(self.rules, self.store, audience, self.rules.owner_fns.get(zone.symbol, -1), zone.holder, seat)

    def is_lawful(self) -> bool:
        machine = self.rules.machine
        machine.words = self.store
        return all(machine.holds(one) for one in self.parts.invariants)

    def keep(self) -> int:
        self.kept = self.store[:]
        return 0

    def put_back(self, kept: int) -> None:
        self.store[:] = self.kept

    def forget(self, kept: int) -> None:
        """The copy goes when the sight does."""


def answered_anew(rules: Rules, words: Words, seat: int, chance: Generator) -> Words:
    """The same position, with other answers of those who were asked before in the round that the pending question
    begins for its seat: each of the options that they have here, as likely as any other. As it is if there is no such
    round, and where the seat itself has answered in it before."""
    first = words[SITE] - 1
    asked, top = rules.cached(secrets).rounds.get(first, (-1, 0))
    if words[PC] != asked:
        return words
    site, machine = rules.program.sites[first], rules.machine
    assert site.at_once is not None, "a question of a loop `at once`"
    if site.cursor >= 0 and words[words[FP] + FRAME_LINK + site.cursor]:
        return words
    member, store = place_of(words, site), words[:]
    store[store[FP] + FRAME_LINK + site.at_once[1]] = 1
    store[SITE], store[PC] = 0, top
    try:
        machine.run(store)
        while (now := store[SITE] - 1) >= 0 and place_of(store, rules.program.sites[now]) < member:
            if rules.names.seat_number(rules.read(store, rules.program.sites[now].seat)) == seat:
                return words
            options = machine.options(store)
            machine.take(store, options[chance.below(len(options))])
    except RulesetError:
        return words
    return store if store[SITE] == words[SITE] else words
