"""The host of a WebAssembly module: an instance in `wasmtime`, its memory as words, calls and globals.

Without the package `wasmtime` (extra `native`) there is no host, and `available` says so. What the package makes of a
module can be kept and loaded again, by the same version on the same sort of machine.
"""

from __future__ import annotations

import ctypes
import platform
import sys
from importlib.metadata import version
from typing import Any

from interpreter.backends.low.form.interpreter import Trapped
from interpreter.backends.low.form.nodes import REASON, Reason
from interpreter.backends.wasm.binary import MEMORY

try:
    import wasmtime
except ImportError:  # the extra is not installed
    wasmtime = None


def available() -> bool:
    """Whether modules can be run here."""
    return wasmtime is not None


def build() -> str:
    """What a compiled module is bound to."""
    return f"{version('wasmtime')} {sys.platform} {platform.machine()}"


def compiled(code: bytes) -> bytes:
    """A module compiled for this machine, to be kept where only its user can write."""
    module: Any = wasmtime.Module(wasmtime.Engine(), code)
    return bytes(module.serialize())


class Instance:
    """A module that runs: one that `compiled` gave. `memory`: its words, which stay where they are."""

    def __init__(self, native: bytes) -> None:
        engine = wasmtime.Engine()
        self.store: Any = wasmtime.Store(engine)
        instance = wasmtime.Instance(self.store, wasmtime.Module.deserialize(engine, native), [])
        self.exports: Any = instance.exports(self.store)
        memory = self.exports[MEMORY]
        words = memory.data_len(self.store) // ctypes.sizeof(ctypes.c_int32)
        address = ctypes.addressof(memory.data_ptr(self.store).contents)
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
