"""All rulesets have native code for all that they say, and no instruction lies between two procedures."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl import ir
from interpreter.backends.low.whole.walking import lower_checked, lower_module
from interpreter.backends.native.cache import PLAIN, in_cache
from interpreter.backends.native.targets import WASM, target_called
from tests.conformance.tables import folders, is_large, load
from tests.native import needs_wasmtime


@needs_wasmtime
@pytest.mark.parametrize("path", folders(), ids=lambda path: path.name)
def test_nothing_is_left_to_the_reference(path: Path) -> None:
    program = load(str(path)).program
    kept = in_cache(program, PLAIN, target_called(WASM))
    made = lower_module(program) if kept is None else kept[1]
    assert made.gaps == () and made.walks == ""


@pytest.mark.parametrize(
    "path", [pytest.param(p, marks=[pytest.mark.soak] if is_large(p) else []) for p in folders()], ids=lambda p: p.name
)
def test_nothing_of_it_is_left_where_invariants_are_tested(path: Path) -> None:
    assert lower_checked(load(str(path)).program).gaps == ()


@pytest.mark.parametrize("path", folders(), ids=lambda path: path.name)
def test_every_instruction_belongs_to_a_procedure(path: Path) -> None:
    """A procedure goes from its entry to the instruction with which it is left; nothing lies between two of them."""
    program = load(str(path)).program
    entries = sorted(p.entry for p in program.procs if p.suspends)
    ends = [pc + 1 for pc, i in enumerate(program.code) if isinstance(i, ir.Leave)]
    assert entries == [1, *ends[:-1]]  # `End` comes first
    assert ends[-1] == len(program.code)
