"""A control-flow graph: the order of its places, its loops, and where branches join again.

A `Graph` has the successors of each place and gives what structured control needs to know of them. It knows nothing of
what is done at a place.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

P = TypeVar("P", bound=Hashable)


class Graph(Generic[P]):
    """A control-flow graph. `entry`: the first place; `successors`: those of each place that belongs to the graph."""

    entry: P
    successors: dict[P, tuple[P, ...]]

    def _order(self) -> None:
        """Number the places in reverse postorder; find the loops, and what each place reaches without back edges."""
        self.number: dict[P, int] = {}
        self.back_edges: set[tuple[P, P]] = set()
        done: list[P] = []
        state: dict[P, int] = {}
        stack: list[tuple[P, int]] = [(self.entry, 0)] if self.entry in self.successors else []
        while stack:
            place, at = stack.pop()
            state[place] = 1
            after = self.successors[place]
            while at < len(after):
                follower = after[at]
                at += 1
                if follower not in self.successors:
                    continue
                if state.get(follower) == 1:
                    self.back_edges.add((place, follower))
                elif follower not in state:
                    stack.append((place, at))
                    stack.append((follower, 0))
                    break
            else:
                state[place] = 2
                done.append(place)
        for n, place in enumerate(reversed(done)):
            self.number[place] = n
        self.reachable: dict[P, int] = {}
        for place in done:
            bits = 1 << self.number[place]
            for follower in self.successors[place]:
                if follower in self.reachable and (place, follower) not in self.back_edges:
                    bits |= self.reachable[follower]
            self.reachable[place] = bits
        self.places = {n: place for place, n in self.number.items()}
        self.loops = {head: self._loop(head) for _, head in self.back_edges}

    def _loop(self, head: P) -> set[P]:
        before: dict[P, list[P]] = {}
        for place, after in self.successors.items():
            for follower in after:
                before.setdefault(follower, []).append(place)
        found = {head}
        queue = [place for place, to in self.back_edges if to == head]
        for place in queue:
            if place not in found:
                found.add(place)
                queue += before.get(place, [])
        return found

    def _loop_exit(self, head: P) -> P | None:
        """The place behind a loop: of those that it leads to, the one that most of the others reach."""
        loop = self.loops[head]
        exits = {f for place in loop for f in self.successors[place] if f not in loop}
        if not exits:
            return None

        def rank(place: P) -> tuple[int, int]:
            number = self.number.get(place)
            if number is None:
                return (0, 0)
            return (sum(1 for p in exits if self.reachable.get(p, 0) >> number & 1), -number)

        return max(sorted(exits, key=repr), key=rank)

    def _join(self, one: P, other: P) -> P | None:
        """The first place that both reach."""
        if one == other:
            return one
        both = self.reachable.get(one, 0) & self.reachable.get(other, 0)
        return self.places[(both & -both).bit_length() - 1] if both else None
