"""Texts that are needed last, parsed by a helper while the process reads what it needs first.

Takes the sources of rulings, gives their trees. A text that the helper has anything to say about is parsed again by who
asks for it, so that all messages come from one place.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence

from dsl import syntax as sx
from dsl.helper import Helper, share, worth
from dsl.parse import parse_file
from dsl.shelf import pack
from dsl.span import Source

OWN = 0.2


class Ahead:
    """Inside `with`: `begin` starts the helper where it is worth that, `arrive` waits for it. No helper outlives it."""

    def __init__(self) -> None:
        self.helper: Helper | None = None
        self.trees: dict[str, bytes] = {}

    def __enter__(self) -> Ahead:
        return self

    def __exit__(self, *_: object) -> None:
        if self.helper is not None:
            self.helper.dismiss()

    def begin(self, sources: Sequence[Source]) -> None:
        if worth(sources):
            others = sources[share(sources, OWN) :]
            self.helper = Helper(lambda: {s.file: tree for s in others if (tree := _silent(s))})

    def arrive(self) -> None:
        if self.helper is not None:
            helper, self.helper = self.helper, None
            self.trees = helper.answer() or {}

    def tree(self, source: Source) -> sx.File | None:
        """The tree of a text if the helper has made one and has arrived."""
        packed = self.trees.get(source.file)
        return None if packed is None else pickle.loads(packed)


def _silent(source: Source) -> bytes | None:
    """In the helper: the tree of a text, packed, if there is nothing to say about it; an empty one may be remarked."""
    tree, found = parse_file(source.file, source.text)
    return None if found or tree.unknown or not tree.lines else pack(tree)
