"""The messages lead to the mistake: few of those that are planted at random are told elsewhere, or not at all."""

from __future__ import annotations

from random import Random

import pytest

from tests.mistakes.games import Game, every_game, overlaid_games
from tests.mistakes.measure import judge, mend, missed, table
from tests.mistakes.plant import KINDS, Place, misspelt, plant, spoil

SEED = 20261123


def test_mistakes_of_every_kind_are_planted_and_change_one_word() -> None:
    games = [Game("love_letter"), Game("dominant_species")]
    made = plant(games, overlaid_games()[:1], Random(1), 20)
    assert [mistake.kind for mistake in made] == [*KINDS, *KINDS]
    for mistake in made:
        before = mistake.place.game.sources[mistake.place.file]
        assert mistake.text != before and mistake.text.count("\n") == before.count("\n")


def test_a_message_is_carried_out_as_it_says() -> None:
    place = {"file": "a", "line": 2, "column": 5, "end_line": 2, "end_column": 8}
    texts = {"a": "one\ntwo tre\n"}
    message = {**place, "help": "did you mean `three`?", "fix": None}
    assert mend(message, texts) == ("a", "one\ntwo three\n")
    assert mend(message | {"help": "indent it"}, texts) is None
    assert mend(message | {"fix": {**place, "text": "four"}}, texts) == ("a", "one\ntwo four\n")


def test_a_small_sample_in_a_small_game() -> None:
    """A row of a card; the soak has sixty mistakes in all games."""
    game = Game("love_letter")
    assert game.check({}) == []
    card = next(f for f in game.sources if f.endswith(".cards"))
    at = game.sources[card].index("rank:")
    mistake = spoil("row of a card", Place(game, card, at, at + 4), Random(3))
    assert mistake is not None
    verdict = judge(mistake)
    assert verdict.at_line and verdict.alone and verdict.restored, missed(verdict)


def test_misspelling_changes_one_letter_or_swaps_two() -> None:
    made = {misspelt("abcd", Random(seed)) for seed in range(200)}
    assert {"bcd", "aabcd", "bacd", "abdc"} <= made and "abcd" not in made


@pytest.mark.soak
def test_sixty_mistakes_in_all_games() -> None:
    verdicts = [judge(mistake) for mistake in plant(every_game(), overlaid_games(), Random(SEED), 60)]
    report = "\n".join([table(verdicts), *map(missed, verdicts)])
    assert sum(v.at_line for v in verdicts) >= 58, report
    assert sum(v.mended for v in verdicts) >= 55, report
