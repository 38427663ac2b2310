"""The bytes of a WebAssembly module (version 1, with bulk memory): its types, functions, memory, globals and data.

Takes a module in low form that verifies. The memory has as many pages as are needed, and the host may let it grow; the
exports are the functions that the host may call, all globals, and the memory.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from interpreter.backends.low.form import nodes as low
from interpreter.backends.wasm.code import END, I32_CONST, I64, I64_CONST, WORD_BYTES, WasmBody, signed, unsigned

MAGIC = b"\0asm" + struct.pack("<I", 1)
PAGE = 65_536  # bytes
MEMORY = "memory"  # its name among the exports
FUNCTION_EXPORT, MEMORY_EXPORT, GLOBAL_EXPORT = 0, 2, 3


def encode(module: low.Module) -> bytes:
    """The module as bytes."""
    functions = {f.name: n for n, f in enumerate(module.functions)}
    global_numbers = {name: n for n, name in enumerate(module.globals)}
    arities = sorted({len(f.params) for f in module.functions})
    types = {arity: n for n, arity in enumerate(arities)}
    size = pages(module)
    exports = [export(f.name, FUNCTION_EXPORT, functions[f.name]) for f in module.functions if f.exported]
    exports += [export(name, GLOBAL_EXPORT, n) for name, n in global_numbers.items()]
    exports.append(export(MEMORY, MEMORY_EXPORT, 0))
    zero = bytes((I64, 1, I64_CONST, 0, END))
    return MAGIC + b"".join(
        (
            section(1, [function_type(arity) for arity in arities]),
            section(3, [unsigned(types[len(f.params)]) for f in module.functions]),
            section(5, [b"\x00" + unsigned(size)]),
            section(6, [zero] * len(global_numbers)),
            section(7, exports),
            section(10, [WasmBody(f, functions, global_numbers).bytes() for f in module.functions]),
            section(11, [data(at, words) for at, words in module.data]),
        )
    )


def pages(module: low.Module) -> int:
    """The pages of the memory."""
    return -(-module.words * WORD_BYTES // PAGE)


def section(number: int, items: Sequence[bytes]) -> bytes:
    """A section that is a row of items; nothing where there are none."""
    if not items:
        return b""
    content = unsigned(len(items)) + b"".join(items)
    return bytes((number,)) + unsigned(len(content)) + content


def function_type(arity: int) -> bytes:
    """The type of a function with so many numbers as parameters, and one as result."""
    return b"\x60" + unsigned(arity) + bytes((I64,)) * arity + bytes((1, I64))


def export(name: str, kind: int, number: int) -> bytes:
    text = name.encode()
    return unsigned(len(text)) + text + bytes((kind,)) + unsigned(number)


def data(at: int, words: tuple[int, ...]) -> bytes:
    """Words that stand in memory at the start."""
    content = struct.pack(f"<{len(words)}I", *(w & 0xFFFFFFFF for w in words))
    place = bytes((0, I32_CONST)) + signed(at * WORD_BYTES) + bytes((END,))
    return place + unsigned(len(content)) + content
