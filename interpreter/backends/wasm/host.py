"""The host of a WebAssembly module: an instance in `wasmtime`, its memory as words, calls and globals.

Without the package `wasmtime` (extra `native`) there is no host, and `available` says so. What the package makes of a
module can be kept and loaded again, by the same version on the same sort of machine.
"""

from __future__ import annotations

import ctypes
import platform
import re
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from interpreter.backends.low.base.kinds import Unloadable, Unsupported
from interpreter.backends.low.form.nodes import REASON, Reason, Trapped
from interpreter.backends.wasm.binary import MEMORY, PAGE
from interpreter.core.words import Words

try:
    import wasmtime
    from wasmtime import _ffi as ffi
except ImportError:  # the extra is not installed
    wasmtime = ffi = None

WORD = ctypes.sizeof(ctypes.c_int32)
TOO_LARGE = re.compile(r".*\bexceeds?\b.*")  # what the package says of a limit of its own
SAID = 200  # characters of what the package complains that are passed on
MISSING = "the package `wasmtime` is not installed; the extra `native` installs it"


def available() -> bool:
    """True if modules can be run here."""
    return wasmtime is not None


def build() -> str:
    """The versions of runtime, system and processor to which a compiled module is bound."""
    return f"{version('wasmtime')} {sys.platform} {platform.machine()}"


def compiled(code: bytes) -> bytes:
    """A module compiled for this machine, to be kept where only its user can write. Raises Unsupported for one that is
    larger than the package takes."""
    try:
        module: Any = wasmtime.Module(wasmtime.Engine(), code)
    except wasmtime.WasmtimeError as fault:
        if found := TOO_LARGE.search(str(fault)):
            raise Unsupported(f"the module is too large: {found[0]}") from None
        raise  # of ours
    return bytes(module.serialize())


def first_line(fault: Exception) -> str:
    return str(fault).partition("\n")[0][:SAID]


class WasmInstance:
    """A module that runs: one that `compiled` gave. `memory`: its words, which stay where they are."""

    def __init__(self, native: bytes) -> None:
        """Raises Unsupported where it does not load, or has no room."""
        engine = wasmtime.Engine()
        self.store: Any = wasmtime.Store(engine)
        try:
            module = wasmtime.Module.deserialize(engine, native)
        except wasmtime.WasmtimeError as fault:
            raise Unloadable(f"it does not load: {first_line(fault)}") from None
        try:
            instance = wasmtime.Instance(self.store, module, [])
        except wasmtime.WasmtimeError as fault:  # a module that verifies has nothing else that could fail
            raise Unsupported(f"there is no room for the memory of a module: {first_line(fault)}") from None
        self.exports: Any = instance.exports(self.store)
        self._look()

    def _look(self) -> None:
        """Show the memory as it is now. Who holds a part of it holds what it belongs to."""
        memory = self.exports[MEMORY]
        words = memory.data_len(self.store) // ctypes.sizeof(ctypes.c_int32)
        address = ctypes.addressof(memory.data_ptr(self.store).contents)
        self.memory: Any = (ctypes.c_int32 * words).from_address(address)
        self.address: int = address
        self.memory.owner = self.store

    def grow(self, words: int) -> None:
        """Let the memory have so many words more, which are 0; `memory` may lie elsewhere then. Raises MemoryError."""
        try:
            self.exports[MEMORY].grow(self.store, -(-words * ctypes.sizeof(ctypes.c_int32) // PAGE))
        except wasmtime.WasmtimeError:
            raise MemoryError(f"there is no room for {words} words more in the memory of a module") from None
        self._look()

    def call(self, name: str, *args: int) -> int:
        """The result of an exported function. Raises Trapped where it gives up."""
        return self.caller(name)(*args)

    def caller(self, name: str) -> Callable[..., int]:
        """An exported function, to be called often. It raises Trapped where it gives up."""
        work = self.exports[name]
        quick = direct(self.store, work, self._trapped)
        if quick is not None:
            return quick

        def called(*args: int) -> int:
            try:
                found: int = work(self.store, *args)
            except (wasmtime.Trap, wasmtime.WasmtimeError):
                raise self._trapped() from None
            return found

        return called

    def _trapped(self) -> Trapped:
        """The trap with the reason that the module has given up for, which is cleared."""
        reason = Reason(self.get(REASON))
        self.set(REASON, 0)
        return Trapped(reason)

    def get(self, name: str) -> int:
        """The value of a global."""
        found: int = self.exports[name].value(self.store)
        return found

    def set(self, name: str, value: int) -> None:
        self.exports[name].set_value(self.store, wasmtime.Val.i64(value))

    def write(self, at: int, words: Words) -> None:
        """Copy words into memory."""
        address, count = words.buffer_info()
        ctypes.memmove(self.address + WORD * at, address, WORD * count)

    def read(self, at: int, count: int) -> bytes:
        """The words of memory from `at` on, `count` of them, as bytes."""
        return ctypes.string_at(self.address + WORD * at, WORD * count)


def direct(store: Any, work: Any, trapped: Callable[[], Exception]) -> Callable[..., int] | None:
    """A function of a module whose numbers are handed over as they lie in memory, many times as fast as the call of the
    package, which looks at their types each time; None if this version of the package has no such call. It raises what
    `trapped` gives where the function traps."""
    try:
        raw = ffi.wasmtime_val_raw_t
        address = ctypes.PYFUNCTYPE(
            ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p
        )(("wasmtime_func_call_unchecked", ffi.dll))
        context, function = ctypes.cast(store._context(), ctypes.c_void_p).value, ctypes.addressof(work._func)
        count = max(len(work.type(store).params), 1)
        delete_error, delete_trap = ffi.wasmtime_error_delete, ffi.wasm_trap_delete
    except AttributeError:
        return None
    numbers, trap = (raw * count)(), ctypes.c_void_p()
    slots = [ctypes.c_int64.from_address(ctypes.addressof(numbers) + n * ctypes.sizeof(raw)) for n in range(count)]
    first, at, trap_at = slots[0], ctypes.addressof(numbers), ctypes.addressof(trap)
    held = (store, work, numbers, trap)  # what lies at the addresses lives as long as the call

    def failed(error: int | None) -> Exception:
        if error:
            delete_error(ctypes.cast(error, ctypes.POINTER(ffi.wasmtime_error_t)))
        else:
            delete_trap(ctypes.cast(trap, ctypes.POINTER(ffi.wasm_trap_t)))
            trap.value = None
        return trapped()

    def called_with_one(number: int, _: Any = held) -> int:
        first.value = number
        error = address(context, function, at, 1, trap_at)
        if error or trap.value:
            raise failed(error)
        return first.value

    def called(*args: int, _: Any = held) -> int:
        for slot, arg in zip(slots, args, strict=False):
            slot.value = arg
        error = address(context, function, at, count, trap_at)
        if error or trap.value:
            raise failed(error)
        return first.value

    return called_with_one if len(work.type(store).params) == 1 else called
