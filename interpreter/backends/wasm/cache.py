"""Programs as modules that run, from the cache or made now.

A module is kept twice: as bytes of WebAssembly under the digests of the ruleset and of the interpreter, and compiled
for this machine under the version of `wasmtime` as well. Programs without a digest (made in tests) are made each time.
"""

from __future__ import annotations

from dsl.base.cache import load_cached, store_cached
from dsl.base.record import dataclass
from dsl.program import Program
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.base.memory import Regions
from interpreter.backends.low.whole.lowering import lower_with_gaps
from interpreter.backends.low.whole.worth import lower_worth
from interpreter.backends.python.compile.cache import generator_digest, is_digested
from interpreter.backends.wasm.binary import encode
from interpreter.backends.wasm.host import Instance, build, compiled

PLAYING, JUDGING = "playing", "judging"
SORTS = {PLAYING: lower_with_gaps, JUDGING: lower_worth}  # of modules: what they are for, and who makes them


@dataclass(frozen=True, slots=True)
class Made:
    """A program in WebAssembly: the bytes of its module, where things lie in its memory, and what it gives up at."""

    code: bytes
    regions: Regions
    gaps: tuple[str, ...]


def instance_of(program: Program, sort: str) -> tuple[Instance, Made]:
    """The module of this sort for a program. Raises Unsupported, with a few words, for what cannot be lowered yet."""
    found = made(program, sort)
    key = f"native {sort} {build()} {_key(program)}"
    native = load_cached(key) if is_digested(program) else None
    if not isinstance(native, bytes):
        native = compiled(found.code)
        if is_digested(program):
            store_cached(key, native)
    return Instance(native), found


def made(program: Program, sort: str) -> Made:
    """A program in WebAssembly. Raises Unsupported."""
    key = f"wasm {sort} {_key(program)}"
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
    new = Made(encode(lowered.module), lowered.regions, lowered.gaps)
    if is_digested(program):
        store_cached(key, new)
    return new


def _key(program: Program) -> str:
    return f"{program.digest} {generator_digest().hex()}"
