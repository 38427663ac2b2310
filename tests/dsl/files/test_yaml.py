"""The compiled YAML reader and the plain one: what the first accepts, the second reads alike."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl.base.span import Source
from dsl.files.yaml import _read_compiled, _read_pure

pytest.importorskip("_ruamel_yaml", reason="the extra `fast` is not installed")

HOME = Path(__file__).parents[3]
FILES = sorted([*HOME.glob("rulesets/**/*.yaml"), *HOME.glob("tests/[!d]*/**/*.yaml")])
DAMAGE = [*"\t \"'{}[]:#!|>%@`?\n日😀\r", "  ", ": ", "- ", "&a ", "*a ", "...", "---\n", "\\x", ", ", "~", "<<: "]


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.name)
def test_a_sound_file_is_read_alike(file: Path) -> None:
    source = Source(file.name, file.read_text(encoding="utf-8"))
    assert _read_compiled(source) == _read_pure(source)


def damaged(rng: random.Random) -> str:
    """Some lines of a file with one or two signs put in."""
    lines = rng.choice(FILES).read_text(encoding="utf-8").splitlines(True)
    first = rng.randrange(max(1, len(lines) - 12))
    text = "".join(lines[first : first + 12])
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(DAMAGE) + text[at + rng.randrange(2) :]
    return text


def test_a_damaged_text_is_accepted_by_both_or_judged_by_the_plain_one() -> None:
    rng = random.Random(20)
    accepted = 0
    for _ in range(600):
        source = Source("damaged.yaml", damaged(rng))
        quick = _read_compiled(source)
        if quick is not None:
            accepted += 1
            assert quick == _read_pure(source), source.text
    assert accepted > 100
