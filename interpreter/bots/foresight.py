"""Foresight for bots: an option is played on from an imagined position, and the result is valued.

A `Foresight` works on stores. After an option it goes on to where the same may be said of all options of the question:
an answer of several members is ended, and the usual payment is made. Where the same seat has to answer more within the
same action, the best of its answers counts, as deep as `depth` says. Where the question comes again and may be
declined, as in a turn of several actions, it is as good as declined there; so to decline it now is worth what the
position is worth. Questions to others are never answered.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl.ir import Site
from dsl.program import FP, FRAME_LINK, PLAN, SITE
from interpreter.choices.generator import Generator
from interpreter.core.errors import RulesetError
from interpreter.core.question import DECLINE, READY, GreedyChoice, RawOption
from interpreter.core.words import Words
from interpreter.machine.invariants import checking
from interpreter.machine.machine import Machine
from interpreter.rules.rules import Rules
from interpreter.visibility.imagine import imagined

MOST_ANSWERS = 50  # given in a row after one option
BREADTH = 3  # options of one question after which more answers are searched

Values = list[int | None]  # of options; None: unknown


def best_option(
    rules: Rules, words: Words, options: Sequence[RawOption], seat: int, chance: Generator, declining: bool
) -> GreedyChoice:
    """What the greedy bot takes of these options of a question: one of the best for its seat, as far as it may know
    (`imagined`); ties by `chance`. `declining`: it does nothing rather than what brings nothing."""
    runner = rules.runner
    if not isinstance(runner, Machine):
        found = runner.best(words, options, seat, chance, declining)
        if found is not None:
            return found
        runner.making.begin()  # whoever looks ahead will do so again
    store = imagined(rules, words, seat, chance)
    values, now = rules.cached(Foresight).values(store, options, seat)
    best = max((value for value in values if value is not None), default=None)
    worth = now if best is None else best
    alike = [n for n, value in enumerate(values) if value == best]
    idle = [n for n in alike if options[n] == DECLINE]
    if declining and idle:
        return GreedyChoice(idle[0], worth, now)
    if not declining and worth <= now:
        return GreedyChoice(0, worth, now)
    return GreedyChoice(chance.choice(alike), worth, now)


class Foresight:
    """Values options for one seat. `depth`: how many more answers of one action are searched."""

    def __init__(self, rules: Rules, depth: int = 2) -> None:
        self.rules, self.machine, self.depth = rules, rules.machine, depth
        self.seat = 0

    def values(self, words: Words, options: Sequence[RawOption], seat: int) -> tuple[Values, int]:
        """What the position of `seat` is worth after each of these options of the pending question (None where that is
        not known), and what it is worth as it stands. The store is an imagined one, and stays as it is."""
        self.seat = seat
        with checking(self.machine, False):
            now = self.worth(words)
            return self.judged(words, options, self.depth), now

    def judged(self, words: Words, options: Sequence[RawOption], depth: int) -> Values:
        """The values of the options of one question. Those that lead to more answers are judged by the best of these;
        of them only the most promising ones are looked at."""
        played = [self.played(words, option) for option in options]
        ends = [store for store, _ in played]
        if DECLINE in options and any(end is not None and end[SITE] == words[SITE] for end in ends):
            ends[options.index(DECLINE)] = words
        short = {n: begun for n, (_, begun) in enumerate(played) if begun is not None}
        self.fill_well(ends, short, BREADTH if depth == self.depth else 1)
        unfinished = [n for n, end in enumerate(ends) if depth and end is not None and self.goes_on(words, end)]
        unjudged = set(unfinished) if len(unfinished) <= BREADTH else ()  # all of them are looked at, however promising
        found = [None if end is None or n in unjudged else self.worth(end) for n, end in enumerate(ends)]
        if len(unfinished) > BREADTH:
            hopes = {n: self.hope(ends[n], found[n]) for n in unfinished}
            unfinished.sort(key=lambda n: -hopes[n])
        for n in unfinished:
            found[n] = None
        for n in unfinished[:BREADTH]:
            store = ends[n]
            assert store is not None
            further = self.machine.options(store) or [DECLINE]  # with nothing to choose from it is passed over
            known = [v for v in self.judged(store, further, depth - 1) if v is not None]
            found[n] = max(known, default=None)
        return found

    def fill_well(self, ends: list[Words | None], short: dict[int, Words], most: int) -> None:
        """Members that want others beside them, in the stores `short`, stand with the first that serve; the best `most`
        of them get the best others."""
        hopes = {n: self.worth(end) for n in short if (end := ends[n]) is not None}
        for n in sorted(hopes, key=lambda n: -hopes[n])[:most]:
            ends[n] = self.filled(short[n]) or ends[n]

    def filled(self, store: Words) -> Words | None:
        """The end of an answer that needs more members: each time the one that is best at a glance."""
        end: Words | None = None
        short: Words | None = store
        while short is not None:
            ways = [self.played(short, option) for option in self.machine.options(short)]
            known = [(self.worth(end), end, begun) for end, begun in ways if end is not None]
            if not known:
                return end
            _, end, short = max(known, key=lambda way: way[0])
        return end

    def hope(self, store: Words | None, worth: int | None) -> int:
        """What a store with one more question is worth at a glance: as it is, or with the lowest or the highest number
        as the answer, since before it nothing has happened to tell one such option from another."""
        assert store is not None
        if self.site(store).shape == "number":
            numbers = self.machine.options(store)
            ends = [self.end_of(store, option) for option in {id(o): o for o in (numbers[0], numbers[-1])}.values()]
            worth = max((self.worth(end) for end in ends if end is not None), default=worth)
        return worth or 0

    def end_of(self, words: Words, option: RawOption) -> Words | None:
        """The store where options can be compared: after this one and all that is answered without a choice. None if
        that comes to a fault of the rules."""
        return self.played(words, option)[0]

    def played(self, words: Words, option: RawOption) -> tuple[Words | None, Words | None]:
        """The end of an option, and, if it is a member that needs others beside it, the store in which it alone is
        taken."""
        store, short = words[:], None
        try:
            self.machine.look(store, option)
            for _ in range(MOST_ANSWERS):
                answer = self.plain_answer(store)
                if answer is None:
                    break
                if short is None and answer != READY:
                    short = store[:]
                self.machine.look(store, answer)
        except RulesetError:
            return None, None
        return store, short

    def plain_answer(self, store: Words) -> RawOption | None:
        """The end of an answer of several members that has been begun; None if anything else is asked."""
        if not store[SITE]:
            return None
        site = self.site(store)
        if site.cursor >= 0 and store[store[FP] + FRAME_LINK + site.cursor]:
            return self.machine.end_of_answer(store)
        return None

    def goes_on(self, before: Words, store: Words) -> bool:
        """Whether the seat has to answer a further question of what it has begun in `before`."""
        if not store[SITE] or store[SITE] == before[SITE] or self.asked_seat(store) != self.seat:
            return False
        frame = store[FP]
        same = frame == before[FP] and store[frame + 2] == before[frame + 2]
        return bool(store[PLAN]) or (same and store[SITE] > before[SITE])

    def asked_seat(self, store: Words) -> int:
        site = self.site(store)
        return self.rules.names.seat_number(self.rules.read(store, site.seat))

    def site(self, store: Words) -> Site:
        """The question that a store waits with."""
        return self.rules.program.sites[store[SITE] - 1]

    def worth(self, store: Words) -> int:
        """What the manifest's `evaluate` says of the seat."""
        return self.machine.worth(store, self.rules.names.seat_thing(self.seat))
