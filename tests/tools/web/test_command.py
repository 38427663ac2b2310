"""`rulewright serve`: what it says where something is missing, taken or wrong."""

from __future__ import annotations

import builtins
import logging
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.tools.web.server import HOME  # noqa: F401  (skips where the extra is missing)
from tools.cli import run
from tools.web.running.store import TableStore
from tools.web.server.guard import own_addresses


def told(capsys: pytest.CaptureFixture[str], *words: str, code: int = 2) -> str:
    assert run(["serve", *words]) == code
    return capsys.readouterr().err


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        message = told(capsys, "--port", str(port), "--data", str(tmp_path))
    assert f"port {port} cannot be used, it is taken by another program: give another one with --port" in message


def test_ports_that_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    for port in ("0", "70000", "-1"):
        assert "--port should be a number from 1 to 65535" in told(capsys, "--port", port)


def test_a_folder_that_keeps_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "cannot keep the tables" in told(capsys, "--port", "8461", "--data", str(tmp_path / "file"))


def test_two_servers_do_not_share_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = TableStore(tmp_path / "tables.sqlite")
    assert "cannot keep the tables: database is locked" in told(capsys, "--port", "8463", "--data", str(tmp_path))
    store.close()


def test_tables_of_another_version_are_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = TableStore(tmp_path / "tables.sqlite")
    store.base.execute("pragma user_version = 99")
    store.close()
    assert "written by another version" in told(capsys, "--port", "8464", "--data", str(tmp_path))


def test_a_ruleset_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "did you mean 'nim'" in told(capsys, "nimm", "--port", "8462", "--data", str(tmp_path))


class Kept(logging.Handler):
    """A handler of somebody else in this process; what is configured anew closes it."""

    closed = False

    def close(self) -> None:
        self.closed = True
        super().close()


def test_logs_of_others_are_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = Kept()
    told(capsys, "nimm", "--port", "8465", "--data", str(tmp_path))
    assert not own.closed


def test_the_extra_that_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in [name for name in sys.modules if name.startswith(("tools.web.serving", "uvicorn"))]:
        monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.split(".")[0] == "uvicorn":
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert "need the extra 'web': pip install 'rulewright[web]'" in told(capsys)


def test_addresses_of_this_machine_are_addresses() -> None:
    for address in own_addresses():
        socket.inet_aton(address)
