"""`coverage`: clauses without rules, and rules and cards without rulings.

Reads the citations of a compiled program and runs its rulings to see what they cover. Code 1 if a clause that is not
marked as prose has no rule.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dsl.driver.reference import RulesetReference, overlaid, shipped_overlays
from dsl.files.phrases import FALLBACK, phrases_of
from interpreter import Game
from interpreter.records.ruling import run_ruling
from tools.base.home import selected_rulesets
from tools.base.loading import choose_language, load_game
from tools.simulation.coverage import CoverageRecorder

WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Coverage:
    ruleset: str
    clauses: int = 0
    prose: dict[str, str] = field(default_factory=dict)  # clause -> reason
    uncovered: dict[str, str] = field(default_factory=dict)  # clause -> title
    rules: int = 0
    untested_rules: dict[str, tuple[str, ...]] = field(default_factory=dict)  # address -> its clauses
    cards: int = 0
    unused_cards: list[str] = field(default_factory=list)
    rulings: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "ruleset": self.ruleset,
            "clauses": self.clauses,
            "prose": self.prose,
            "clauses_without_rule": self.uncovered,
            "rules": self.rules,
            "rules_without_ruling": {address: list(cites) for address, cites in self.untested_rules.items()},
            "cards": self.cards,
            "cards_without_ruling": self.unused_cards,
            "rulings": self.rulings,
        }


def coverage_command(ruleset: str | None, as_json: bool, lang: str | None = None) -> int:
    """Report on one ruleset, or on all that are found."""
    rows = []
    for rules in selected_rulesets(ruleset):
        game = load_game(rules)
        spoken = choose_language(game, lang)
        found = measure_coverage(game, [load_game(overlaid) for overlaid in with_overlays(rules)], spoken)
        rows.append(found)
        if not as_json:
            render(found, spoken)
    if as_json:
        data = [found.to_json() for found in rows]
        print(json.dumps(data if ruleset is None else data[0], ensure_ascii=False, indent=2))
    return 1 if any(found.uncovered for found in rows) else 0


def with_overlays(rules: RulesetReference) -> list[RulesetReference]:
    """A ruleset with each of the overlays that come with it; empty if overlays were given."""
    return [overlaid(rules.path, p) for p in shipped_overlays(rules.path).values()] if rules.plain else []


def measure_coverage(game: Game, overlaid: Sequence[Game] = (), lang: str = FALLBACK) -> Coverage:
    """The coverage of a game, with the titles of its clauses in a language; a clause also counts if a game with an
    overlay has a rule for it (`overlaid`)."""
    program = game.program
    cited = {clause for g in (game, *overlaid) for cites in g.program.cites.values() for clause in cites}
    found = Coverage(program.id, clauses=len(program.clauses), rulings=len(program.rulings), cards=len(program.cards))
    for clause, about in program.clauses.items():
        if about.get("prose"):
            found.prose[clause] = game.texts.prose(lang, clause)
        elif clause not in cited:
            found.uncovered[clause] = game.texts.clause(lang, clause)
    covered, named_cards = covered_by_rulings(game)
    rules = {address: cites for address, cites in rule_cites(game).items() if cites}
    found.rules = len(rules)
    found.untested_rules = {a: cites for a, cites in rules.items() if not is_covered(a, covered)}
    addresses = [*program.cites, *(p.name for p in program.procs), *(f.name for f in program.functions)]
    ruled = {address.partition(".")[0] for address in addresses}
    used = {c for c in program.cards if is_covered(c, covered) or is_covered(f"{c}.effect", covered)}
    found.unused_cards = [c for c in program.cards if c not in used | (named_cards - ruled)]
    return found


def rule_cites(game: Game) -> dict[str, tuple[str, ...]]:
    """Address -> clauses, for routines, values and lines of cards, which a ruling can run; not for state."""
    program = game.program
    tested = {program.functions[i.fn].name for i in program.invariants}  # these are tested by every checked run
    names = {p.name for p in program.procs} | {f.name for f in program.functions} - tested
    return {a: c for a, c in program.cites.items() if a in names or a.partition(".")[0] in program.cards}


def is_covered(address: str, covered: set[str]) -> bool:
    return address in covered or any(t.startswith(f"{address}.") for t in covered)


def covered_by_rulings(game: Game) -> tuple[set[str], set[str]]:
    """Addresses of the routines, values and lines that the rulings run, and the cards that they name, by any of their
    copies. A card without an effect has only lasting lines; it is covered by rulings that cite one of its clauses."""
    program = game.program
    words: set[str] = set()
    with CoverageRecorder(game) as recorder:
        for ruling in program.rulings.values():
            words.update(WORD.findall("\n".join(run_ruling(game, ruling).transcript)))
    proven = {clause for ruling in program.rulings.values() for clause in ruling.cites}
    effects = {p.name for p in program.procs}
    lasting = {
        c for c in program.cards if f"{c}.effect" not in effects and proven.intersection(program.cites.get(c, ()))
    }
    things = [game.things[word] for word in words if word in game.things]
    return recorder.addresses | lasting, {program.thing_ids[program.copies.get(t, t)] for t in things}


def render(found: Coverage, lang: str) -> None:
    from rich.text import Text

    from tools.base.console import stdout

    console, say = stdout(), phrases_of(lang, "coverage")

    def part(title: str, rows: dict[str, str], style: str) -> None:
        if rows:
            console.print(Text(f"\n{say(title)}", style=style))
            width = max(len(key) for key in rows)
            for key, text in rows.items():
                console.print(Text(f"  {key:<{width}}  {text}".rstrip()))

    part("no_rule", found.uncovered, "bold red")
    part("prose", found.prose, "bold")
    part("no_ruling", {a: ", ".join(c) for a, c in found.untested_rules.items()}, "bold yellow")
    part("unused_cards", dict.fromkeys(found.unused_cards, ""), "bold yellow")
    prose, bare = len(found.prose), len(found.uncovered)
    covered = found.clauses - prose - bare
    tested = found.rules - len(found.untested_rules)
    console.print()
    console.print(say("clauses", name=found.ruleset, n=found.clauses, covered=covered, prose=prose, bare=bare))
    console.print(say("rules", n=found.rules, tested=tested, rulings=found.rulings))
    if found.cards:
        console.print(say("cards", n=found.cards, used=found.cards - len(found.unused_cards)))
