"""`rulings --against REV`: the rulings of the working tree beside those of a revision of git, each by its own rules.

For each ruling that comes out in another way both sides are shown as the difference of their transcripts; then those
that are new or gone. Code 1 if anything differs, 0 if nothing does. The folders `rulesets` and `cards` of the revision
are laid out in a folder that is removed at the end; the working tree and git's own files are not touched.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from difflib import unified_diff
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from dsl.driver.reference import NoSuchRules, RulesetReference, find_overlay, with_bases
from dsl.files.phrases import FALLBACK, phrases_of
from tools.base.errors import STOPPED, UserError, shorten
from tools.base.home import MANIFEST, selected_rulesets
from tools.base.loading import choose_language
from tools.commands.rulings import RulingGroup, RulingRow, load_groups
from tools.workers.progress import progress

FOLDERS = ("rulesets", "cards")
EQUAL, OTHERWISE, NEW, GONE = "equal", "otherwise", "new", "gone"

Rows = dict[tuple[str, str], RulingRow]  # by rules and name


@dataclass(frozen=True, slots=True)
class ComparedRuling:
    """A ruling on both sides. `difference`: of the transcripts, in the form of `diff`; empty unless they differ."""

    rules: str
    name: str
    outcome: str
    place: str
    difference: tuple[str, ...] = ()


def against_command(
    ruleset: str | None, only: str | None, revision: str, as_json: bool, more: bool, lang: str | None
) -> int:
    """Compare the rulings of a ruleset, or of all, with those of a revision. `more`: whether something else was wanted,
    too. Raises UserError for that, and where git has no such revision."""
    if more:
        raise UserError("--against compares and stores nothing: leave --update and --watch out.")
    compared: list[ComparedRuling] = []
    spoken, stopped, whole = FALLBACK, False, True
    with ExitStack() as open_trees:
        trees: dict[Path, Path] = {}  # of each home once
        for rules in selected_rulesets(ruleset):
            home = rules.path.parent.parent
            if home not in trees:
                trees[home] = open_trees.enter_context(tree_of(home, revision))
            here, all_here = load_groups(rules, only)
            before = rules_in(trees[home], rules, revision)
            there, all_there = load_groups(before, only) if before is not None else ([], True)
            whole = whole and all_here and all_there
            spoken = choose_language(here[0].game, lang)
            new, old = Rows(), Rows()
            try:
                run_all(((here, new), (there, old)), only, phrases_of(spoken, "rulings")("rulings"))
            except KeyboardInterrupt:
                stopped = True  # what has come on both sides is told
            compared += compare(old, new, stopped)
            if stopped:
                break
    if only is not None and not compared and not stopped:
        raise UserError(f"no ruling has '{only}' in its name, title, clauses or file, neither here nor in {revision}.")
    if as_json:
        print(json.dumps([asdict(found) for found in compared], ensure_ascii=False, indent=2))
    else:
        render(compared, revision, spoken)
    if stopped:
        return STOPPED
    return 0 if whole and all(found.outcome == EQUAL for found in compared) else 1


def run_all(sides: tuple[tuple[list[RulingGroup], Rows], ...], only: str | None, what: str) -> None:
    """Run the rulings of both sides into their rows."""
    total = sum(len(group.chosen(only)) for groups, _ in sides for group in groups)
    with progress(total, quiet=False, what=what) as advance:
        for groups, rows in sides:
            for group in groups:
                for row in group.run(only, advance):
                    rows[group.game.program.named, row.ruling.name] = row


def compare(old: Rows, new: Rows, part: bool) -> Iterator[ComparedRuling]:
    """Each ruling of both sides, in the order of the new one. `part`: the runs were stopped, so what one side lacks may
    only not have been reached."""
    for key, row in new.items():
        before = old.get(key)
        place = f"{row.file}:{row.line}"
        if before is None:
            if not part:
                yield ComparedRuling(*key, NEW, place)
            continue
        lines = tuple(unified_diff(told(before), told(row), n=2, lineterm=""))[2:]
        yield ComparedRuling(*key, OTHERWISE if lines else EQUAL, place, lines)
    if not part:
        yield from (ComparedRuling(*key, GONE, row.file) for key, row in old.items() if key not in new)


def told(row: RulingRow) -> tuple[str, ...]:
    """What is compared of a ruling: its transcript, with the expectations that fail."""
    return (*row.result.outline, *(f"FAILED {failure}" for failure in row.result.failures))


def render(compared: list[ComparedRuling], revision: str, lang: str) -> None:
    """Print the rulings that are not equal, and how many there are of each sort."""
    from rich.text import Text

    from tools.base.console import stdout

    console, say = stdout(), phrases_of(lang, "rulings")
    styles = {"+": "green", "-": "red", "@": "cyan"}
    for found in compared:
        if found.outcome != EQUAL:
            console.print(Text(f"{say(found.outcome)} ", "bold yellow") + Text(f"{found.rules} {found.name}", "bold"))
            console.print(Text(f"  {found.place}", "cyan"))
            for line in found.difference:
                console.print(Text(f"    {line}", styles.get(line[:1], "")), soft_wrap=True)
    numbers = {
        outcome: sum(found.outcome == outcome for found in compared) for outcome in (EQUAL, OTHERWISE, NEW, GONE)
    }
    console.print(Text(say("against", revision=revision, **numbers), "bold"))
    sys.stdout.flush()


# ------------------------------------------------------------ the tree of a revision


@contextmanager
def tree_of(home: Path, revision: str) -> Iterator[Path]:
    """A folder with the rulesets and cards of a home as they stood in a revision. Raises UserError where there is no
    git, no repository or no such revision."""
    top, prefix = git(home, "rev-parse", "--show-toplevel", "--show-prefix").decode().split("\n")[:2]
    root = Path(top)  # below it, git would look for what lies in the current folder
    commit = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", about=revision)
    tree = f"{commit.decode().strip()}:{prefix}"
    names = git(root, "ls-tree", "--name-only", tree, about=revision).decode().split("\n")
    held = [name for name in FOLDERS if name in names]
    with TemporaryDirectory(prefix="rulewright-") as folder:
        if held:
            with tarfile.open(fileobj=BytesIO(git(root, "archive", "--format=tar", tree, *held))) as archive:
                archive.extractall(folder, filter="data")
        yield Path(folder)


def git(home: Path, *words: str, about: str = "") -> bytes:
    """What a command of git prints. `about`: the revision that was asked for, if it may be at fault."""
    try:
        done = subprocess.run(["git", "-C", str(home), *words], capture_output=True, check=False)
    except FileNotFoundError:
        raise UserError("git is not installed here, and --against takes the older rules from it.") from None
    if done.returncode == 0:
        return done.stdout
    if about:
        raise UserError(
            f"git has no revision '{shorten(about)}' here: name a commit, a branch or a tag, such as HEAD~1."
        )
    said = done.stderr.decode(errors="replace").strip().partition("\n")[0]
    raise UserError(f"'{home}' is in no repository of git, which --against takes the older rules from ({said}).")


def rules_in(tree: Path, rules: RulesetReference, revision: str) -> RulesetReference | None:
    """The same rules in the tree of a revision; None where the ruleset was not there yet. Raises UserError for an
    overlay that was not."""
    path = tree / rules.path.relative_to(rules.path.parent.parent)
    if not (path / MANIFEST).is_file():
        return None
    try:
        overlays = [find_overlay(path, overlay.stem, only_names=True) for overlay in rules.overlays]
    except NoSuchRules as missing:
        raise UserError(f"{missing} in {revision}: it is newer, and there is nothing to compare it with.") from None
    return replace(rules, path=path, overlays=with_bases(path, overlays))
