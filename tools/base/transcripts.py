"""Stored transcripts of rulings, next to the rulings: `rulings/__snapshots__/NAME.ambr`.

Reads and writes the format of syrupy's amber files for texts, one line of which is written as Python writes it, so that
the command line and pytest use the same files. Nothing is compared here.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Mapping
from pathlib import Path

from dsl.base.writing import write_atomic

HEAD = "# serializer version: 1\n"
PART = re.compile(
    r"^# name: test_ruling\[(?P<name>.+)\]\n(?:  '''\n(?P<text>(?:  .*\n)*?)  '''|  (?P<line>.+))\n# ---\n",
    re.MULTILINE,
)


def transcript_file(rulings: Path) -> Path:
    """The file that holds the transcripts of a file of rulings."""
    return rulings.parent / "__snapshots__" / f"{rulings.stem}.ambr"


def read_transcripts(rulings: Path) -> dict[str, tuple[str, ...]]:
    """Ruling -> the lines of its transcript; empty where there is no file."""
    file = transcript_file(rulings)
    if not file.is_file():
        return {}
    parts = PART.finditer(file.read_text(encoding="utf-8"))
    return {part["name"]: lines_of(part) for part in parts}


def lines_of(part: re.Match[str]) -> tuple[str, ...]:
    if part["line"] is not None:
        return (str(literal_eval(part["line"])),)
    return tuple(line[2:] for line in part["text"].splitlines())


def write_transcripts(rulings: Path, transcripts: Mapping[str, tuple[str, ...]]) -> None:
    """Write a file of transcripts completely or not at all; without transcripts it is removed."""
    file = transcript_file(rulings)
    if not transcripts:
        file.unlink(missing_ok=True)
        return
    text = HEAD
    for name in sorted(transcripts):
        held = transcripts[name]
        lines = f"  {held[0]!r}\n" if len(held) == 1 else "".join(f"  {line}\n" for line in ("'''", *held, "'''"))
        text += f"# name: test_ruling[{name}]\n{lines}# ---\n"
    file.parent.mkdir(exist_ok=True)
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        write_atomic(file, text)
