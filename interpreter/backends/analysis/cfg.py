"""The places that rules go through as a graph: their order, the loops, and where ways meet again.

A `Graph` has the places that follow each place and gives what structured control needs to know of them. It knows
nothing of what is done at a place.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

P = TypeVar("P", bound=Hashable)


class Graph(Generic[P]):
    """`entry`: where the stretch begins; `next`: the places that follow those which belong to it."""

    entry: P
    next: dict[P, tuple[P, ...]]

    def _order(self) -> None:
        """Number the places in reverse postorder; find the loops, and what each place leads to without going back."""
        self.number: dict[P, int] = {}
        self.back: set[tuple[P, P]] = set()
        done: list[P] = []
        state: dict[P, int] = {}
        stack: list[tuple[P, int]] = [(self.entry, 0)] if self.entry in self.next else []
        while stack:
            place, at = stack.pop()
            state[place] = 1
            after = self.next[place]
            while at < len(after):
                follower = after[at]
                at += 1
                if follower not in self.next:
                    continue
                if state.get(follower) == 1:
                    self.back.add((place, follower))
                elif follower not in state:
                    stack.append((place, at))
                    stack.append((follower, 0))
                    break
            else:
                state[place] = 2
                done.append(place)
        for n, place in enumerate(reversed(done)):
            self.number[place] = n
        self.leads: dict[P, int] = {}
        for place in done:
            bits = 1 << self.number[place]
            for follower in self.next[place]:
                if follower in self.leads and (place, follower) not in self.back:
                    bits |= self.leads[follower]
            self.leads[place] = bits
        self.places = {n: place for place, n in self.number.items()}
        self.loops = {head: self._loop(head) for _, head in self.back}

    def _loop(self, head: P) -> set[P]:
        before: dict[P, list[P]] = {}
        for place, after in self.next.items():
            for follower in after:
                before.setdefault(follower, []).append(place)
        found = {head}
        queue = [place for place, to in self.back if to == head]
        for place in queue:
            if place not in found:
                found.add(place)
                queue += before.get(place, [])
        return found

    def _way_out(self, head: P) -> P | None:
        """Where a loop leads to when it is over."""
        loop = self.loops[head]
        ways = {f for place in loop for f in self.next[place] if f not in loop}
        if not ways:
            return None

        def met(way: P) -> tuple[int, int]:
            number = self.number.get(way)
            if number is None:
                return (0, 0)
            return (sum(1 for w in ways if self.leads.get(w, 0) >> number & 1), -number)

        return max(sorted(ways, key=repr), key=met)

    def _meeting(self, one: P, other: P) -> P | None:
        """The first place that both lead to."""
        if one == other:
            return one
        both = self.leads.get(one, 0) & self.leads.get(other, 0)
        return self.places[(both & -both).bit_length() - 1] if both else None
