"""Low code that tests run: printed as Python, whatever is installed."""

from __future__ import annotations

from dataclasses import replace

from interpreter.backends.low.form import nodes as low
from interpreter.backends.printed.host import PrintedInstance, compiled
from interpreter.backends.printed.text import text_of


def printed(module: low.Module) -> PrintedInstance:
    """The module, ready to run; all of its functions may be called."""
    shown = replace(module, functions=tuple(replace(f, exported=True) for f in module.functions))
    return PrintedInstance(compiled(text_of(shown).encode()), module.words)


def long_at(runner: PrintedInstance, at: int) -> int:
    """The long number at an address."""
    lower, upper = runner.memory[at : at + 2]
    return int(lower & 0xFFFFFFFF | upper << 32)
