"""From arguments of the command line to a game: compile, report errors, read options.

A ruleset with errors ends the command with code 1 after its messages; a mistake in the arguments is a `UserError`.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from dsl.base.spelling import nearest
from dsl.driver.reference import RulesetReference
from dsl.program import Program
from interpreter import Game
from interpreter.backends.native.targets import PRINTED, WASM
from interpreter.rules.rules import BACKENDS, NATIVE
from tools.base.errors import CommandEnd, UserError, shorten, unknown_message
from tools.base.home import read_reference
from tools.base.terminal import print_diagnostics

FEW = 10  # games
MAX_BROKEN = 4  # rulings that a note lists


def load_game(ruleset: str | Path | RulesetReference, backend: str = NATIVE) -> Game:
    if isinstance(ruleset, Path):
        ruleset = RulesetReference(ruleset)
    rules = read_reference(ruleset) if isinstance(ruleset, str) else ruleset
    program, diagnostics, sources = rules.compile()
    if program is None:
        print_diagnostics(diagnostics, sources, sys.stderr)
        raise CommandEnd(1, f"{rules.label} cannot be played until these errors are fixed.")
    if program.broken:
        print(f"note: {left_out_text(program)}; `rulewright check` says why.", file=sys.stderr)
    gc.freeze()  # the program stays; what the games make from here on is collected
    gc.enable()
    game = Game(program, backend)
    game.reference = rules
    return game


def left_out_text(program: Program) -> str:
    """A line that names the positions and rulings which were left out, since there are errors in them."""
    names = ", ".join(program.broken[:MAX_BROKEN])
    more = len(program.broken) - MAX_BROKEN
    what = f"broken ruling{'s' if len(program.broken) > 1 else ''} {names}" + (f" and {more} more" if more > 0 else "")
    return f"{program.named} is loaded without its {what}"


def choose_language(game: Game, wanted: str | None) -> str:
    """The language of this tag, in any case and with `_` for `-`; the first of the ruleset if none is wanted."""
    known = game.texts.languages()
    if wanted is None:
        return known[0]
    tag = wanted.replace("_", "-").casefold()
    for lang in known:
        if lang.casefold() == tag:
            return lang
    raise UserError(unknown_message("language", shorten(wanted), known, game.program.id))


def check_backend(name: str) -> str:
    """Return the name of a back end, if there is one of this name."""
    if name not in BACKENDS:
        raise UserError(unknown_message("back end", name, BACKENDS))
    return name


def choose_backend(name: str | None, games: int) -> str:
    """The name of the back end that plays so many games: the one that is asked for; else WebAssembly, made before the
    first game; without it low code printed as Python, but for a few games, in which that does not pay."""
    if name is not None and check_backend(name) != NATIVE:
        return name
    if find_spec("wasmtime") is not None:
        return WASM
    return PRINTED if name or games > FEW else NATIVE


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
