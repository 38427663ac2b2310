"""The Queen Bee in whole games: her larvae end with the zombies that they come from (BM-24.12)."""

import pytest

from tests.conformance.tables import load
from tools.simulation.playout import GameSetup, play_out


@pytest.mark.parametrize("seed", [11008432, 11023712])
def test_zombies_that_go_home_while_she_breeds_are_no_larvae(seed: int) -> None:
    """A first larva ends the species that holds the others, and nobody is left to free."""
    outcome = play_out(load("rulesets/bios_mesofauna"), GameSetup(1, 1, seed), "random", False, {})
    assert outcome.failure is None
