"""Programs as modules that run, from the cache or made now.

A module is kept twice: as text of its target under the digests of the ruleset and of the interpreter, and compiled for
this machine under the version of what compiles it as well. Programs without a digest
(made in tests) are made each time.
"""

from __future__ import annotations

from dsl.base.cache import load_cached, store_cached
from dsl.base.record import dataclass
from dsl.program import Program
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.base.memory import Regions
from interpreter.backends.low.notes.book import Book
from interpreter.backends.low.whole.lowering import lower_with_gaps
from interpreter.backends.low.whole.walking import lower_checked, lower_walks
from interpreter.backends.low.whole.worth import lower_worth
from interpreter.backends.native.targets import Instance, Target
from interpreter.backends.python.compile.cache import generator_digest, is_digested

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
    found = made(program, sort, target)
    key = f"native {sort} {target.build()} {_key(program)}"
    native = load_cached(key) if is_digested(program) else None
    if not isinstance(native, bytes):
        native = target.compiled(found.code)
        if is_digested(program):
            store_cached(key, native)
    return target.loaded(native, found.regions.words), found


def made(program: Program, sort: str, target: Target) -> Made:
    """A program in native code. Raises Unsupported."""
    key = f"{target.title} {sort} {_key(program)}"
    found = load_cached(key) if is_digested(program) else None
    if isinstance(found, str):
        raise Unsupported(found)
    if isinstance(found, Made):
        return found
    try:
        lowered = SORTS[sort](program)
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
