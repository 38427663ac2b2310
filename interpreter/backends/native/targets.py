"""The targets of low code: WebAssembly for any machine with `wasmtime`, C where there is a compiler, and Python
(printed code) for the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from dsl.base.record import dataclass
from interpreter.backends.low.form import nodes as low
from interpreter.core.words import Words

WASM, C, PRINTED = "wasm", "c", "printed"


class Instance(Protocol):
    """A module that runs. `memory`: its words, which stay where they are; `write` and `read` copy many at once."""

    memory: Any

    def call(self, name: str, *args: int) -> int: ...
    def caller(self, name: str) -> Callable[..., int]: ...
    def get(self, name: str) -> int: ...
    def set(self, name: str, value: int) -> None: ...
    def write(self, at: int, words: Words) -> None: ...
    def read(self, at: int, count: int) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Target:
    """A target of low code. `title`: for people; `missing`: why nothing runs where `available` says no; `build`: what
    compiled code is bound to; `written`: a module as the bytes of its text; `compiled`: such bytes for this machine;
    `loaded`: these, running, with so many words of memory."""

    title: str
    missing: str
    available: Callable[[], bool]
    build: Callable[[], str]
    written: Callable[[low.Module], bytes]
    compiled: Callable[[bytes], bytes]
    loaded: Callable[[bytes, int], Instance]


TARGETS = (WASM, C, PRINTED)


def best_target() -> Target:
    """The target that is taken where none is asked for: the quickest that needs no compiler."""
    from interpreter.backends.wasm import host as wasm

    return target_called(WASM if wasm.available() else PRINTED)


def target_called(name: str) -> Target:
    """The target of this name; its modules are loaded only here, since they take long."""
    if name == C:
        from interpreter.backends.c import host as c
        from interpreter.backends.c.text import text_of

        return Target("C", c.MISSING, c.available, c.build, lambda m: text_of(m).encode(), c.compiled, c.CInstance)
    if name == PRINTED:
        from interpreter.backends.printed import host as printed
        from interpreter.backends.printed.text import text_of as printed_text

        def written(module: low.Module) -> bytes:
            return printed_text(module).encode()

        runs = printed.PrintedInstance
        return Target("printed Python", "", printed.available, printed.build, written, printed.compiled, runs)
    from interpreter.backends.wasm import host as wasm
    from interpreter.backends.wasm.binary import encode

    def loaded(native: bytes, _: int) -> Instance:
        return wasm.WasmInstance(native)

    return Target("WebAssembly", wasm.MISSING, wasm.available, wasm.build, encode, wasm.compiled, loaded)
