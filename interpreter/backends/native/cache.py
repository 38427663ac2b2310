"""Programs as modules that run, from the cache or made now.

A module is kept twice: as text of its target under the digests of the ruleset and of the interpreter, and compiled for
this machine under the version of what compiles it as well. Programs without a digest
(made in tests) are made each time.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from dsl.base.cache import load_cached, store_cached
from dsl.base.record import dataclass
from dsl.program import Program
from interpreter.backends.analysis.fixed_seats import game_key
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.base.memory import Regions
from interpreter.backends.low.games.lowering import lower_games, lower_noted_games
from interpreter.backends.low.notes.book import Book
from interpreter.backends.low.whole.lowering import Lowered, lower_with_gaps
from interpreter.backends.low.whole.walking import lower_checked, lower_walks
from interpreter.backends.low.whole.worth import lower_worth
from interpreter.backends.native.targets import Instance, Target
from interpreter.backends.python.compile.cache import generator_digest, is_digested
from interpreter.core.words import Words

KEY_BYTES = 16  # of the digest of what games begin with
PLAYING, JUDGING, WALKING, CHECKING = "playing", "judging", "walking", "checking"
SORTS = {
    PLAYING: lower_with_gaps,
    JUDGING: lower_worth,
    WALKING: lower_walks,
    CHECKING: lower_checked,
}  # of modules: what they are for, and who makes them


@dataclass(frozen=True, slots=True)
class Made:
    """A program in native code: the text of its module, where things lie in its memory, what it gives up at, and where
    notes of games are, if it makes any."""

    code: bytes
    regions: Regions
    gaps: tuple[str, ...]
    book: Book | None = None


def made_or_why(program: Program, sort: str, target: Target, cannot: str) -> tuple[tuple[Instance, Made] | None, str]:
    """The module of this sort, or why there is none; `cannot`: what cannot be done then."""
    if not target.available():
        return None, target.missing
    try:
        return instance_of(program, sort, target), ""
    except Unsupported as reason:
        return None, f"{cannot} in {target.title} yet: {reason}"


def instance_of(program: Program, sort: str, target: Target) -> tuple[Instance, Made]:
    """The module of this sort for a program. Raises Unsupported, with a few words, for what cannot be lowered yet."""
    return _instance(program, sort, target, lambda: SORTS[sort](program))


def instance_for_games(program: Program, begun: Words, knowing: bool, target: Target) -> tuple[Instance, Made]:
    """The module that plays whole games from one store. Raises Unsupported where games are not played so."""
    sort = f"games {knowing} {_beginning(program, begun)}"
    return _instance(program, sort, target, lambda: lower_games(program, begun, knowing))


def instance_for_noted_games(program: Program, begun: Words, target: Target) -> tuple[Instance, Made]:
    """The module that plays whole games at random with notes. Raises Unsupported where games are not played so."""
    sort = f"noted games {_beginning(program, begun)}"
    return _instance(program, sort, target, lambda: lower_noted_games(program, begun))


def _beginning(program: Program, begun: Words) -> str:
    return blake2b(repr(game_key(program, begun)).encode(), digest_size=KEY_BYTES).hexdigest()


def _instance(program: Program, sort: str, target: Target, lower: Callable[[], Lowered]) -> tuple[Instance, Made]:
    if not target.available():
        raise Unsupported(target.missing)
    found = _made(program, sort, target, lower)
    key = f"native {sort} {target.build()} {_key(program)}"
    native = load_cached(key) if is_digested(program) else None
    if not isinstance(native, bytes):
        native = target.compiled(found.code)
        if is_digested(program):
            store_cached(key, native)
    return target.loaded(native, found.regions.words), found


def made(program: Program, sort: str, target: Target) -> Made:
    """A program in native code. Raises Unsupported."""
    return _made(program, sort, target, lambda: SORTS[sort](program))


def _made(program: Program, sort: str, target: Target, lower: Callable[[], Lowered]) -> Made:
    key = f"{target.title} {sort} {_key(program)}"
    found = load_cached(key) if is_digested(program) else None
    if isinstance(found, str):
        raise Unsupported(found)
    if isinstance(found, Made):
        return found
    try:
        lowered = lower()
    except Unsupported as reason:
        if is_digested(program):
            store_cached(key, str(reason))
        raise
    new = Made(target.written(lowered.module), lowered.regions, lowered.gaps, lowered.book)
    if is_digested(program):
        store_cached(key, new)
    return new


def _key(program: Program) -> str:
    return f"{program.digest} {generator_digest().hex()}"
