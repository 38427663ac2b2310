"""The host of a WebAssembly module: an instance in `wasmtime`, its memory as a view of words, calls and globals.

Without the package `wasmtime` (extra `native`) there is no host, and `available` says so. Compiled modules are kept in
the cache of `wasmtime` itself, never beside a ruleset.
"""

from __future__ import annotations

import ctypes
from typing import Any

from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.interpreter import Trapped
from interpreter.backends.low.form.nodes import REASON, Reason
from interpreter.backends.wasm.binary import MEMORY, PAGE, encode, pages
from interpreter.backends.wasm.code import WORD_BYTES

try:
    import wasmtime
except ImportError:  # the extra is not installed
    wasmtime = None


def available() -> bool:
    """Whether modules can be run here."""
    return wasmtime is not None


class Instance:
    """A module that runs. `memory`: its words, which stay where they are; `size`: the bytes of the module."""

    def __init__(self, module: low.Module) -> None:
        code = encode(module)
        self.size = len(code)
        engine = wasmtime.Engine()
        self.store: Any = wasmtime.Store(engine)
        instance = wasmtime.Instance(self.store, wasmtime.Module(engine, code), [])
        self.exports: Any = instance.exports(self.store)
        words = pages(module) * PAGE // WORD_BYTES
        address = ctypes.addressof(self.exports[MEMORY].data_ptr(self.store).contents)
        self.memory: Any = (ctypes.c_int32 * words).from_address(address)

    def call(self, name: str, *args: int) -> int:
        """The result of an exported function. Raises Trapped where it gives up."""
        try:
            found: int = self.exports[name](self.store, *args)
        except (wasmtime.Trap, wasmtime.WasmtimeError):
            reason = Reason(self.get(REASON))
            self.set(REASON, 0)
            raise Trapped(reason) from None
        return found

    def get(self, name: str) -> int:
        """The value of a global."""
        found: int = self.exports[name].value(self.store)
        return found

    def set(self, name: str, value: int) -> None:
        self.exports[name].set_value(self.store, wasmtime.Val.i64(value))
