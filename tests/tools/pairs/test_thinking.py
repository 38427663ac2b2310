"""Whose positions can be thought about by other rules."""

from __future__ import annotations

import pytest

from dsl.program import Program
from interpreter import load
from tools.pairs.thinking import stores_alike


def dominant_species(*overlays: str) -> Program:
    return load("dominant_species", overlays=list(overlays)).program


@pytest.mark.parametrize(
    ("erratum", "alike"), [("domination_printed", True), ("fertile_printed", True), ("catastrophe_printed", False)]
)
def test_errata_that_ask_the_same_questions_can_be_thought_away(erratum: str, alike: bool) -> None:
    assert stores_alike(dominant_species(), dominant_species(erratum)) is alike
