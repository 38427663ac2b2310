"""Fifty mechanisms and two dozen cards of five games, those of `tests/dsl/corpus`: every fragment is read."""

from __future__ import annotations

import pytest

from dsl.syntax.nodes import Decl
from dsl.syntax.parser import parse_file
from tests.dsl.corpus import TEXTS

MECHANISMS = sorted(name for name in TEXTS if name.startswith("mechanisms_"))


def test_all_seven_sections_are_here() -> None:
    assert len(MECHANISMS) == 7
    assert sum(TEXTS[name].count("\n") for name in MECHANISMS) > 650


@pytest.mark.parametrize("name", MECHANISMS)
def test_fragments_are_read(name: str) -> None:
    file, found = parse_file(name, TEXTS[name])
    assert found == []
    assert file.unknown == ()
    assert len(file.lines) > 10
    assert all(isinstance(line, Decl) for line in file.lines)


def test_every_citation_hangs_on_a_line() -> None:
    """The citations of a whole file are the citations found in its text, in order."""
    import re
    from dataclasses import fields, is_dataclass
    from typing import Any

    def cites(node: Any) -> list[str]:
        if isinstance(node, tuple):
            return [cite for part in node for cite in cites(part)]
        if not is_dataclass(node):
            return []
        own = list(getattr(node, "cites", ()))
        return own + [c for f in fields(node) if f.name != "cites" for c in cites(getattr(node, f.name))]

    for name in MECHANISMS:
        text = "\n".join(re.sub(r"\s#.*", "", line) for line in TEXTS[name].splitlines() if not line.startswith("#"))
        written = [c.strip() for group in re.findall(r"\[([A-Z]{2,}-[^\]]*)\]", text) for c in group.split(",")]
        assert sorted(cites(parse_file(name, TEXTS[name])[0])) == sorted(written)
        assert name == "mechanisms_cards.rules" or written
