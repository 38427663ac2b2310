"""`errata bisect`: since which errata rulings come out as they do.

Takes a ruleset and rulings of it; runs them under the printed rules and then as of the day of each errata, in the order
of the days. Every day is tried, since a ruling that changed twice would deceive a search by halves. Where several
errata have the day of a change, each of them is tried alone on the rules of the day before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from dsl.diagnostics.diagnostic import Severity
from dsl.driver.reference import RulesetReference
from dsl.files.phrases import Say, phrase, phrases_of
from dsl.files.ruleset import errata_of, overlay_files
from dsl.overlay.blocks import clause_text
from dsl.program import Program
from dsl.syntax import nodes as sx
from dsl.syntax.parser import parse_file
from interpreter import Game
from interpreter.records.ruling import run_ruling
from tools.base.errors import UserError, unknown_message
from tools.base.home import read_reference
from tools.base.loading import choose_language, load_game
from tools.errata.rulings import failure_text
from tools.workers.progress import progress

PASS, FAIL, ABSENT, BROKEN = "pass", "FAIL", "not there", "errors in it"
UNDATED = "0001-01-01"  # a day before all others: errata without a day count from the beginning


@dataclass(frozen=True, slots=True)
class Errata:
    name: str
    day: str  # UNDATED without one
    path: Path  # of the overlay: a file or a folder


@dataclass(frozen=True, slots=True)
class RulingOutcome:
    """How a ruling comes out. `why`: the first expectation that fails, or the first error."""

    outcome: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class RulesStage:
    """The rules up to a day; the first stage is that of the printed rules, without a day."""

    day: str
    errata: tuple[str, ...]  # those of this very day
    verdicts: dict[str, RulingOutcome]


@dataclass(frozen=True, slots=True)
class Turn:
    """A change of a ruling from one stage to the next. `by`: the errata of the day that bring it about, each by itself;
    empty where only several together do, None where they cannot be told apart."""

    day: str
    before: RulingOutcome
    after: RulingOutcome
    errata: tuple[str, ...]
    by: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class RulesHistory:
    ruling: str
    title: str
    verdicts: tuple[RulingOutcome, ...]  # one for each stage
    turns: tuple[Turn, ...]


def bisect_command(ruleset: str, rulings: Sequence[str], as_json: bool, lang: str | None = None) -> int:
    rules = read_reference(ruleset)
    spoken, stages, found = bisect(rules, rulings, lang, as_json)
    if as_json:
        data: dict[str, Any] = {"rules": rules.label, "rulings": [asdict(history) for history in found]}
        data["stages"] = [{"day": stage.day, "errata": stage.errata} for stage in stages]
        print(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        for number, history in enumerate(found):
            print("\n" * (number > 0) + "\n".join(lines_of(stages, history, phrases_of(spoken, "errata"))))
    return 0


def bisect(
    rules: RulesetReference, rulings: Sequence[str], wanted: str | None = None, quiet: bool = True
) -> tuple[str, list[RulesStage], list[RulesHistory]]:
    """The language of the texts, the stages of a ruleset with its variants up to its day, if it has one, and what
    becomes of each ruling."""
    dated = sorted(errata_in_force(rules), key=lambda errata: (errata.day, errata.name))
    if not dated:
        raise UserError(f"{rules.path.name} has no errata{f' up to {rules.as_of}' if rules.as_of else ''}.")
    days = list(dict.fromkeys(errata.day for errata in dated))
    programs: list[Program | None] = []
    faults: list[str] = []
    with progress(len(days) + 1, quiet, "days") as advance:
        for day in (None, *days):
            program, fault = compiled(replace(rules, as_of=day))
            programs.append(program)
            faults.append(fault)
            advance()
    known = {name: ruling.title for p in programs if p is not None for name, ruling in p.rulings.items()}
    known |= {name: "" for p in programs if p is not None for name in p.broken if name not in known}
    first = next((program for program in programs if program is not None), None)
    # where no program is without errors, loading shows them and ends the command
    lang = choose_language(Game(first) if first is not None else load_game(replace(rules, as_of=None)), wanted)
    for name in rulings:
        if name not in known:
            raise UserError(unknown_message("ruling", name, known, rules.path.name))
    stages = [
        RulesStage(
            day or "",
            tuple(errata.name for errata in dated if errata.day == day),
            {name: verdict(program, fault, name, lang) for name in rulings},
        )
        for day, program, fault in zip((None, *days), programs, faults, strict=True)
    ]
    return lang, stages, [history_of(rules, dated, stages, name, known[name], lang) for name in rulings]


def errata_in_force(rules: RulesetReference) -> Iterator[Errata]:
    """The errata of a ruleset up to its day, and for its printing."""
    for path in errata_of(rules.path):
        for file in overlay_files(path):
            if file.suffix != ".errata":
                continue
            tree, _ = parse_file(str(file), file.read_text(encoding="utf-8"))
            for line in tree.lines:
                if isinstance(line, sx.Decl) and line.word == "errata" and is_for(rules, line):
                    dated = clause_text(line, "dated")
                    yield Errata(line.name, dated[0] if dated else UNDATED, path)


def is_for(rules: RulesetReference, line: sx.Decl) -> bool:
    dated, printing = clause_text(line, "dated"), clause_text(line, "printing")
    late = rules.as_of is not None and dated is not None and dated[0] > rules.as_of
    other = rules.printing is not None and printing is not None and printing[0] != rules.printing
    return not late and not other


def compiled(rules: RulesetReference) -> tuple[Program | None, str]:
    """The program, or None with the first error."""
    program, diagnostics, _ = rules.compile()
    fault = next((f"{d.code} {d.message}" for d in diagnostics if d.severity is Severity.ERROR), "")
    return program, fault


def verdict(program: Program | None, fault: str, name: str, lang: str) -> RulingOutcome:
    if program is None:
        return RulingOutcome(BROKEN, phrase(lang, "errata", "rules_fail", fault=fault))
    if name in program.broken:
        return RulingOutcome(BROKEN)
    if name not in program.rulings:
        return RulingOutcome(ABSENT)
    failures = run_ruling(Game(program), program.rulings[name]).failures
    return RulingOutcome(FAIL, failure_text(failures[0], lang)) if failures else RulingOutcome(PASS)


def history_of(
    rules: RulesetReference, dated: Sequence[Errata], stages: Sequence[RulesStage], name: str, title: str, lang: str
) -> RulesHistory:
    verdicts = tuple(stage.verdicts[name] for stage in stages)
    turns = []
    for before, stage in zip(stages, stages[1:], strict=False):
        if before.verdicts[name] != stage.verdicts[name]:
            old, new = before.verdicts[name], stage.verdicts[name]
            by = causes(rules, dated, before.day, stage, name, lang)
            turns.append(Turn(stage.day, old, new, stage.errata, by))
    return RulesHistory(name, title, verdicts, tuple(turns))


def causes(
    rules: RulesetReference, dated: Sequence[Errata], before: str, stage: RulesStage, name: str, lang: str
) -> tuple[str, ...] | None:
    """The errata of a day each of which changes a ruling by itself, on the rules of the stage before. None where errata
    share a file, so that they cannot be tried alone."""
    if len(stage.errata) == 1:
        return stage.errata
    if len({errata.path for errata in dated}) < len(dated):
        return None
    older = tuple(errata.path for errata in dated if errata.day <= before)
    found = []
    for errata in dated:
        if errata.day == stage.day:
            alone = replace(rules, as_of=None, overlays=(*rules.overlays, *older, errata.path))
            if verdict(*compiled(alone), name, lang).outcome == stage.verdicts[name].outcome:
                found.append(errata.name)
    return tuple(found)


# ---------------------------------------------------------------- as text


def lines_of(stages: Sequence[RulesStage], history: RulesHistory, say: Say) -> Iterator[str]:
    from rich.cells import cell_len

    yield f'{history.ruling} "{history.title}"' if history.title else history.ruling
    days = [shown_day(stage, say) for stage in stages]
    names = [", ".join(stage.errata) for stage in stages]
    widths = max(map(cell_len, days)), max(map(cell_len, names))
    changed = {turn.day for turn in history.turns}
    for stage, day, errata, found in zip(stages, days, names, history.verdicts, strict=True):
        mark = "*" if stage.day and stage.day in changed else " "
        why = f"  {found.why}" if found.why else ""
        columns = (text + " " * (width - cell_len(text)) for text, width in zip((day, errata), widths, strict=True))
        yield f"{mark} {'  '.join(columns)}  {say(found.outcome)}{why}"
    yield from told(history, say)


def told(history: RulesHistory, say: Say) -> Iterator[str]:
    """In a sentence since when the ruling comes out as it does, and what came before."""
    if not history.turns:
        yield say("unchanged")
        return
    turn = history.turns[-1]
    yield say("since", day=day_words(turn.day, say), cause=cause_words(turn, say))
    if len(history.turns) > 1:
        yield say("times", n=len(history.turns))
        for turn in history.turns:
            day, before, after = day_words(turn.day, say), say(turn.before.outcome), change_words(turn, say)
            yield f"  {say('turn', day=day, before=before, after=after, cause=cause_words(turn, say))}"


def cause_words(turn: Turn, say: Say) -> str:
    if turn.by is None:
        return say("one_of", names=", ".join(turn.errata))
    names = say("and").join(turn.by or turn.errata)
    if not turn.by:
        return say("together", names=names)
    return say("each", names=names) if len(turn.by) > 1 else names


def change_words(turn: Turn, say: Say) -> str:
    outcome = say(turn.after.outcome)
    return say("another_way", outcome=outcome) if turn.before.outcome == turn.after.outcome else outcome


def day_words(day: str, say: Say) -> str:
    return say("the_undated") if day == UNDATED else day


def shown_day(stage: RulesStage, say: Say) -> str:
    keys = {"": "as_printed", UNDATED: "undated"}
    return say(keys[stage.day]) if stage.day in keys else stage.day
