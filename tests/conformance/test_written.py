"""Nodes and questions that generated Python leaves to the reference: a short list for each ruleset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dsl import ir
from dsl.program import Program
from interpreter.backends.python.compile.module import write
from interpreter.backends.python.regions.region import written_instructions
from tests.conformance.tables import folders, is_large, load

# kinds of nodes that are carried out by the reference
NODES = {
    "bios_mesofauna": {"Defer", "Possible"},
    "bios_origins": {"Defer", "Possible"},
    "civilization": {"Forget"},
    "love_letter": {"Defer"},
    "kettle": {"Defer", "Possible", "Timed", "TimedFold"},
    "through_the_ages": {"Defer", "Forget", "Possible", "TimedFold"},
}
# Questions whose options the machine lists: sets, amounts, and those that must be tried; payments are not in the lists.
# Those of strips stand under the kind of their cards.
QUESTIONS = {
    "bios_mesofauna": {
        "add_to_portrait.f", "add_to_portrait.m", "brood.b", "choose_cratons.cs", "drift_of.collide.c", "endow.n",
        "first_turn.thorax.m", "fly.b", "found_species.b", "found_species.m", "hatch.c", "join.gone", "lose_stressed.b",
        "place_archetypes.bs", "place_pioneers.b", "place_pioneers.bs", "place_pioneers.c", "set_out.c",
        "shed_cards.gone", "species_turn.deed.deeds", "take_wing.c",
    },
    "bios_origins": {
        "Challenge.culture.one", "Challenge.industry.one", "Challenge.politics.one", "Idea.culture.one",
        "Idea.industry.one", "Idea.politics.one", "Placard.culture.one", "Placard.industry.one",
        "Placard.politics.one", "ask_passage.owners", "challenge_phase.fate", "lose_half.gone", "pay_pawns.k",
        "specialize.n",
    },
    "civilization": {
        "buy.k", "buy.xs", "calamities.cs", "city_building.hs", "epidemic.effect.k", "famine.effect.k",
        "flood.effect.f", "hold_back.m", "iconoclasm.effect.k", "lose_points.m", "pick_faction.m",
        "population_growth.k", "propose.cs",
        "replace.m", "return_excess.cs", "revolt.hs", "revolt.hs_2", "sicken.m", "starve.cs", "trade.talks",
    },
    "dominant_species": {"speciate.n", "follow.n", "migrate.n", "fecundity.effect.hs", "mass_exodus.effect.n"},
    "foundry": {"day.workshop", "cast.n"},
    "kettle": {"Spice.reward.one", "sage.effect.ts"},
    "through_the_ages": {
        "acted.political", "breakthrough_i.effect.perform", "breakthrough_ii.effect.perform", "defended.bs",
        "defended.cs", "development_of_civilization.effect.perform", "efficient_upgrade_ii.effect.upgrade",
        "efficient_upgrade_iii.effect.upgrade", "end_of_turn.excess.cs", "first_turn.opening",
        "food_as_resource.perform", "politics.first_action.political", "politics_of_strength.effect.cs",
        "resource_as_food.perform", "rich_land_a.effect.perform", "rich_land_i.effect.perform",
        "rich_land_ii.effect.perform", "send_force.extra", "send_force.landing", "send_force.n", "shopping.perform",
        "urban_growth_a.effect.perform", "urban_growth_i.effect.perform", "urban_growth_ii.effect.perform",
        "urban_growth_iii.effect.perform", "work.doing",
    },
}  # fmt: skip


def written_cases() -> list[Any]:
    """Each ruleset, checked and not; a large one checked in the soak."""
    return [
        pytest.param(
            checked, path, id=f"{checked}-{path.name}", marks=[pytest.mark.soak] if checked and is_large(path) else []
        )
        for checked in (False, True)
        for path in folders()
    ]


def under_its_kind(program: Program, address: str) -> str:
    """The address of a question; of one about a strip with the kind in place of the card."""
    card, _, rest = address.partition(".")
    strips = {proc.name for proc in program.procs if proc.word == "strip"}
    return f"{program.cards[card]}.{rest}" if address.rpartition(".")[0] in strips else address


@pytest.mark.parametrize(("checked", "path"), written_cases())
def test_only_these_are_left_to_the_reference(checked: bool, path: Path) -> None:
    if not (path / "ruleset.yaml").exists():
        pytest.skip("not a ruleset")
    program = load(str(path)).program
    module = write(program, checked)
    written = written_instructions(program)
    assert set(module.by_reference) == NODES.get(path.name, set())
    listed = (s.address for n, s in enumerate(program.sites) if n not in module.listers and s.payment is None)
    by_machine = {under_its_kind(program, address) for address in listed}
    assert by_machine == QUESTIONS.get(path.name, set())
    assert [i for pc, i in enumerate(program.code) if pc not in written] == []
    plain = [n for n, p in enumerate(program.procs) if not p.suspends]
    assert [program.procs[n].name for n in plain if n not in module.procedures] == []
    takers = {pc for pc, i in enumerate(program.code) if isinstance(i, ir.Ask) and i.site in module.listers}
    assert set(module.takers) == takers


@pytest.mark.parametrize("path", folders(), ids=lambda path: path.name)
def test_every_instruction_belongs_to_a_procedure(path: Path) -> None:
    """A procedure goes from its entry to the instruction with which it is left; nothing lies between two of them."""
    program = load(str(path)).program
    entries = sorted(p.entry for p in program.procs if p.suspends)
    ends = [pc + 1 for pc, i in enumerate(program.code) if isinstance(i, ir.Leave)]
    assert entries == [1, *ends[:-1]]  # `End` comes first
    assert ends[-1] == len(program.code)
