"""`new`: a first version of a ruleset, variant, errata or ruling, which passes `check` and does something; or a copy of
a game that came with the program, to be changed.

Nothing is overwritten, and a folder is written completely or not at all. Code 2 for a name that cannot be used.
"""

from __future__ import annotations

import datetime
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from dsl.base.shipped import HOME, INSTALLED
from dsl.base.writing import write_atomic
from interpreter import Game
from tools.base import templates
from tools.base.errors import UserError, shorten, unknown_message
from tools.base.home import MANIFEST, find_ruleset, homes, rulesets
from tools.base.loading import load_game

SORTS = ("ruleset", "variant", "errata", "ruling", "copy")
NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)


def new_command(sort: str, id: str, ruleset: str | None, more: Sequence[str] = ()) -> int:
    if sort not in SORTS:
        raise UserError(unknown_message("skeleton", sort, SORTS))
    if more:
        raise UserError(
            f"one name is expected, and '{shorten(more[0])}' stands behind it: the ruleset is named by --on, as in "
            f"'rulewright new {sort} NAME --on RULESET'."
        )
    if not NAME.fullmatch(id):
        raise UserError(
            f"'{id}' cannot be a name: a name has lower-case letters, digits and _, and begins with a letter."
        )
    if sort == "ruleset":
        if ruleset is not None:
            raise UserError("a new ruleset does not need another one: leave --on out.")
        folder = target_home() / "rulesets" / id
        make_folder(folder, templates.ruleset(id))
        folder_made, name = folder, id if rulesets().get(id) == folder else str(folder)
        print(f"made {folder_made}\ntry: rulewright check {name}, rulewright rulings {name}, rulewright play {name}")
        return 0
    if sort == "copy":
        return copy_game(id, ruleset)
    base = only_ruleset() if ruleset is None else find_ruleset(ruleset)
    installed = base.is_relative_to(INSTALLED)
    if installed and sort == "ruling":
        raise UserError(
            f"'{base.name}' came with the program, and the next version would overwrite what is written there: take a "
            f"copy first, with 'rulewright new copy {base.name}'."
        )
    game = load_game(base)
    cards = base.parent.parent / "cards" / base.name
    if sort == "ruling":
        file = base / "rulings" / f"{id}.ruling"
        require_free(f"{id}_1" in game.program.rulings or f"{id}_start" in game.program.positions, id, "ruling")
        make_file(file, templates.ruling(id, game.program.seats[0]))
        print(f"made {file}\ntry: rulewright rulings {base.name} --only {id}")
        return 0
    option = example_option(game)
    if sort == "variant":
        folder, text = base / "variants" / id, templates.variant(id, game.program.id, option)
    else:
        day = datetime.date.today().isoformat()
        folder, text = cards / "errata", templates.errata(id, game.program.id, day, option)
    file = (Path.cwd() if installed else folder) / f"{id}.{sort}"  # an overlay may lie in any folder
    make_file(file, text)
    print(f"made {file}\ntry: rulewright check {base.name}+{file.name if installed else id}")
    return 0


def copy_game(id: str, ruleset: str | None) -> int:
    """The ruleset and its cards, beside one's own; from then on the id means the copy, as the nearer home wins."""
    if ruleset is not None:
        raise UserError("a copy keeps the name of its game: leave --on out.")
    base, home = find_ruleset(id), target_home()
    folders = {home / sort / base.name: base.parent.parent / sort / base.name for sort in ("cards", "rulesets")}
    for made in folders:
        require_no(made)
    for made, folder in folders.items():
        if folder.is_dir():
            files = sorted(path for path in folder.rglob("*") if path.is_file())
            make_folder(made, {str(p.relative_to(folder)): p.read_text("utf-8") for p in files})
    print(f"made {home / 'rulesets' / base.name}\ntry: rulewright check {base.name}")
    return 0


def target_home() -> Path:
    """Where a new ruleset goes: the home that contains the current folder, else the current folder."""
    current = Path.cwd().resolve()
    named = os.environ.get(HOME)
    if named and Path(named).is_dir() and not (Path(named) / "rulesets").exists():
        return Path(named).resolve()  # a home that is still empty
    for folder in homes():
        if named or current.is_relative_to(folder):
            return folder
    return current


def only_ruleset() -> Path:
    """The ruleset that contains the current folder, else the only one of the home."""
    current = Path.cwd().resolve()
    for folder in (current, *current.parents):
        if (folder / MANIFEST).is_file():
            return folder
    found = sorted(path.parent for path in (target_home() / "rulesets").glob(f"*/{MANIFEST}"))
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise UserError(f"say with --on which ruleset it is for; found: {names}.")
    return found[0]


def example_option(game: Game) -> tuple[str, str, str] | None:
    """An option with its default and another value; None if there are no options."""
    for option in game.program.options:
        info = game.program.domains.get(option.domain)
        values = dict(zip(info.values, info.ids, strict=True)) if info else {0: "false", 1: "true"}
        now = values.pop(option.default)
        return option.name, now, next(iter(values.values()))
    return None


def require_free(exists: bool, id: str, what: str) -> None:
    if exists:
        raise UserError(f"there is already a {what} '{id}': choose another name.")


def require_no(place: Path) -> None:
    if place.exists() or place.is_symlink():
        raise UserError(f"'{place}' already exists: nothing was written.")


def make_file(file: Path, text: str) -> None:
    require_no(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(file, text)


def make_folder(folder: Path, files: dict[str, str]) -> None:
    """Write a folder with all its files, moved into place when it is complete."""
    require_no(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-") as temporary:
        whole = Path(temporary) / folder.name
        for name, text in files.items():
            (whole / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomic(whole / name, text)
        shutil.move(whole, folder)
