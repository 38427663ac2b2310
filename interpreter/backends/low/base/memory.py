"""The memory of a module: the store at address 0, then regions of the runtime, scratch memory, and tables of constants.

Regions begin at even addresses, so that long numbers in them do.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl.program import Program
from interpreter.backends.low.base.kinds import Kind, MembersKind, Unsupported
from interpreter.backends.low.base.regions import Regions

MOST_ROWS = 4096  # options of a question
SCRATCH = 1 << 17  # words for lists while they are made
TRIED = 1 << 20  # words for copies of the store besides, where something is tried
MERSENNE = 625  # words of Python's generator: its state and where it stands
MOST_TABLES = 1 << 23  # words of constants
MOST_NOTED = 1 << 14  # words of noted outcomes of chance
NOTE_HEAD = 3  # words of a note in front of what was drawn: the event, the audience, and how many words follow
HALVES = (1 << 32) - 1  # the lower half of a long number


class Memory:
    """The layout of a module's memory, with the constants in it. `stride`: the words of an option: its kind, its first
    code, how many values follow, and these."""

    def __init__(self, program: Program, tries: bool) -> None:
        self.top = program.state_words + program.limits.stack  # words of the store
        self.at = self.top + self.top % 2
        self.data: list[tuple[int, tuple[int, ...]]] = []
        self.known: dict[object, int] = {}
        self.stride = 4 + max((len(a.binders) for s in program.sites for a in s.alternatives), default=0)
        self.options = self.room(self.stride * MOST_ROWS)
        self.mersenne = self.room(MERSENNE)
        self.before = self.room(MERSENNE + 1)
        """Where Python's generator stood at the beginning of the game, and whether its state has been made anew since:
        then the state from before is kept here."""
        self.begun = self.room(self.top + 1)  # the length of the store with which games begin, and its words
        self.kept = self.room(MERSENNE + 1 + self.stride + self.top)
        """Python's generator at the beginning of the decision, the length of the store, the option, and the store."""
        self.bots = 0  # where the generator of the greedy bot lies
        self.planned = 0  # the length of the store with which the open plan began, and its words; 0: they are not kept
        self.noted = 0  # how many words of outcomes of chance are noted, and these; 0: they are not noted
        self.args = self.room(program.deferred_args)
        self.scratch = self.room(SCRATCH + TRIED if tries else SCRATCH)
        self.scratch_end = self.at

    def regions(self, keeps: bool) -> Regions:
        return Regions(
            self.top, self.at, self.options, self.stride, self.mersenne, self.before, self.begun, self.kept,
            self.planned, self.noted, keeps, self.bots,
        )  # fmt: skip

    def keep_plans(self) -> int:
        """Keep the store with which a plan begins; gives the address."""
        self.planned = self.room(self.top + 1)
        return self.planned

    def note_chance(self) -> int:
        """Note outcomes of chance; gives the address."""
        self.noted = self.room(1 + MOST_NOTED)
        return self.noted

    def room(self, words: int) -> int:
        """The address of a new region."""
        at = self.at
        self.at += words + words % 2
        if self.at - self.top > MOST_TABLES:
            raise Unsupported("tables of constants that are too long")
        return at

    def named(self, name: object, words: int) -> int:
        """The address of the region of this name, which is made when it is first asked for."""
        if name not in self.known:
            self.known[name] = self.room(words)
        return self.known[name]

    def words(self, items: Sequence[int]) -> int:
        """The address of these words; the same ones have one place."""
        key = tuple(items)
        if key not in self.known:
            self.known[key] = self.room(len(key))
            if key:
                self.data.append((self.known[key], key))
        return self.known[key]

    def sets(self, items: Sequence[int], kind: MembersKind) -> int:
        """The address of constant sets, each in all words of this kind."""
        return self.words([half for item in items for half in set_words(item, kind)])

    def row(self, value: tuple[object, ...], item: Kind) -> int:
        """The address of a constant list: its length, then its items of this kind."""
        return self.words([len(value), *(w for v in value for w in self.item(v, item))])

    def item(self, value: object, kind: Kind) -> list[int]:
        """The words of an item of a constant list."""
        if isinstance(value, tuple):
            inner = getattr(kind, "item", None)
            assert inner is not None, "the kind of a list has that of its items"
            return [self.row(value, inner)]
        assert isinstance(value, int)
        if isinstance(kind, MembersKind):
            return set_words(value, kind)
        if not -(1 << 31) <= value < 1 << 31:
            raise Unsupported("a constant that needs more than 32 bits")
        return [value]


def set_words(value: int, kind: MembersKind) -> list[int]:
    """A constant set as words: the two halves of each 64 members."""
    halves = []
    for w in kind.words:
        part = value >> 64 * w
        halves += [part & HALVES, part >> 32 & HALVES]
    return halves
