"""The trees of a ruleset's files, cached from one compilation to the next.

After a change of one file all others are the same, and most of a compilation is parsing them. `Trees.parse` does what
`parse_file` does, and takes trees from the cache where it can. All trees of a ruleset are one value of the cache,
replaced as a whole, so that no unused ones remain. A file with diagnostics is parsed each time, so that all messages
come from the parser.
"""

from __future__ import annotations

import pickle

from dsl.base.cache import load_cached, store_cached, text_digest
from dsl.base.lazy import pack
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.syntax.nodes import File
from dsl.syntax.parser import parse_file


class Trees:
    """`name` identifies the ruleset. Each tree is stored under the digest of its path and text, and of the compiler."""

    def __init__(self, name: str) -> None:
        self.name = f"trees of {name}"
        found = load_cached(self.name)
        self.stored: dict[bytes, bytes] = found if isinstance(found, dict) else {}
        self.used: dict[bytes, File] = {}  # those that were asked for
        self.changed = False  # whether one of them is not stored yet

    def parse(self, path: str, text: str) -> tuple[File, list[Diagnostic]]:
        """The tree of a file and the diagnostics of its form."""
        key = text_digest(path, text)
        if key in self.used:
            return self.used[key], []
        if (packed := self.stored.get(key)) is not None:
            tree: File = pickle.loads(packed)
        else:
            tree, found = parse_file(path, text)
            if found:
                return tree, found
            self.changed = True
        self.used[key] = tree
        return tree, []

    def store(self) -> None:
        """Store the trees that were asked for, in place of those that were stored before."""
        if self.changed:
            store_cached(self.name, {key: self.stored.get(key) or pack(tree) for key, tree in self.used.items()})
            self.changed = False
