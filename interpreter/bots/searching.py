"""A search bot: a tree of small answers (`interpreter.machine.search`), grown by the reference or natively."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dsl.program import HEADER, SITE
from interpreter.bots.standing import JudgedStore
from interpreter.choices.draw import is_rare
from interpreter.choices.generator import Generator
from interpreter.core.errors import RulesetError
from interpreter.core.question import RawOption
from interpreter.core.rng import MASK_64
from interpreter.core.words import Words
from interpreter.machine.invariants import checking
from interpreter.machine.machine import Machine
from interpreter.machine.search import MOST_NODES, SearchNode, best, iterate
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


class AnswerNode(SearchNode):
    """A node with its option."""

    __slots__ = ("option",)

    def __init__(self, option: RawOption) -> None:
        super().__init__()
        self.option = option


class SearchTree:
    """A tree for one decision, and the game in which it grows (`interpreter.machine.search.Searched`)."""

    def __init__(self, rules: Rules, words: Words, options: list[RawOption], seat: int, chance: Generator) -> None:
        """`words`: the store with the question, which stays as it is; `options`: those of `seat`, in their order."""
        self.rules, self.machine, self.chance, self.seat = rules, rules.machine, chance, seat
        self.store = words[:]
        self.judged = JudgedStore(rules, self.store)
        self.words, self.begun, self.options = words, options, options
        self.root, self.nodes = SearchNode(), 1
        self.has_seldom = bool(self.machine.seldom)

    def grow(self, style: SearchStyle) -> None:
        """So many iterations. One that comes to a fault of the rules counts for nothing."""
        with checking(self.machine, False):
            for _ in range(style.iterations):
                try:
                    iterate(self, self.seat, style.scale, style.cut, style.exploring)
                except RulesetError:
                    continue

    def best(self) -> int:
        """The place of the option that is taken."""
        return best(self)

    # ------------------------------------------------------------ for the search

    def go_back(self) -> None:
        self.store[:], self.options = self.words, self.begun

    def imagine(self, seat: int) -> None:
        self.store[:] = imagined(self.rules, self.words, seat, self.chance)

    def offered(self) -> int:
        return len(self.options) if self.store[SITE] else 0

    def asked(self) -> int:
        site = self.rules.program.sites[self.store[SITE] - 1]
        return self.rules.names.seat_number(self.rules.read(self.store, site.seat))

    def is_seldom(self, place: int) -> bool:
        return is_rare(self.options[place], self.machine.seldom.get(self.store[SITE] - 1, ()))

    def take(self, place: int) -> None:
        self.machine.take(self.store, self.options[place])
        self.options = self.machine.offers

    def mark(self) -> int:
        return hash(self.store[HEADER:].tobytes()) & MASK_64

    def is_answer(self, node: SearchNode, place: int) -> bool:
        return isinstance(node, AnswerNode) and node.option == self.options[place]

    def add(self, place: int) -> SearchNode | None:
        if self.nodes >= MOST_NODES:
            return None
        self.nodes += 1
        return AnswerNode(self.options[place])
