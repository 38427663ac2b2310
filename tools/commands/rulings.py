"""`rulings`: run the rulings of rulesets and show the results; code 1 if one fails or has errors in it.

Each failure shows what was expected and what was seen, in words of the game, with the place in the file. A ruling that
passes in another way than its stored transcript is shown too; `--update` stores the transcripts of rulings that pass.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dsl import ir
from dsl.base.spelling import nearest
from dsl.diagnostics.diagnostic import Severity
from dsl.driver.reference import RulesetReference, overlaid, shipped_overlays
from dsl.files.phrases import FALLBACK, Say, phrases_of
from dsl.files.ruleset import shown_name
from dsl.program import Program
from interpreter import Game
from interpreter.records.ruling import Failure, RulingResult, run_ruling
from tools.base.errors import STOPPED, CommandEnd, UserError
from tools.base.home import selected_rulesets
from tools.base.loading import choose_language, load_game
from tools.base.terminal import print_error, use_colour
from tools.base.transcripts import read_transcripts, write_transcripts
from tools.base.watch import watch_changes
from tools.workers.guarded import Lost, guarded
from tools.workers.progress import progress

if TYPE_CHECKING:
    from tools.base.console import CommandConsole

WORD = re.compile(r"\w+")
WITH_VALUES = re.compile(r'^ruling [^"\n]*"[^"\n]*\{', re.MULTILINE)  # in its title
MAX_LINES = 8  # shown of a transcript that differs
DETAILED = 3  # so many rulings that were asked for are shown with their transcripts


@dataclass(frozen=True, slots=True)
class RulingRow:
    """A ruling with its result, the file it stands in and its first line there. `difference`: how its transcript
    differs from the stored one, as lines with - and +; `on_file`: whether there is a stored one."""

    ruling: ir.Ruling
    result: RulingResult
    file: str
    line: int
    seconds: float
    difference: tuple[str, ...] = ()
    on_file: bool = False

    @property
    def passed(self) -> bool:
        return self.result.passed


@dataclass(frozen=True, slots=True)
class RulingGroup:
    """The rulings of one set of rules: all of them, or with `folder` only those in files under it, and those of
    `others`, which hold under no set of rules before. `keeps`: the beginning of the files whose transcripts are those
    of this set of rules; None if there are none."""

    game: Game
    base: Path  # file names are relative to it
    folder: str = ""
    others: frozenset[str] = frozenset()
    keeps: str | None = ""

    def chosen(self, only: str | None) -> list[ir.Ruling]:
        """The rulings of this group, or those of them that `only` is about."""
        found = []
        for name, ruling in self.game.program.rulings.items():
            file, _ = place_of(self.game, ruling)
            own = is_part(file, self.folder) or name in self.others
            if own and (only is None or matches(only, name, ruling, file)):
                found.append(ruling)
        return found

    def run(self, only: str | None, advance: Callable[[], None]) -> Iterator[RulingRow]:
        """The rulings with their results. They are run in another process: one that ends it fails alone."""
        on_file: dict[str, dict[str, tuple[str, ...]]] = {}
        rulings = self.chosen(only)
        tasks = [(ruling.name, FALLBACK) for ruling in rulings]
        for ruling, done in zip(rulings, guarded(begin_rulings, self.game.program, tasks), strict=True):
            file, line = place_of(self.game, ruling)
            result, seconds = (lost_result(ruling, done), 0.0) if isinstance(done, Lost) else done
            if file not in on_file:
                on_file[file] = read_transcripts(self.base / file)
            before = on_file[file].get(ruling.name)
            difference = tuple(differing_lines(before, result.outline)) if before is not None and result.passed else ()
            yield RulingRow(ruling, result, file, line, seconds, difference, before is not None)
            advance()


def begin_rulings(program: Program) -> Callable[[tuple[str, str]], tuple[RulingResult, float]]:
    """Runs rulings of a program by name, in a language; gives each result with the seconds that it took."""
    game = Game(program)

    def run(task: tuple[str, str]) -> tuple[RulingResult, float]:
        name, lang = task
        begun = time.perf_counter()
        return run_ruling(game, program.rulings[name], lang, traced=True), time.perf_counter() - begun

    return run


def lost_result(ruling: ir.Ruling, lost: Lost) -> RulingResult:
    """The result of a ruling that has ended the process it ran in."""
    failure = Failure(f"ruling {ruling.name}", "a run that comes to its end", lost.why)
    return RulingResult(ruling.name, ruling.title, ruling.cites, False, (failure,), (f"    FAILED {failure}",))


def rulings_command(
    ruleset: str | None,
    only: str | None,
    as_json: bool,
    update: bool = False,
    watch: bool = False,
    lang: str | None = None,
) -> int:
    if not watch:
        return run_rulings(ruleset, only, as_json, update, lang)
    for _ in watch_changes(lambda: [path for r in selected_rulesets(ruleset) for path in (r.path, *r.overlays)]):
        print(f"\n{time.strftime('%H:%M:%S')}")
        try:
            run_rulings(ruleset, only, as_json, update, lang)
        except CommandEnd as stop:  # the errors have been shown; the next change may fix them
            print(stop)
    return 0


def run_rulings(ruleset: str | None, only: str | None, as_json: bool, update: bool, lang: str | None) -> int:
    found_groups = [load_groups(rules, only) for rules in selected_rulesets(ruleset)]
    groups = [group for several, _ in found_groups for group in several]
    spoken = [choose_language(group.game, lang) for group in groups]
    say = phrases_of(spoken[0] if spoken else FALLBACK, "rulings")
    total = sum(len(group.chosen(only)) for group in groups)
    rows: dict[str, list[RulingRow]] = {group.game.program.named: [] for group in groups}
    stopped = False
    try:
        with progress(total, quiet=False, what=say("rulings")) as advance:
            for group in groups:
                for row in group.run(only, advance):
                    rows[group.game.program.named].append(row)
    except KeyboardInterrupt:
        stopped = True  # what has come is told
    if only is not None and not any(rows.values()) and not stopped:
        guess = nearest(only, [name for group in groups for name in group.game.program.rulings])
        raise UserError(
            f"no ruling has '{only}' in its name, title, clauses or file"
            + (f": did you mean '{guess}'?" if guess else "; leave --only out to run all of them.")
        )
    if as_json:
        broken_names = {group.game.program.named: group.game.program.broken for group in groups}
        not_here = {group.game.program.named: elsewhere(group, groups) for group in groups}
        shown = {
            name: to_json(found) | {"broken": list(broken_names[name]), "elsewhere": not_here[name]}
            for name, found in rows.items()
        }
        print(json.dumps(shown, ensure_ascii=False, indent=2))
    else:
        for group, own in zip(groups, spoken, strict=True):
            found = rows[group.game.program.named]
            if only is not None and len(found) <= DETAILED and lang is not None:
                found = [in_language(group.game, row, own) for row in found]
            render(group.game.program.named, found, only is not None and len(found) <= DETAILED, own)
        for group in groups if only is None else ():
            if left := elsewhere(group, groups):
                print(say("elsewhere", name=group.game.program.named, n=len(left)))
        if len(rows) > 1:
            print(say("total", n=sum(map(count_passed, rows.values())), all=sum(map(len, rows.values()))))
    if update:
        whole = only is None and not stopped
        written = sum(update_transcripts(group, rows[group.game.program.named], whole) for group in groups)
        print(say("written", n=written), file=sys.stderr if as_json else sys.stdout)
    broken = [group.game.program for group in groups if group.game.program.broken and not group.folder]
    if not as_json:
        for program in broken:
            print_broken(program, say)
    if stopped:
        return STOPPED
    failed = any(not row.passed for found in rows.values() for row in found)
    return 1 if failed or broken or not all(whole for _, whole in found_groups) else 0


def in_language(game: Game, row: RulingRow, lang: str) -> RulingRow:
    """A row with the transcript in this language; transcripts on file, and what differs from them, keep theirs."""
    (done,) = guarded(begin_rulings, game.program, [(row.ruling.name, lang)])
    return row if isinstance(done, Lost) else replace(row, result=done[0])


def elsewhere(group: RulingGroup, groups: list[RulingGroup]) -> list[str]:
    """The rulings that do not hold under this set of rules, and that no other of `groups` runs."""
    if group.folder:
        return []  # they are looked at where they are run
    run = frozenset[str]().union(*(other.others for other in groups))
    return [name for name in group.game.program.elsewhere if name not in run]


def print_broken(program: Program, say: Say) -> None:
    """Print the errors of rulings that were left out."""
    from dsl.diagnostics.render import render_text

    errors = [d for d in program.notes if d.severity is Severity.ERROR]
    print(render_text(errors, program.sources, use_colour(sys.stdout)))
    print(say("broken", name=program.named, n=len(program.broken), names=", ".join(program.broken)))


def update_transcripts(group: RulingGroup, rows: list[RulingRow], whole: bool) -> int:
    """Store the transcripts of rulings that pass; with `whole` those of removed rulings are dropped. Rulings of the
    game that were played with an overlay leave theirs as the game alone plays them."""
    files: dict[str, list[RulingRow]] = {}
    for row in rows:
        own = group.keeps is not None and is_part(row.file, group.keeps)
        if own or row.ruling.name in group.others:
            files.setdefault(row.file, []).append(row)
    written = 0
    for file, found in files.items():
        on_file = read_transcripts(group.base / file)
        names = {row.ruling.name for row in found}.union(group.game.program.broken, group.game.program.elsewhere)
        others = not whole or not is_part(file, group.folder)
        updated = {name: lines for name, lines in on_file.items() if name in names or others}
        for row in found:
            if row.passed and on_file.get(row.ruling.name) != row.result.outline:
                updated[row.ruling.name] = row.result.outline
                written += 1
        if updated != on_file:
            write_transcripts(group.base / file, updated)
    return written


def differing_lines(before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[str]:
    """The lines that only one of two transcripts has, with - and +."""
    for line in unified_diff(before, after, n=0, lineterm=""):
        if line[:1] in "+-" and line[:3] not in ("+++", "---"):
            yield f"{line[0]} {line[1:]}"


def count_passed(rows: list[RulingRow]) -> int:
    return sum(row.passed for row in rows)


def load_groups(rules: RulesetReference, only: str | None = None) -> tuple[list[RulingGroup], bool]:
    """A set of rules, and each of the overlays that come with a plain ruleset and have rulings of their own, with
    `only` those whose texts have this in them, or that rulings of the ruleset name which do not hold without; and
    whether all of these overlays can be played. The errors of an overlay are printed."""
    base, whole = rules.path.parent.parent, True
    found = [RulingGroup(load_game(rules), base, keeps=kept_files(rules))]
    left = set(found[0].game.program.elsewhere)
    spoken_of = overlays_needed(found[0].game.program, only)
    for name, overlay in shipped_overlays(rules.path).items() if rules.plain else ():
        if may_match(only, overlay) or name in spoken_of:
            try:
                game = load_game(overlaid(rules.path, overlay))
            except CommandEnd as stop:
                print_error(str(stop))
                whole = False
            else:
                others = left & game.program.rulings.keys()
                left -= others
                folder = shown_name(overlay, rules.path)
                found.append(RulingGroup(game, base, folder, frozenset(others), folder))
    return found, whole


def kept_files(rules: RulesetReference) -> str | None:
    """The beginning of the files whose transcripts are those of these rules: all for a plain ruleset, those of an
    overlay for it alone. With several overlays, or as of a day, rulings may come out otherwise than where they are
    kept: None."""
    if rules.plain:
        return ""
    alone = rules.overlays[-1:]
    if not alone or rules != overlaid(rules.path, alone[0]):
        return None
    return shown_name(alone[0], rules.path)


def is_part(file: str, whole: str) -> bool:
    """True if a file is this one or lies below it; every file is part of an empty name."""
    return not whole or f"{file}/".startswith(f"{whole}/")


def overlays_needed(program: Program, only: str | None) -> frozenset[str]:
    """The overlays with which rulings hold that do not hold without, with `only` of those that may be meant. Where
    the position of a ruling says it, all that rulings name."""
    known = program.named_overlays.keys()
    if only is None:
        return frozenset(known if program.elsewhere else ())
    found: set[str] = set()
    for name in program.elsewhere:
        head = re.compile(rf"^ruling {re.escape(name.partition('.')[0])}\b.*(?:\n(?:[ \t].*)?)*", re.MULTILINE)
        for source in program.sources.values():
            text = head.search(source.text)
            if text is not None and (may_mean(only, text[0]) or only.casefold() in source.file.casefold()):
                found |= known & set(WORD.findall(text[0])) or known
    return frozenset(found)


def may_mean(only: str, text: str) -> bool:
    """Whether a text may have a ruling in it with `only` in its name, title or clauses. The name of a row stands in it
    in two parts, and its title is not known before values are put in."""
    text = text.casefold()
    return only.casefold() in text or only.partition(".")[0].casefold() in text or WITH_VALUES.search(text) is not None


def may_match(only: str | None, overlay: Path) -> bool:
    """Whether an overlay has rulings, and with `only` whether some may be meant: what is looked at of a ruling stands
    in its text, but for the name of the file."""
    for file in overlay.rglob("*.ruling"):
        if only is None or only.casefold() in file.as_posix().casefold():
            return True
        if may_mean(only, file.read_text(encoding="utf-8", errors="replace")):
            return True
    return False


def matches(only: str, name: str, ruling: ir.Ruling, file: str) -> bool:
    wanted = only.casefold()
    return any(wanted in text.casefold() for text in (name, ruling.title, file, *ruling.cites))


def place_of(game: Game, ruling: ir.Ruling) -> tuple[str, int]:
    file = ruling.span.file or ruling.file
    source = game.program.sources.get(file)
    return file, source.place(ruling.span.start)[0] if source else 0


def to_json(rows: list[RulingRow]) -> dict[str, Any]:
    return {
        "rulings": len(rows),
        "passed": count_passed(rows),
        "failed": len(rows) - count_passed(rows),
        "results": [
            {
                "name": r.result.name,
                "title": r.result.title,
                "clauses": list(r.result.cites),
                "passed": r.passed,
                "another_way": list(r.difference),
                "file": r.file,
                "line": r.line,
                "failures": [
                    {"line": f.line or r.line, "text": f.text, "expected": f.expected, "seen": f.seen}
                    for f in r.result.failures
                ],
            }
            for r in rows
        ],
    }


def render(name: str, rows: list[RulingRow], detailed: bool, lang: str) -> None:
    """Print a row for each file, then every failure; with `detailed` the transcripts as well."""
    from rich.table import Table
    from rich.text import Text

    from tools.base.console import stdout

    console, say = stdout(), phrases_of(lang, "rulings")
    files: dict[str, list[RulingRow]] = {}
    for row in rows:
        files.setdefault(row.file, []).append(row)
    table = Table(*(say(head) for head in ("rulings", "passed", "failed", "seconds")), box=None, pad_edge=False)
    for file, found in files.items():
        bad = sum(not r.passed for r in found)
        failed = Text(str(bad), style="bold red") if bad else Text("-")
        table.add_row(file, str(len(found) - bad), failed, f"{sum(r.seconds for r in found):.2f}")
    if rows:
        console.print(table)
    for row in rows:
        if detailed:
            console.print()
            for line in row.result.transcript:
                console.print(Text(line, style="red" if line.strip().startswith("FAILED") else ""))
        if not row.passed:
            print_failures(console, row, say)
    for row in rows:
        if row.difference:
            console.print()
            head = f'{row.result.name} "{row.result.title}"'
            console.print(Text(f"{say('another_way')} ", "bold yellow") + Text(head, "bold"))
            console.print(Text(f"  {row.file}:{row.line}", "cyan"))
            for line in row.difference[:MAX_LINES]:
                console.print(Text(f"    {line}", "green" if line.startswith("+") else "red"), soft_wrap=True)
            if len(row.difference) > MAX_LINES:
                console.print(f"    {say('more_lines', n=len(row.difference) - MAX_LINES)}")
    bad = len(rows) - count_passed(rows)
    style = "bold red" if bad else "bold green" if rows else "yellow"
    key = "n_failed" if bad else "n_passed" if rows else "none"
    text = say(key, name=name, n=len(rows) - bad, failed=bad)
    changed = sum(bool(row.difference) for row in rows)
    text = say("differing", result=text, n=changed) if changed else text
    console.print(Text(text, style=style))
    sys.stdout.flush()


def print_failures(console: CommandConsole, row: RulingRow, say: Say) -> None:
    """What a ruling that fails expected, and what was seen."""
    from rich.cells import cell_len
    from rich.text import Text

    clauses = f" [{', '.join(row.result.cites)}]" if row.result.cites else ""
    console.print()
    head = f'{row.result.name} "{row.result.title}"{clauses}'
    console.print(Text(f"{say('failure')} ", "bold red") + Text(head, "bold"))
    width = max(cell_len(say("expected")), cell_len(say("seen"))) + 2
    for failure in row.result.failures:
        console.print(Text(f"  {row.file}:{failure.line or row.line}: ", "cyan") + Text(failure.text, ""))
        for word, value in (("expected", failure.expected), ("seen", failure.seen)):
            console.print(f"    {say(word)}{' ' * (width - cell_len(say(word)))}{value}")
    if row.result.left_open:
        console.print(f"  {say('left_open', question=row.result.left_open)}")
