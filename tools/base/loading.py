"""From arguments of the command line to a game: compile, report errors, read options and saved games.

A ruleset with errors ends the command with code 1 after its messages; a mistake in the arguments is a `UserError`.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dsl.base.spelling import nearest
from dsl.driver.load import load_compiled
from dsl.driver.reference import RulesetReference
from dsl.program import Program
from interpreter import Game, ReplayError, SaveError, State, migrate, restore
from interpreter.rules.rules import PYTHON, REFERENCE
from tools.base.errors import Stop, UserError, shorten, unknown_message
from tools.base.home import read_reference, rulesets
from tools.base.terminal import use_colour


def load_game(ruleset: str | Path | RulesetReference, backend: str = PYTHON) -> Game:
    if isinstance(ruleset, Path):
        ruleset = RulesetReference(ruleset)
    rules = read_reference(ruleset) if isinstance(ruleset, str) else ruleset
    program, diagnostics, sources = rules.compile()
    if program is None:
        from dsl.diagnostics.render import render_text

        print(render_text(diagnostics, sources, use_colour(sys.stderr)), file=sys.stderr)
        raise Stop(1, f"{rules.label} cannot be played until these errors are fixed.")
    gc.freeze()  # the program stays; what the games make from here on is collected
    gc.enable()
    return Game(program, backend)


def check_backend(name: str) -> str:
    """Return the name of a back end, if there is one of this name."""
    if name not in (PYTHON, REFERENCE):
        raise UserError(unknown_message("back end", name, (PYTHON, REFERENCE)))
    return name


def parse_options(game: Game, options: Sequence[str], preset: str | None = None) -> dict[str, str]:
    """Options from `name=value` arguments, which override those of a preset."""
    declared = {o.name: o for o in game.program.options}
    found: dict[str, str] = {}
    if preset is not None:
        presets = game.program.presets
        if preset not in presets:
            raise UserError(unknown_message("preset", preset, presets))
        found.update(presets[preset])
    for text in options:
        name, equals, value = text.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name:
            raise UserError(f"an option is written name=value, but '{shorten(text)}' was given.")
        if name not in declared:
            raise UserError(unknown_message("option", name, declared))
        members = members_of(game, declared[name].domain)
        if value not in members:
            guess = nearest(value, members)
            hint = f"did you mean '{guess}'?" if guess else f"it is {' or '.join(members)}."
            raise UserError(f"option {name} cannot be '{shorten(value)}': {hint}")
        found[name] = value
    return found


def members_of(game: Game, domain: str) -> tuple[str, ...]:
    info = game.program.domains.get(domain)
    return info.ids if info is not None else ("true", "false")


def read_save(file: Path) -> dict[str, Any]:
    """The JSON of a saved game."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"there is no file '{file}': give the path of a saved game.") from None
    except IsADirectoryError:
        raise UserError(f"'{file}' is a folder: give the path of a saved game in it.") from None
    except PermissionError:
        raise UserError(f"'{file}' cannot be read: permission denied.") from None
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise UserError(f"'{file}' is not a saved game: it is not JSON.") from None
    if not isinstance(data, dict) or not isinstance(data.get("ruleset"), str):
        raise UserError(f"'{file}' is not a saved game: it names no ruleset.")
    return data


def load_game_of_save(data: dict[str, Any], file: Path, ruleset: str | None = None, backend: str = PYTHON) -> Game:
    """The game that a save belongs to, found by the name of its rules unless a ruleset is given."""
    if ruleset is None and data["ruleset"] not in rulesets():
        raise UserError(
            f"'{file}' is a game of '{data['ruleset']}', which was not found: set RULEWRIGHT_HOME to its home folder."
        )
    game = load_game(ruleset or str(data.get("rules", data["ruleset"])), backend)
    if game.program.id != data["ruleset"]:
        raise UserError(
            f"'{file}' is a game of '{data['ruleset']}', not of '{game.program.id}': give it with that ruleset."
        )
    return game


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
    """What differs between two builds of a ruleset: its name, or some of its files."""
    if before.named != now.named:
        return f"{before.named} then, {now.named} now"
    files = sorted(before.sources.keys() | now.sources.keys())
    changed = [f for f in files if source_text(before, f) != source_text(now, f)]
    return ", ".join(changed[:4]) + (f" and {len(changed) - 4} more" if len(changed) > 4 else "") or "rulewright itself"


def source_text(program: Program, file: str) -> str | None:
    source = program.sources.get(file)
    return source.text if source is not None else None


def has_other_digest(game: Game, data: dict[str, Any]) -> bool:
    """Whether a save was made with another text of the ruleset, or with another compiler."""
    return data.get("digest") != game.program.digest


def warn_of_other_digest(game: Game, data: dict[str, Any], file: Path) -> None:
    """Print a note if a log is read under another text than its own; its answers are matched by their words."""
    if has_other_digest(game, data):
        print(f"note: '{file}' was saved under another text of {game.program.id}.", file=sys.stderr)
