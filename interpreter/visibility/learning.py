"""Learning by answers, that is, if what an answer does depends on what its seat cannot see.

What is read counts, whatever comes of it; so do a move of a thing whose place the seat does not know, and pieces that
are taken from a pool that it does not see. Questions are listed by the machine that plays, and do not count: an answer
depends on what the one who is asked sees. Works on the store that it is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ir
from dsl.program import SITE
from interpreter.core import pools
from interpreter.core.placement import content
from interpreter.core.question import RawOption
from interpreter.core.run import Run
from interpreter.core.words import Temps, Words
from interpreter.rules.rules import Rules
from interpreter.visibility.audiences import knows, place_of
from interpreter.visibility.cells import ReadingMachine, is_hidden, unseen_by_predicate


class Learning:
    """Carries out answers of `seat`; `learned`: whether anything that it cannot see decided what one of them did."""

    def __init__(self, rules: Rules, seat: int) -> None:
        self.rules, self.seat = rules, seat
        self.learned = False
        self.judged: set[int] = set()  # addresses that were looked at
        self.machine = machine = ReadingMachine(rules)
        move, transfer, lists = machine.ex[ir.MoveThing], machine.ex[ir.Transfer], machine.list_options

        def move_thing(m: Run, s: ir.MoveThing, t: Temps) -> int:
            self.judge()
            thing, zones = m.value(s.thing, t), rules.program.zones
            if thing and not m.probing and not knows(rules, m.words, thing, seat):
                self.learned = True
            places = {place_of(rules, m.words, thing), m.value(s.zone, t)} if rules.program.known_base else set()
            near = [x for n in places if zones[n].top for x in content(m.words, zones[n])]
            covered = [x for x in near if not knows(rules, m.words, x, seat)]
            found = move(m, s, t)
            if not m.probing and any(knows(rules, m.words, x, seat) for x in covered):
                self.learned = True  # it lies on top now
            return found

        def move_pieces(m: Run, s: ir.Transfer, t: Temps) -> int:
            machine.addresses.add(pools.pool_state(m, s.source, t)[0])
            return transfer(m, s, t)

        machine.ex |= {ir.MoveThing: move_thing, ir.Transfer: move_pieces}
        machine.list_options = lambda: lists() if machine.probing else self.listed()  # type: ignore[method-assign]

    def take(self, words: Words, option: RawOption, script: Sequence[Any]) -> None:
        """Take an option that is offered in this store, and run on; raises RulesetError for a fault of the rules."""
        try:
            self.machine.take(words, option, script)
        finally:
            self.judge()

    def judge(self) -> None:
        """Look at what was read since the last call, as the store is now."""
        words = self.machine.words
        for address in self.machine.addresses - self.judged:
            if is_hidden(self.rules, words, address, self.seat):
                self.learned = True
        self.judged |= self.machine.addresses

    def listed(self) -> list[RawOption]:
        """The options of the next question. That there are none, where not everybody sees why, is told as well; so is
        that it may not be put, where a predicate does not let see the one who is asked."""
        machine, playing = self.machine, self.rules.runner
        machine.offers = (playing.all_options if machine.list_all else playing.options)(machine.words[:])
        machine.undecided = playing.undecided
        site = machine.program.sites[machine.words[SITE] - 1]
        if not machine.offers and site.always_ask:
            self.learned = True
        if site.sighted:
            asked = self.rules.names.seat_number(self.rules.read(machine.words, site.seat))
            self.learned = self.learned or bool(unseen_by_predicate(self.rules, machine.words, asked))
        return machine.offers
