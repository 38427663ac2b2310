"""The tree of small answers that a searching bot grows, from positions as its seat may imagine them.

Each iteration imagines the position anew, goes down the tree by the answers that are best so far or tried least (UCB
over those that are offered here), adds one answer, perhaps plays on at random, and notes for each answer on the way
what the position has become worth to the seat that gave it. So each seat plays for itself, and chance and secrets
need no nodes of their own. Kernel functions, run by `interpreter.bots.searching` and compiled for native code.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Protocol

from dsl.program import SITE
from interpreter.choices.generator import Generator
from interpreter.core.kernel import Bits, Row, kernel, room
from interpreter.machine.standing import WHOLE, Judged, standing

MOST_NODES = 20_000  # of a tree; then it grows no more
DEEPEST = 200  # answers of one iteration in the tree, forced ones among them
KNOWN = 4096  # so many visits are told apart
LOG_BITS = 12
LOGS = tuple(round(sqrt(log(n + 1)) * (1 << LOG_BITS)) for n in range(KNOWN))
ROOTS = tuple(round(WHOLE / sqrt(max(n, 1))) for n in range(KNOWN))
SEAT_BITS = 6  # of the key of an answer; those above are the question


class SearchNode:
    """An answer of a seat to a question, which are its `key`, below the answer before it (`up`; none: it is the root).
    `first`: of the answers below it; `next`: the one beside it. `offered`: how often it was there to be chosen.
    `total`: the shares of a win that it brought. `mark`: the position that it has led to in this iteration."""

    __slots__ = ("first", "key", "mark", "next", "offered", "total", "up", "visits")
    up: SearchNode | None
    first: SearchNode | None
    next: SearchNode | None
    key: int
    visits: int
    offered: int
    total: Bits
    mark: Bits

    def __init__(self) -> None:
        self.up = self.first = self.next = None
        self.key = self.visits = self.offered = self.total = self.mark = 0


class Searched(Protocol):
    """The game in which is searched, at a question, with its options in their order."""

    root: SearchNode
    chance: Generator
    has_seldom: bool

    @property
    def store(self) -> Row: ...
    @property
    def judged(self) -> Judged: ...

    def go_back(self) -> None:
        """To the question that is decided."""

    def imagine(self, seat: int) -> None:
        """Make the position what the seat may imagine, with its own options."""

    def offered(self) -> int:
        """The number of options; 0 at the end of the game."""

    def asked(self) -> int: ...
    def is_seldom(self, place: int) -> bool: ...
    def take(self, place: int) -> None: ...

    def mark(self) -> Bits:
        """A number for the position; others have other ones, but for one in 2^64."""

    def is_answer(self, node: SearchNode, place: int) -> bool: ...

    def add(self, place: int) -> SearchNode | None:
        """A new node for an option; None: there are `MOST_NODES`."""


@kernel
def iterate(game: Searched, seat: int, scale: int, cut: int, exploring: int) -> None:
    """`cut`: the most random answers after the tree; `exploring`: how many hundredths of a win less tried answers are
    preferred by. Whoever leads back to a position that stands on the way gains nothing by it."""
    game.go_back()
    game.imagine(seat)
    node, new, repeating, left = game.root, False, 0, DEEPEST
    node.mark = game.mark()
    while left and not new and not repeating and game.offered():
        left -= 1
        if node.up and game.offered() == 1:
            game.take(0)
            continue
        key = question(game)
        place = chosen(game, node, key, exploring)
        child = child_of(game, node, key, place)
        if not child:
            new = True
            child = grown(game, node, key, place)
        game.take(place)
        if not child:
            break
        child.mark = game.mark()
        repeating = seat_of(child) if stood_before(child) else 0
        node = child
    left = 0 if repeating else cut
    while left > 0 and game.offered():
        left -= 1
        game.take(usual_place(game, game.chance.below(usual(game))))
    standing(game.judged, scale)
    while node.up:
        node.visits += 1
        if seat_of(node) and seat_of(node) != repeating:
            node.total += game.judged.shares[seat_of(node) - 1]
        node = node.up


@kernel
def best(game: Searched) -> int:
    """The place of the option that was tried most, of these the one that was worth most, and the first; of one that
    is usual if none was tried."""
    game.go_back()
    key, most, top = question(game), 0, 0
    found = usual_place(game, 0)
    for place in range(game.offered()):
        child = child_of(game, game.root, key, place)
        if child and child.visits:
            if child.visits > most or child.visits == most and child.total > top:
                found, most, top = place, child.visits, child.total
    return found


@kernel
def chosen(game: Searched, node: SearchNode, key: int, exploring: int) -> int:
    """The place of an answer that has no node yet, drawn evenly; if all have, that of the best one."""
    some_seldom = game.has_seldom and usual(game) < game.offered()
    fresh = room(game.offered())
    count = found = 0
    most = -1
    for place in range(game.offered()):
        if some_seldom and game.is_seldom(place):
            continue
        child = child_of(game, node, key, place)
        if not child:
            fresh[count] = place
            count += 1
            continue
        child.offered += 1
        visits = max(1, child.visits)
        bonus = LOGS[min(child.offered, KNOWN - 1)] * ROOTS[min(visits, KNOWN - 1)] >> LOG_BITS
        value: int = child.total // visits + bonus * exploring // 100
        if value > most:
            most, found = value, place
    return fresh[game.chance.below(count)] if count else found


# ------------------------------------------------------------ options that are not seldom


@kernel
def usual(game: Searched) -> int:
    """The number of options that are not `seldom`; of all where all are."""
    found = game.offered()
    if game.has_seldom:
        for place in range(game.offered()):
            found -= game.is_seldom(place)
    return found if found else game.offered()


@kernel
def usual_place(game: Searched, before: int) -> int:
    """The place of the usual option that has so many in front of it."""
    place = before
    if game.has_seldom and usual(game) < game.offered():
        place = 0
        while before or game.is_seldom(place):
            before -= not game.is_seldom(place)
            place += 1
    return place


# ------------------------------------------------------------ nodes


@kernel
def question(game: Searched) -> int:
    """The key of answers to the pending question."""
    return game.store[SITE] << SEAT_BITS | game.asked()


@kernel
def seat_of(node: SearchNode) -> int:
    return node.key & (1 << SEAT_BITS) - 1


@kernel
def child_of(game: Searched, node: SearchNode, key: int, place: int) -> SearchNode | None:
    """The node of an answer; None: there is none."""
    child = node.first
    while child and not (child.key == key and game.is_answer(child, place)):
        child = child.next
    return child


@kernel
def grown(game: Searched, node: SearchNode, key: int, place: int) -> SearchNode | None:
    """A new node for an answer; None where there is no room."""
    child = game.add(place)
    if child:
        child.up, child.next, child.key = node, node.first, key
        node.first = child
    return child


@kernel
def stood_before(node: SearchNode) -> bool:
    """True if the position of a node stood on the way to it already."""
    before = node.up
    while before and before.mark != node.mark:
        before = before.up
    return bool(before)
