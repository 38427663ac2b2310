"""What bots judge by, in many stores that differ little from each other, as the options of a question do.

What the costly functions gave in a first store, the base, is remembered with the addresses that were read for it. In
another store only those are worked out again that read a word which is different there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from interpreter.backends.python.compile.cache import VALUES, names_of
from interpreter.core.errors import DemandFailed, RulesetError

STRETCH, PART = 96, 12  # words that are compared at once, and those of which it is then told which differ
TRIAL = 400  # calls after which it is decided whether a function is worth remembering:
LEAST_HITS, LEAST_READS = 120, 8  # so many were answered from memory, and it reads so many words, on average; a value
# without arguments may read few and still go through much, as the places of a board do

Args = tuple[Any, ...]
Written = Callable[..., Any]  # a written function: the store, then its arguments
Span = tuple[int, int]  # of addresses: the first, and the one after the last
Piece = tuple[int, int, list[int]]  # of the base: its span and its words


class Recorder(list[int]):
    """A store that notes which of its addresses are read."""

    __slots__ = ("reads",)

    def __init__(self) -> None:
        super().__init__()
        self.reads: set[int] = set()

    def __getitem__(self, at: Any) -> Any:
        if type(at) is int:
            self.reads.add(at)
        else:
            self.reads.update(range(*at.indices(len(self))))
        return list.__getitem__(self, at)


class Unknown:
    """In place of addresses: whatever has changed, it may have been read."""

    def isdisjoint(self, _: set[int]) -> bool:
        return False


UNTOLD: tuple[Any, Any] = Unknown(), None  # of a function whose value in the base is of no use for other stores


class Remembered:
    """What one function gave, by its arguments: in the base, with the addresses that were read for it, and in the store
    that is looked at (`here`) where that may be different."""

    __slots__ = ("base", "here", "misses")

    def __init__(self) -> None:
        self.base: dict[Args, tuple[frozenset[int], Any]] = {}
        self.here: dict[Args, Any] = {}
        self.misses = 0  # how often it had to be worked out

    def reads(self) -> float:
        """How many words are read for a value in the base, on average."""
        sizes = [len(reads) for reads, _ in self.base.values() if reads is not UNTOLD[0]]
        return sum(sizes) / len(sizes) if sizes else 0


class Valuation:
    """Works out the function of a program that bots judge by, for one machine."""

    def __init__(self, m: Any) -> None:
        self.machine, self.state_words = m, m.program.state_words
        self.words: list[int] = []  # the base
        self.recorder = Recorder()  # the base as well
        self.looked_at: list[int] = []  # the store that is looked at
        self.changed: set[int] = set()  # read addresses at which the store that is looked at differs from the base
        self.read: set[int] = set()  # all addresses that have ever been read
        self.places: list[tuple[int, int, list[Span]]] | None = None  # stretches that hold them; None: not known
        self.stretches: list[tuple[int, int, list[int], list[Piece]]] | None = []  # the base there, with its parts
        self.remembered: dict[int, Remembered] = {}  # by number of the function
        self.names, module = names_of(m, VALUES)
        self.evaluate = f"_f{m.program.evaluate}"
        for number in module.functions:
            self.remember(number, self.names[f"_f{number}"])

    def begin(self, words: list[int]) -> None:
        """Take another store as the base; what may be different in it is forgotten."""
        changed = self.differences(words)
        for known in self.remembered.values():
            known.here.clear()
            base = known.base
            for key in [key for key, (reads, _) in base.items() if not reads.isdisjoint(changed)]:
                del base[key]
        self.words, self.looked_at, self.recorder[:], self.stretches = words, words, words, None

    def value(self, words: list[int], seat: int) -> Any:
        """What the position of a seat is worth in a store."""
        for known in self.remembered.values():
            known.here.clear()
        self.looked_at = words
        self.changed.clear()
        self.changed |= self.differences(words)
        return self.names[self.evaluate](words, seat)

    def differences(self, words: list[int]) -> set[int]:
        """The addresses at which a store differs from the base, of those that were ever read."""
        base, found = self.words, []
        if self.places is None:
            self.places, self.stretches = stretches_of(sorted(self.read)), None
        if self.stretches is None:
            self.stretches = [
                (start, end, base[start:end], [(at, upto, base[at:upto]) for at, upto in parts])
                for start, end, parts in self.places
            ]
        for start, end, piece, parts in self.stretches:
            if words[start:end] != piece:
                for at, upto, part in parts:
                    if words[at:upto] != part:
                        found += [n for n in range(at, upto) if words[n] != base[n]]
        return set(found)

    def remember(self, number: int, work: Written) -> None:
        """Answer calls of a function from memory where that is certain, unless it turns out to be so too seldom, or to
        save little."""
        known = self.remembered[number] = Remembered()
        base, here, changed, recorder = known.base, known.here, self.changed, self.recorder
        name, calls = f"_f{number}", 0

        def value(words: list[int], *key: Any) -> Any:
            entry = base.get(key)
            if entry is None:
                known.misses += 1
                entry = base[key] = self.recorded(work, key)
            if words is recorder:
                if entry is UNTOLD:
                    return work(words, *key)
                recorder.reads |= entry[0]
                return entry[1]
            if entry[0].isdisjoint(changed):
                return entry[1]
            found = here.get(key)
            if found is None:
                known.misses += 1
                found = here[key] = work(words, *key)
            return found

        def on_trial(words: list[int], *key: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == TRIAL:
                self.names[name] = value
                if calls - known.misses < LEAST_HITS or (key and known.reads() < LEAST_READS):
                    self.names[name] = work
                    del self.remembered[number]
            return value(words, *key)

        self.names[name] = on_trial

    def recorded(self, work: Written, key: Args) -> tuple[frozenset[int], Any]:
        """What a function gives in the base, and the addresses that it reads there; `UNTOLD` if it fails, which says
        nothing about other stores, or reads what is not declared state."""
        machine, recorder = self.machine, self.recorder
        outer, recorder.reads = recorder.reads, set()
        words, passes, machine.words = machine.words, machine.passes[0], recorder
        try:
            found = work(recorder, *key)
        except (DemandFailed, RulesetError, ValueError, RecursionError):
            return UNTOLD
        finally:
            reads = frozenset(recorder.reads)
            machine.words, machine.passes[0] = words, passes
            recorder.reads = outer
            recorder.reads |= reads
        if not reads <= self.read:
            if min(reads) < 0 or max(reads) >= self.state_words:
                return UNTOLD
            new = reads - self.read
            self.read |= new
            self.places = None
            self.changed.update([at for at in new if self.looked_at[at] != self.words[at]])
        return reads, found


def stretches_of(addresses: Iterable[int]) -> list[tuple[int, int, list[Span]]]:
    """Stretches of the store that hold these addresses, which are in order, each with the parts in which they lie."""
    parts: list[Span] = []
    for address in addresses:
        if parts and address < parts[-1][0] + PART:
            parts[-1] = parts[-1][0], address + 1
        else:
            parts.append((address, address + 1))
    found: list[tuple[int, int, list[Span]]] = []
    for start, end in parts:
        if found and end <= found[-1][0] + STRETCH:
            found[-1] = found[-1][0], end, [*found[-1][2], (start, end)]
        else:
            found.append((start, end, [(start, end)]))
    return found
