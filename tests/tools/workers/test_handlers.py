"""Traps of native code are caught, whatever another library did to the handlers of signals."""

from __future__ import annotations

import subprocess
import sys

import pytest

TRAP = """
import faulthandler
faulthandler.enable()
import wasmtime
from tools.workers.cluster import connected
from tools.workers.handlers import kept_handlers

store = wasmtime.Store()
code = wasmtime.Module(store.engine, '(module (func (export "f") unreachable))')
trapping = wasmtime.Instance(store, code, []).exports(store)["f"]
def trapped():
    try:
        trapping(store)
    except wasmtime.Trap:
        print("caught", flush=True)
trapped()
"""


def caught(program: str) -> int:
    """How many traps a process caught that then ended as it should; -1 if it did not."""
    found = subprocess.run([sys.executable, "-c", TRAP + program], capture_output=True, text=True, timeout=300)
    return found.stdout.count("caught") if found.returncode == 0 else -1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems end otherwise")
def test_handlers_that_are_not_kept_end_the_process() -> None:
    assert caught("faulthandler.disable()\ntrapped()\n") == -1


def test_kept_handlers_catch_the_next_trap() -> None:
    assert caught("with kept_handlers():\n    faulthandler.disable()\ntrapped()\n") == 2


def test_a_cluster_leaves_the_handlers_of_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="the extra `ray` is not installed")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert caught("with connected(1):\n    trapped()\ntrapped()\n") == 3
