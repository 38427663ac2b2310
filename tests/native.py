"""Marks of tests that need native code, and what plays whole games in it."""

from __future__ import annotations

import pytest

from interpreter.backends.c import host as c
from interpreter.backends.native.games import NativeGames
from interpreter.backends.wasm import host as wasm
from interpreter.rules.rules import Rules

needs_wasmtime = pytest.mark.skipif(not wasm.available(), reason="the extra `native` is not installed")
needs_compiler = pytest.mark.skipif(not c.available(), reason="there is no C compiler")


def native_games(rules: Rules) -> NativeGames:
    """What plays whole games of these rules."""
    player = rules.native
    assert isinstance(player, NativeGames)
    return player
