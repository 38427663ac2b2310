"""A search bot: a tree of small answers, grown from positions as the seat may imagine them.

Each iteration imagines the position anew, goes down the tree by the answers that are best so far or tried least (UCB
over those that are offered here), adds one answer, perhaps plays on at random, and notes for each answer on the way
what the position has become worth to the seat that gave it. So each seat plays for itself, and chance and secrets
need no nodes of their own. The tree lies in flat rows of numbers, as it does in low code, which makes the same draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dsl.program import HEADER, SITE
from interpreter.bots.standing import standing
from interpreter.choices.draw import is_rare
from interpreter.choices.generator import Generator
from interpreter.core.errors import RulesetError
from interpreter.core.question import RawOption
from interpreter.core.words import Words
from interpreter.machine.growth import DEEPEST, KNOWN, LOG_BITS, LOGS, MOST_NODES, ROOTS
from interpreter.machine.invariants import checking
from interpreter.machine.machine import Machine
from interpreter.rules.rules import Rules
from interpreter.visibility.imagine import imagined


@dataclass(frozen=True, slots=True)
class SearchStyle:
    """How a bot searches: with so many iterations, `scale` of `standing`, so many random answers after the tree, and so
    many hundredths of a win that less tried answers are preferred by."""

    iterations: int
    scale: int
    cut: int
    exploring: int = 70

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """All of it, as low code is told."""
        return self.iterations, self.scale, self.cut, self.exploring


def searched_option(
    rules: Rules, words: Words, options: Sequence[RawOption], seat: int, chance: Generator, style: SearchStyle
) -> int:
    """The place of the option of the pending question that a search finds, natively where that can be had."""
    runner = rules.runner
    if not isinstance(runner, Machine):
        found = runner.searched(words, options, seat, chance, style.bounds)
        if found >= 0:
            return found
        runner.making.begin()  # whoever searches will do so again
    tree = SearchTree(rules, words, list(options), seat, chance)
    tree.grow(style)
    return tree.best()


class SearchTree:
    """A tree for one decision. A node is an answer; its number is its place in all rows; 0 is the root."""

    def __init__(self, rules: Rules, words: Words, options: list[RawOption], seat: int, chance: Generator) -> None:
        """`words`: the store with the question, which stays as it is; `options`: those of `seat`, in their order."""
        self.rules, self.machine, self.chance = rules, rules.machine, chance
        self.words, self.options, self.seat = words, options, seat
        self.next, self.first, self.visits, self.offered, self.total, self.asked = ([0] for _ in range(6))
        self.answers: list[RawOption | None] = [None]

    def grow(self, style: SearchStyle) -> None:
        """So many iterations. One that comes to a fault of the rules counts for nothing."""
        with checking(self.machine, False):
            for _ in range(style.iterations):
                try:
                    self._iterate(style)
                except RulesetError:
                    continue

    def best(self) -> int:
        """The place of the option that was tried most, of these the one that was worth most, and the first; of one that
        is usual if none was tried."""
        key = self._key(self.words)
        nodes = [self._child(0, key, option) for option in self.options]
        tried = [(self.visits[node], self.total[node]) if node else (0, 0) for node in nodes]
        most = max(tried)
        return tried.index(most) if most[0] else self._usual(self.words, self.options)[0]

    # ------------------------------------------------------------ one iteration

    def _iterate(self, style: SearchStyle) -> None:
        store = imagined(self.rules, self.words, self.seat, self.chance)
        options = self.options
        node = repeating = 0
        path: list[tuple[int, int]] = []
        seen = {store[HEADER:].tobytes()}
        for _ in range(DEEPEST):
            if not store[SITE] or not options:
                break
            if node and len(options) == 1:
                options = self._take(store, options[0])
                continue
            key = self._key(store)
            mover = key & 63
            take, child = self._choose(node, key, self._usual(store, options), options, style.exploring)
            new = not child
            if new:
                child = self._add(node, key, options[take])
            options = self._take(store, options[take])
            if not child:
                break
            path.append((child, mover))
            mark = store[HEADER:].tobytes()
            if mark in seen:
                repeating = mover
                break
            seen.add(mark)
            node = child
            if new:
                break
        if not repeating:
            self._play_on(store, options, style.cut)
        shares = standing(self.rules, store, style.scale)
        for child, mover in path:
            self.visits[child] += 1
            self.total[child] += 0 if mover == repeating or not mover else shares[mover - 1]

    def _choose(
        self, node: int, key: int, usual: list[int], options: list[RawOption], exploring: int
    ) -> tuple[int, int]:
        """The place of an answer that has no node yet, drawn evenly, and 0; if all have, that of the best one, and its
        node."""
        fresh, best, take, found = [], -1, 0, 0
        for n in usual:
            child = self._child(node, key, options[n])
            if not child:
                fresh.append(n)
                continue
            self.offered[child] += 1
            visits = max(1, self.visits[child])
            bonus = LOGS[min(self.offered[child], KNOWN - 1)] * ROOTS[min(visits, KNOWN - 1)] >> LOG_BITS
            value = self.total[child] // visits + bonus * exploring // 100
            if value > best:
                best, take, found = value, n, child
        if fresh:
            return fresh[self.chance.below(len(fresh))], 0
        return take, found

    def _play_on(self, store: Words, options: list[RawOption], cut: int) -> None:
        """Answer at random, at most so often."""
        for _ in range(cut):
            if not store[SITE] or not options:
                break
            usual = self._usual(store, options)
            options = self._take(store, options[usual[self.chance.below(len(usual))]])

    def _take(self, store: Words, option: RawOption) -> list[RawOption]:
        """Take an option and run on; gives the options of the next question."""
        self.machine.take(store, option)
        return self.machine.offers

    def _usual(self, store: Words, options: list[RawOption]) -> list[int]:
        """The places of the options that are not `seldom`, or of all if there are no others."""
        seldom = self.machine.seldom.get(store[SITE] - 1, ())
        usual = [n for n, option in enumerate(options) if not is_rare(option, seldom)] if seldom else []
        return usual or list(range(len(options)))

    def _key(self, store: Words) -> int:
        """Which question is asked, and which seat."""
        site = self.rules.program.sites[store[SITE] - 1]
        return store[SITE] << 6 | self.rules.names.seat_number(self.rules.read(store, site.seat))

    # ------------------------------------------------------------ nodes

    def _child(self, node: int, key: int, option: RawOption) -> int:
        """The node of an answer; 0: there is none."""
        child = self.first[node]
        while child and not (self.asked[child] == key and self.answers[child] == option):
            child = self.next[child]
        return child

    def _add(self, node: int, key: int, option: RawOption) -> int:
        """A new node for an answer; 0 where there is no room."""
        child = len(self.next)
        if child >= MOST_NODES:
            return 0
        for row, value in (
            (self.next, self.first[node]),
            (self.first, 0),
            (self.visits, 0),
            (self.offered, 0),
            (self.total, 0),
            (self.asked, key),
        ):
            row.append(value)
        self.answers.append(option)
        self.first[node] = child
        return child
