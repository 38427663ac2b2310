"""Texts that are needed last, parsed by a helper while the process reads what it needs first.

Takes the sources of rulings, gives their trees. The helper begins with the longest; when the process needs them, it
begins with the shortest, and they meet, so that no long one is left to the end. A text that there is anything to say
about is parsed again by who asks for it, so that all messages come from one place.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence

from dsl.base.fork import Ends, Helper, worth
from dsl.base.lazy import pack
from dsl.base.span import Source
from dsl.syntax import nodes as sx
from dsl.syntax.parser import parse_file


class Ahead:
    """Inside `with`: `begin` starts the helper where it is worth that, `meet` reads the rest. No helper outlives it."""

    def __init__(self) -> None:
        self.helper: Helper | None = None
        self.own: Iterator[Source] = iter(())  # what the helper leaves
        self.trees: dict[str, sx.File | bytes] = {}

    def __enter__(self) -> Ahead:
        return self

    def __exit__(self, *_: object) -> None:
        if self.helper is not None:
            self.helper.dismiss()

    def begin(self, sources: Sequence[Source]) -> None:
        if worth(sources):
            sources = sorted(sources, key=lambda source: len(source.text))
            ends = Ends(len(sources))
            self.own = (sources[number] for number in ends.forward())
            self.helper = Helper(lambda: packed(sources[number] for number in ends.backward()))

    def meet(self) -> None:
        if self.helper is not None:
            self.trees = {source.file: tree for source in self.own if (tree := silently(source)) is not None}
            helper, self.helper = self.helper, None
            self.trees |= helper.answer() or {}

    def tree(self, source: Source) -> sx.File | None:
        """The tree of a text, if there is nothing to say about it and they have met."""
        tree = self.trees.get(source.file)
        return pickle.loads(tree) if isinstance(tree, bytes) else tree


def packed(sources: Iterable[Source]) -> dict[str, bytes]:
    return {source.file: pack(tree) for source in sources if (tree := silently(source)) is not None}


def silently(source: Source) -> sx.File | None:
    """The tree of a text, if there is nothing to say about it; an empty one may be remarked."""
    tree, found = parse_file(source.file, source.text)
    return None if found or tree.unknown or not tree.lines else tree
