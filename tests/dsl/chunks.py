"""Files of chunks: `---- name` begins a chunk, `==== path` a further file of it, `#! CODE words` says what is reported.

A first chunk called `prelude` is part of every other one, but for those whose name ends in ` alone`. `read_chunks`
gives each chunk with its files free of expectations, so that a lost quote or bracket can be shown too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

EXPECTATION = re.compile(r"\s*#!\s*(?=RW\d{4}\b)")


@dataclass(frozen=True)
class Expected:
    """A diagnostic of this code at this line whose message or help holds these words."""

    file: str
    line: int
    code: str
    words: str


@dataclass
class Chunk:
    """`files` maps a path to its text; the first file has no `====` line and is called as `read_chunks` says."""

    name: str
    files: dict[str, str] = field(default_factory=dict)
    expected: list[Expected] = field(default_factory=list)


def read_chunks(path: Path, main: str) -> list[Chunk]:
    chunks: list[Chunk] = []
    file = main
    for row in path.read_text(encoding="utf-8").splitlines():
        if row.startswith("---- "):
            chunks.append(Chunk(f"{path.stem}:{row[5:].strip()}", {main: ""}))
            file = main
            continue
        assert chunks, f"{path.name} begins without a `---- name` line"
        chunk = chunks[-1]
        if row.startswith("==== "):
            file = row[5:].strip()
            chunk.files[file] = ""
            continue
        text, *wanted = EXPECTATION.split(row)
        line = chunk.files[file].count("\n") + 1
        for want in wanted:
            code, _, words = want.partition(" ")
            chunk.expected.append(Expected(file, line, code, words.strip()))
        chunk.files[file] += text + "\n"
    if chunks and chunks[0].name.endswith(":prelude"):
        prelude = chunks.pop(0)
        prelude.files["prelude.rules"] = prelude.files.pop(main)
        for chunk in chunks:
            if not chunk.name.endswith(" alone"):
                chunk.files = {**prelude.files, **chunk.files}
    return chunks
