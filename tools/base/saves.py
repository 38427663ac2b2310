"""Saved games as the command line reads them: the file, the game that it belongs to, and the state in it.

A save comes from anybody. It is read as carefully as `interpreter.restore` reads it, and it opens no files: its rules
are an id and names, looked up among the rulesets of the user and the overlays that come with them.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import interpreter.records.save as records
from dsl.driver.load import load_compiled
from dsl.driver.reference import NoSuchRules, RulesetReference, parse_reference
from dsl.program import Program
from interpreter import Game, ReplayError, SaveError, State, migrate, restore
from interpreter.rules.rules import NATIVE
from tools.base.errors import UserError, shorten
from tools.base.home import read_reference, rulesets
from tools.base.loading import load_game

MOST_BYTES = 256 * 2**20
NAMES = re.compile(r"[a-z][a-z0-9_]*(?:\+[\w-]+)*(?:@[0-9-]*(?:/[\w -]+)?)?")


WAY_OUT = "rulewright play {0} --load FILE, or --rules {0} behind replay, trace and explain"


def read_save(file: Path) -> dict[str, Any]:
    """The data of a saved game."""
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise UserError(f"'{file}' is not a saved game: it is larger than {MOST_BYTES >> 20} MB.")
        found = records.read_save(data.decode("utf-8"))
    except FileNotFoundError:
        raise UserError(f"there is no file '{file}': give the path of a saved game.") from None
    except IsADirectoryError:
        raise UserError(f"'{file}' is a folder: give the path of a saved game in it.") from None
    except PermissionError:
        raise UserError(f"'{file}' cannot be read: permission denied.") from None
    except (UnicodeDecodeError, SaveError):
        raise UserError(f"'{file}' is not a saved game: it is not JSON.") from None
    if not isinstance(found, dict) or not isinstance(found.get("ruleset"), str):
        raise UserError(f"'{file}' is not a saved game: it names no ruleset.")
    return found


def load_game_of_save(data: dict[str, Any], file: Path, ruleset: str | None = None, backend: str = NATIVE) -> Game:
    """The game that a save belongs to: the `ruleset` that the user names, or else that which the save names."""
    game = load_game(ruleset if ruleset is not None else rules_of(data, file), backend)
    if game.program.id != data["ruleset"]:
        raise UserError(
            f"'{file}' is a game of '{shorten(data['ruleset'])}', not of '{game.program.id}': give it with that "
            "ruleset."
        )
    try:
        if "log" in data:  # a game that failed before its first question has none
            records.check_head(game, data)
    except SaveError as fault:
        raise UserError(f"'{file}' is damaged as a saved game: {fault}.") from None
    return game


def name_for_command(given: str, program: Program) -> str:
    """The name by which a command finds these rules again, which somebody has `given` by a path or an id; empty where a
    save of the game leads to them."""
    try:
        found = rules_of({"ruleset": program.id, "rules": program.named}, Path())
        return "" if found == read_reference(given) else given
    except UserError:
        return given


def rules_of(data: dict[str, Any], file: Path) -> RulesetReference:
    """The rules that a save names, found among the user's own."""
    named = data.get("rules", data["ruleset"])
    known = rulesets()
    if not isinstance(named, str) or not NAMES.fullmatch(named):
        raise UserError(
            f"'{file}' names its rules as '{shorten(str(named))}', which is no name of a ruleset with its overlays: a "
            f"save opens no other files. If you trust them, name them yourself: {WAY_OUT.format('RULES')}."
        )

    def find(name: str) -> Path:
        if name not in known:
            raise UserError(
                f"'{file}' is a game of '{name}', which was not found: set RULEWRIGHT_HOME to its home folder, or give "
                f"the path of its folder: {WAY_OUT.format('PATH')}."
            )
        return known[name]

    try:
        return parse_reference(named, find, only_names=True)
    except NoSuchRules as missing:
        raise UserError(
            f"'{file}' was played with the {missing.what} '{missing.name}', which does not come with the ruleset; if "
            f"you have it, give its path: {WAY_OUT.format('RULESET+PATH')}."
        ) from None
    except ValueError:
        raise UserError(f"'{file}' is damaged as a saved game: '{shorten(named)}' names no day.") from None


def restore_game(game: Game, data: dict[str, Any], file: Path, replay_log: bool = False) -> State:
    """The state that a save holds; with `replay_log` the state that its log leads to under the present rules."""
    if not replay_log and has_other_digest(game, data):
        before = load_compiled(str(data.get("digest")))
        saved, current = str(data.get("digest", "none"))[:12], game.program.digest[:12]
        what = (
            f"changed since: {describe_difference(before, game.program)}"
            if before is not None
            else f"{saved}, here {current}"
        )
        way_out = "with --as-saved it continues under the rules that it was saved under; " if before is not None else ""
        raise UserError(
            f"'{file}' was saved under another text of {game.program.id} or by another rulewright ({what}): {way_out}"
            f"with --again its log is replayed under this one, as far as possible."
        )
    try:
        if not replay_log:
            return restore(game, data)
        moved = migrate(game, data)
        if moved.difference:
            print(
                f"note: the first {moved.kept} of {moved.lines} entries are kept. {moved.difference}", file=sys.stderr
            )
        return moved.state
    except (KeyError, TypeError, IndexError) as fault:
        raise UserError(f"'{file}' is damaged as a saved game: {shorten(str(fault))} is missing or wrong.") from None
    except SaveError as fault:
        raise UserError(f"'{file}' cannot be continued: {fault}.") from None
    except ReplayError as fault:
        raise UserError(f"'{file}' cannot be continued under this text: {fault}.") from None


def game_as_saved(data: dict[str, Any], file: Path) -> Game:
    """The game with the same rules that a save was played under, if this machine still has them."""
    program = load_compiled(str(data.get("digest")))
    if program is None:
        raise UserError(
            f"the rules that '{file}' was saved under are no longer kept here: with --again its log is replayed."
        )
    return Game(program)


def describe_difference(before: Program, now: Program) -> str:
    """The difference between two builds of a ruleset, in words: its name, or some of its files."""
    if before.named != now.named:
        return f"{before.named} then, {now.named} now"
    files = sorted(before.sources.keys() | now.sources.keys())
    changed = [f for f in files if source_text(before, f) != source_text(now, f)]
    return ", ".join(changed[:4]) + (f" and {len(changed) - 4} more" if len(changed) > 4 else "") or "rulewright itself"


def source_text(program: Program, file: str) -> str | None:
    source = program.sources.get(file)
    return source.text if source is not None else None


def has_other_digest(game: Game, data: dict[str, Any]) -> bool:
    """True for a save that was made with another text of the ruleset, or with another compiler."""
    return data.get("digest") != game.program.digest


def warn_of_other_digest(game: Game, data: dict[str, Any], file: Path) -> None:
    """Print a note if a log is read under another text than its own; its answers are matched by their words."""
    if has_other_digest(game, data):
        print(f"note: '{file}' was saved under another text of {game.program.id}.", file=sys.stderr)
