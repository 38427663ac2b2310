"""The text of a module in Python: a function for each of its functions, its globals, and what the host looks for.

Takes a module in low form that verifies. The host runs the text among the names of `runtime` and the memory `M`.
"""

from __future__ import annotations

import struct

from interpreter.backends.low.form import nodes as low
from interpreter.backends.printed.body import PrintedBody
from interpreter.backends.printed.expressions import PythonNames
from interpreter.backends.printed.facts import ModuleFacts

GLOBALS, EXPORTS, DATA = "GLOBALS", "EXPORTS", "DATA"
"""The interface of the host: the names in Python of globals and of exported functions, and the words that stand in
memory at the start, as addresses with bytes."""


def text_of(module: low.Module) -> str:
    """The module in Python. Raises Unsupported for loops that are nested more deeply than Python allows."""
    functions = {f.name: f"f{n}" for n, f in enumerate(module.functions)}
    names = PythonNames(functions, {name: f"g{n}" for n, name in enumerate(module.globals)})
    facts = ModuleFacts(module)
    exports = {f.name: functions[f.name] for f in module.functions if f.exported}
    parts = [f"{name} = 0" for name in names.globals.values()]
    parts += [PrintedBody(f, facts, names).text() for f in module.functions]
    data = ", ".join(f"({at}, {packed(words)!r})" for at, words in module.data)
    parts += [f"{GLOBALS} = {names.globals!r}", f"{EXPORTS} = {exports!r}", f"{DATA} = [{data}]", ""]
    return "\n".join(parts)


def packed(words: tuple[int, ...]) -> bytes:
    """Words as bytes, the lower ones first."""
    return struct.pack(f"<{len(words)}I", *(w & 0xFFFFFFFF for w in words))
