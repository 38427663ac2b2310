"""Counts how often rules are carried out: answers and outcomes of chance that a machine takes, natively or not."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.backends.native.module import NativeModule
from interpreter.machine.machine import Machine


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the machines that took something, one for each time, from now on."""
    found: list[str] = []

    def watch(machine: type, name: str) -> None:
        method = getattr(machine, name)

        def act(self: Any, *args: Any) -> Any:
            found.append(type(self).__name__)
            return method(self, *args)

        monkeypatch.setattr(machine, name, act)

    for machine in (Machine, NativeModule):
        for name in ("take", "draw"):
            watch(machine, name)
    return found
