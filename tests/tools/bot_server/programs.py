"""The programs of docs/bots.md as files, and servers for them to talk to. It is not a test itself."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
FENCE = re.compile(r"^```\w+\n(?:#|//) (\S+?\.\w+)\b(.*?)^```$", re.MULTILINE | re.DOTALL)
SERVER = [sys.executable, "-m", "tools", "bot-server"]


def environment(folder: Path) -> dict[str, str]:
    """One in which `rulewright` is this checkout."""
    command = folder / "rulewright"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tools "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    paths = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    return os.environ | paths | {"RULEWRIGHT_HOME": str(ROOT)}


def write_programs(folder: Path) -> None:
    for name, text in FENCE.findall((ROOT / "docs/bots.md").read_text(encoding="utf-8")):
        comment = "//" if name.endswith(".js") else "#"
        (folder / name).write_text(f"{comment} {name}{text}", encoding="utf-8")


def node() -> str:
    """The path of Node; without it the test is skipped."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("`node` is not installed")
    return found


@contextmanager
def listening() -> Iterator[dict[str, Any]]:
    """A server on a socket; what its first line says."""
    child = subprocess.Popen([*SERVER, "--port", "0"], cwd=ROOT, stdout=subprocess.PIPE)
    assert child.stdout is not None
    try:
        yield json.loads(child.stdout.readline())
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
