"""Programs as modules that run, from the cache or made now.

A module is kept twice: as text of its target under the digests of the ruleset and of the interpreter, and compiled for
this machine under the version of what compiles it as well. Programs without a digest
(made in tests) are made each time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import dsl
from dsl.base.cache import gc_paused, load_cached, store_cached
from dsl.base.record import dataclass
from dsl.program import Program
from interpreter.backends.analysis.fixed_seats import game_key
from interpreter.backends.low.base.kinds import Unloadable, Unsupported
from interpreter.backends.low.base.regions import Regions, Slots
from interpreter.backends.native.targets import Instance, Target, best_target
from interpreter.core.words import Words

if TYPE_CHECKING:
    from interpreter.backends.low.notes.book import Book
    from interpreter.backends.low.whole.lowering import Lowered

KEY_BYTES = 16  # of the digest of what games begin with
PLAIN, CHECKED = "plain", "checked"
"""Sorts of modules: that of a program, and the one that tests invariants and places as well."""

INTERPRETER = Path(dsl.__file__).resolve().parents[1] / "interpreter"


@dataclass(frozen=True, slots=True)
class Made:
    """A program in native code: the text of its module (empty where it is not needed any more), where things lie in
    its memory, what it gives up at, where notes of games are, if it makes any, and why courses of games cannot be
    played, if that is so; `slots`: where many games side by side are."""

    code: bytes
    regions: Regions
    gaps: tuple[str, ...]
    book: Book | None = None
    walks: str = ""
    slots: Slots | None = None


Compiled: TypeAlias = tuple[bytes, Made]
"""A module compiled for this machine, and what is known of it."""


@cache
def interpreter_digest() -> str:
    """Digest of the source of the interpreter: others never read this one's modules."""
    digest = hashlib.sha256()
    for path in sorted(INTERPRETER.rglob("*.py")):
        digest.update(path.relative_to(INTERPRETER).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def is_digested(program: Program) -> bool:
    """True for a program that has come from a folder, and not from a test."""
    return len(program.digest) == 64


def made_or_why(program: Program, sort: str, target: Target, cannot: str) -> tuple[tuple[Instance, Made] | None, str]:
    """The module of this sort, or why there is none; `cannot`: what cannot be done then."""
    if not target.available():
        return None, target.missing
    try:
        return running(program, sort, target), ""
    except Unsupported as reason:
        return None, f"{cannot} in {target.title} yet: {reason}"


def instance_for_games(program: Program, begun: Words, knowing: bool, target: Target) -> tuple[Instance, Made]:
    """The module that plays whole games from one store. Raises Unsupported where games are not played so."""
    from interpreter.backends.low.games.lowering import lower_games

    sort = f"games {knowing} {_beginning(program, begun)}"
    return running(program, sort, target, lambda: lower_games(program, begun, knowing))


def instance_for_noted_games(program: Program, begun: Words, target: Target) -> tuple[Instance, Made]:
    """The module that plays whole games at random with notes. Raises Unsupported where games are not played so."""
    from interpreter.backends.low.games.lowering import lower_noted_games

    sort = f"noted games {_beginning(program, begun)}"
    return running(program, sort, target, lambda: lower_noted_games(program, begun))


def instance_of_slots(program: Program, room: int, target: Target) -> tuple[Instance, Made]:
    """The module that steps many games side by side; `room`: the numbers of a question whose answers are numbered by
    place. Raises Unsupported."""
    from interpreter.backends.low.slots.lowering import lower_slots

    return running(program, f"slots {room}", target, lambda: lower_slots(program, room))


def _beginning(program: Program, begun: Words) -> str:
    return blake2b(repr(game_key(program, begun)).encode(), digest_size=KEY_BYTES).hexdigest()


def running(
    program: Program, sort: str, target: Target, lower: Callable[[], Lowered] | None = None
) -> tuple[Instance, Made]:
    """The module of this sort, running; one from the cache that does not load here, as when another sort of machine has
    made it, is compiled again. Raises Unsupported."""
    try:
        return loaded(compiled(program, sort, target, lower), target)
    except Unloadable:
        return loaded(compiled(program, sort, target, lower, anew=True), target)


def loaded(module: Compiled, target: Target) -> tuple[Instance, Made]:
    """A module, running. Raises Unloadable."""
    native, found = module
    return target.loaded(native, found.regions.words), found


def in_cache(program: Program, sort: str, target: Target) -> Compiled | None:
    """The compiled module of this sort, if it is in the cache."""
    if not is_digested(program):
        return None
    found = load_cached(_key(f"native {sort} {target.build()}", program))
    return found if isinstance(found, tuple) else None


def compiled(
    program: Program, sort: str, target: Target, lower: Callable[[], Lowered] | None = None, anew: bool = False
) -> Compiled:
    """The compiled module of this sort, from the cache or, if it is not there or is wanted `anew`, made now. Raises
    Unsupported."""
    if not target.available():
        raise Unsupported(target.missing)
    found = None if anew else in_cache(program, sort, target)
    if found is None:
        text = made(program, sort, target, lower)
        found = target.compiled(text.code), replace(text, code=b"")
        if is_digested(program):
            store_cached(_key(f"native {sort} {target.build()}", program), found)
    return found


def made(program: Program, sort: str, target: Target, lower: Callable[[], Lowered] | None = None) -> Made:
    """A program in native code, from the cache or written now: by `lower` if that is given. Raises Unsupported."""
    key = _key(f"{target.title} {sort}", program)
    found = load_cached(key) if is_digested(program) else None
    if isinstance(found, str):
        raise Unsupported(found)
    if isinstance(found, Made):
        return found
    try:
        with gc_paused():
            lowered = lower() if lower is not None else _lowered(program, sort)
    except Unsupported as reason:
        if is_digested(program):
            store_cached(key, str(reason))
        raise
    new = Made(
        target.written(lowered.module), lowered.regions, lowered.gaps, lowered.book, lowered.walks, lowered.slots
    )
    if is_digested(program):
        store_cached(key, new)
    return new


def gaps_of(program: Program) -> tuple[str, ...]:
    """The gaps of low code, that is, what it leaves to the reference in play, each by name. Takes up to some seconds,
    once."""
    try:
        return compiled(program, PLAIN, best_target())[1].gaps
    except Unsupported as reason:
        return (str(reason),)


def _lowered(program: Program, sort: str) -> Lowered:
    from interpreter.backends.low.whole.walking import lower_checked, lower_module  # what is in the cache does without

    return (lower_checked if sort == CHECKED else lower_module)(program)


def _key(what: str, program: Program) -> str:
    return f"{what} {program.digest} {interpreter_digest()}"
