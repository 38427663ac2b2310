"""A dictator with a requirement, which no card of Bios:Origins here has: case BO-R254, on a card of an overlay."""

from __future__ import annotations

from pathlib import Path

import interpreter as rw
from interpreter.records.ruling import run_rulings

FOLDER = Path(__file__).resolve().parents[2] / "rulesets/bios_origins"

CARD = """
variant demanding on bios_origins because "a dictator with a requirement"
    replace confucial_feudalism
        card confucial_feudalism "Confucial Feudalism": Challenge [BO-2.6]
            epoch: epoch_3
            halves: politics, culture
            dissent: politics
            events: famine, left_dictator
            needs: information 4
            strip eureka: advance(information, 4) + purge
            strip politics: exogamy -> advance(information, 4)
            strip culture: prayer
"""

RULING = """
ruling BO_R254 "a dictator whose requirement is not met goes; nothing is purged" [BO-9.11, BO-10.10]
    given two
        p1.stage[information]: 2
        p1.foundations[politics]: chiefdom
        chiefdom.dissident: p1
        revealed: confucial_feudalism
    when
        do happen(left_dictator, p1)
    expect
        p1.stage[information]: 3
        p1.foundations[politics]: chiefdom
        chiefdom.dissident: p1
        confucial_feudalism in box: true
        nothing asked
"""


def test_a_dictator_whose_requirement_is_not_met_goes(tmp_path: Path) -> None:
    overlay = tmp_path / "demanding"
    overlay.mkdir()
    (overlay / "demanding.variant").write_text(CARD.lstrip(), encoding="utf-8")
    (overlay / "demanding.ruling").write_text(RULING.lstrip(), encoding="utf-8")
    game = rw.load(FOLDER, overlays=[overlay])
    (result,) = run_rulings(game, ["BO_R254"])
    assert result.passed, result.failures
    (other,) = run_rulings(game, ["BO_G069"])  # a dictator without a requirement comes
    assert other.passed, other.failures
