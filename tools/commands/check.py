"""`check`: compile rulesets and show every diagnostic, as text or JSON; code 1 when there is an error.

With `--plans` it lists how the demands of each action are tested, and the sentence that decides it; with `--texts` how
complete each language is; with `--native` what native code leaves to the reference.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from dsl.checks.hand_over import taker_of
from dsl.diagnostics.diagnostic import Severity
from dsl.driver.followed import check_followed
from dsl.files.phrases import FALLBACK, languages, sections
from dsl.program import Program
from tools.base.errors import UserError
from tools.base.home import rulesets_beside, selected_rulesets
from tools.base.terminal import print_diagnostics


@dataclass(frozen=True, slots=True)
class Completeness:
    """How complete a language is: `missing` are the addresses without a text in it, of `wanted` in all."""

    language: str
    wanted: int
    missing: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        found = self.wanted - len(self.missing)
        return {"language": self.language, "texts": found, "of": self.wanted, "missing": list(self.missing)}


def of_ruleset(program: Program) -> list[Completeness]:
    """The languages of a ruleset, the first language first."""
    return [
        Completeness(lang, len(program.wanted), tuple(a for a in program.wanted if a not in table))
        for lang, table in program.texts.items()
    ]


def of_tool() -> list[Completeness]:
    """The languages that the tool speaks, English first."""
    phrases = [(section, key) for section, keys in sections(FALLBACK).items() for key in keys]
    return [
        Completeness(
            lang, len(phrases), tuple(f"{s}.{key}" for s, key in phrases if key not in sections(lang).get(s, {}))
        )
        for lang in languages()
    ]


def check_command(ruleset: str | None, format: str, plans: bool, texts: bool = False, native: bool = False) -> int:
    if format not in ("text", "json"):
        raise UserError(f"--format is text or json, not '{format}'.")
    found = selected_rulesets(ruleset)
    from dsl.diagnostics.render import render_json

    failed = False
    rows: list[dict[str, Any]] = []
    for rules in found:
        program, diagnostics, sources = rules.compile()
        if program is not None:
            diagnostics = [*diagnostics, *check_followed(taker_of(program), partial(rulesets_beside, rules.path))]
        errors = sum(d.severity is Severity.ERROR for d in diagnostics)
        failed = failed or program is None or errors > 0
        if format == "json":
            row: dict[str, Any] = {"ruleset": rules.label, "ok": program is not None and not errors}
            row["diagnostics"] = render_json(diagnostics, sources)
            if plans and program is not None:
                row["plans"] = [{"action": a, "grade": g, "sentence": s} for a, g, s in program.plans]
            if native and program is not None:
                row["native"] = {"left_to_reference": left_to_reference(program)}
            if texts and program is not None:
                row["texts"] = [language.to_json() for language in of_ruleset(program)]
            rows.append(row)
            continue
        if diagnostics:
            print_diagnostics(diagnostics, sources, sys.stdout)
        if plans and program is not None:
            print_plans(program.plans)
        if texts and program is not None:
            print_texts(f"texts of {rules.label}", of_ruleset(program))
        if native and program is not None:
            print_gaps(left_to_reference(program))
        print(summary(rules.label, diagnostics))
    if texts and format == "text":
        print_texts("phrases of the tool itself", of_tool())
    if format == "json":
        print(json.dumps(rows if ruleset is None else rows[0], ensure_ascii=False, indent=2))
    return 1 if failed else 0


def left_to_reference(program: Program) -> list[str]:
    """What native code leaves to the reference in play, each by name."""
    from interpreter.backends.native.cache import gaps_of  # a check without it does not load the interpreter

    return list(gaps_of(program))


def print_gaps(gaps: Sequence[str]) -> None:
    for gap in gaps:
        print(f"note: native code leaves {gap} to the reference, which is many times slower there")
    if not gaps:
        print("native code plays all of it")


def summary(name: str, diagnostics: Any) -> str:
    counts = []
    for severity in Severity:
        n = sum(d.severity is severity for d in diagnostics)
        if n:
            counts.append(f"{n} {severity.value}{'' if n == 1 else 's'}")
    return f"{name}: {', '.join(counts) or 'no problems'}"


def print_texts(title: str, found: Sequence[Completeness]) -> None:
    """A row for each language; below, the addresses that have no text in it."""
    from rich.table import Table

    from tools.base.console import stdout

    table = Table(title, "texts", "where one is missing", box=None, pad_edge=False)
    first = found[0].language
    for row in found:
        instead = "the id is shown" if row.language == first else f"the text in `{first}` is shown, else the id"
        table.add_row(row.language, f"{row.wanted - len(row.missing)} of {row.wanted}", instead if row.missing else "")
    stdout().print(table)
    for row in found:
        for address in row.missing:
            print(f"  {row.language}: no text for {address}")


def print_plans(plans: tuple[tuple[str, str, str], ...]) -> None:
    from rich.table import Table

    from tools.base.console import stdout

    table = Table("action", "tested by", "because of", box=None, pad_edge=False)
    for action, grade, sentence in plans:
        table.add_row(action, grade, sentence)
    stdout().print(table)
