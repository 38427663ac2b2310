"""Marks of tests that need native code."""

from __future__ import annotations

import pytest

from interpreter.backends.c import host as c
from interpreter.backends.wasm import host as wasm

needs_wasmtime = pytest.mark.skipif(not wasm.available(), reason="the extra `native` is not installed")
needs_compiler = pytest.mark.skipif(not c.available(), reason="there is no C compiler")
