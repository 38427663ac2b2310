"""The cache of parts: what each file of a ruleset gave is kept from one compilation to the next.

After a change of one file all others are as they were, and most of a compilation is reading them. `PartCache` does what
`parse_file` and the readers of YAML do, and takes from the cache what was read before. All of a ruleset is one value
of the cache, replaced as a whole, so nothing stays that nobody can ask for. A file with anything to say about is read
each time, so that all messages come from its reader.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from dsl.base.cache import load_cached, store_cached, text_digest
from dsl.base.lazy import pack
from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.syntax.nodes import File
from dsl.syntax.parser import parse_file

T = TypeVar("T")


class PartCache:
    """The parts of one ruleset that earlier runs have made. `name` tells rulesets apart. Each part is kept under the
    digest of what it is made of, and of the compiler."""

    def __init__(self, name: str) -> None:
        self.name = f"parts of {name}"
        found = load_cached(self.name)
        self.before: dict[bytes, bytes] = found if isinstance(found, dict) else {}
        self.packed: dict[bytes, bytes] = {}  # those that were asked for
        self.made: dict[bytes, Any] = {}  # of those what came of them
        self.new = False  # whether one of them is not kept yet

    def parse(self, path: str, text: str) -> tuple[File, list[Diagnostic]]:
        """The tree of a file and all that is wrong with its form."""
        return self.read(tree, Source(path, text))

    def read(
        self, reader: Callable[[Source], tuple[T, list[Diagnostic]]], source: Source
    ) -> tuple[T, list[Diagnostic]]:
        """The value that `reader` makes of a text alone, with its messages; kept if there are none."""
        key = part_key(reader, source)
        if key in self.made:
            known: T = self.made[key]
            return known, []
        if (packed := self.before.get(key)) is not None:
            value: T = pickle.loads(packed)
            self.packed[key] = packed
        else:
            value, found = reader(source)
            if found:
                return value, found
            self.add(key, pack(value))
        self.made[key] = value
        return value, []

    def add(self, key: bytes, packed: bytes) -> None:
        self.new = True
        self.packed[key] = packed

    def get(self, key: bytes) -> Any | None:
        """The value that `add` was given, unpacked; None where nothing is kept."""
        packed = self.before.get(key)
        if packed is None:
            return None
        self.packed[key] = packed
        return pickle.loads(packed)

    def retain(self, keys: Iterable[bytes]) -> None:
        """Keep these parts on without a look at them."""
        self.packed |= {key: self.before[key] for key in keys if key in self.before}

    def store(self) -> None:
        """Keep the parts that were asked for, instead of those that were kept before."""
        if self.new:
            store_cached(self.name, self.packed)
            self.new = False


def part_key(reader: Callable[[Source], Any], source: Source) -> bytes:
    return text_digest(f"{reader.__name__} {source.file}", source.text)


def tree(source: Source) -> tuple[File, list[Diagnostic]]:
    return parse_file(source.file, source.text)
