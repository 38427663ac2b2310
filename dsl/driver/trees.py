"""The trees of a ruleset's files, kept from one compilation to the next.

After a change of one file all others are as they were, and most of a compilation is reading them. `Trees` does what
`parse_file` does, and takes from the cache what was parsed before. All trees of a ruleset are one value of the cache,
replaced as a whole, so none stay that nobody can ask for. A file with anything to say about is parsed each time, so
that all messages come from the parser.
"""

from __future__ import annotations

import pickle

from dsl.base.cache import load_cached, store_cached, text_digest
from dsl.base.lazy import pack
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.syntax.nodes import File
from dsl.syntax.parser import parse_file


class Trees:
    """`name` tells rulesets apart. Each tree is kept under the digest of its path and text, and of the compiler."""

    def __init__(self, name: str) -> None:
        self.name = f"trees of {name}"
        found = load_cached(self.name)
        self.kept: dict[bytes, bytes] = found if isinstance(found, dict) else {}
        self.made: dict[bytes, File] = {}  # those that were asked for
        self.new = False  # whether one of them is not kept yet

    def parse(self, path: str, text: str) -> tuple[File, list[Diagnostic]]:
        """The tree of a file and all that is wrong with its form."""
        key = text_digest(path, text)
        if key in self.made:
            return self.made[key], []
        if (packed := self.kept.get(key)) is not None:
            tree: File = pickle.loads(packed)
        else:
            tree, found = parse_file(path, text)
            if found:
                return tree, found
            self.new = True
        self.made[key] = tree
        return tree, []

    def store(self) -> None:
        """Keep the trees that were asked for, instead of those that were kept before."""
        if self.new:
            store_cached(self.name, {key: self.kept.get(key) or pack(tree) for key, tree in self.made.items()})
            self.new = False
