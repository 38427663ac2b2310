"""A small client of the Language Server Protocol: a server as a process, messages over its pipes.

Texts are edited as an editor would: `Editor` keeps the text of a file and counts positions in UTF-16.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 60.0


class Client:
    def __init__(self, folder: Path, lang: str = "en", locale: str = "") -> None:
        """`lang`: the language that is chosen in the settings; `locale`: that of the editor."""
        command = [sys.executable, "-m", "tools", "lsp"]
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, cwd=ROOT, env=dict(os.environ), **pipes)
        self.number = 0
        self.received: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.replies: dict[int, dict[str, Any]] = {}
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.logged: list[str] = []
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.drain, daemon=True).start()
        self.capabilities = self.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": folder.as_uri(),
                "capabilities": {},
                **({"initializationOptions": {"language": lang}} if lang else {}),
                **({"locale": locale} if locale else {}),
            },
        )["capabilities"]
        self.notify("initialized", {})

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    # ------------------------------------------------------------ messages

    def read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while True:
            length = 0
            while (line := out.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if length == 0:
                self.received.put(None)
                return
            self.received.put(json.loads(out.read(length)))

    def drain(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.logged.append(line.decode(errors="replace"))

    def send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def begin(self, method: str, params: Any) -> int:
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def ask(self, method: str, params: Any) -> Any:
        """The result of a request; its error is raised."""
        reply = self.reply(self.begin(method, params))
        if "error" in reply:
            raise Failed(reply["error"]["message"], reply["error"]["code"])
        return reply["result"]

    def reply(self, number: int) -> dict[str, Any]:
        self.until(lambda: number in self.replies, f"reply {number}")
        return self.replies.pop(number)

    def until(self, done: Any, what: str) -> None:
        """Listen until a condition holds."""
        end = time.monotonic() + PATIENCE
        while not done():
            try:
                message = self.received.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"waited in vain for {what}\n{''.join(self.logged)}") from None
            if message is None:
                raise AssertionError(f"the server ended before {what}\n{''.join(self.logged)}")
            if message.get("method") == "textDocument/publishDiagnostics":
                self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
            elif message.get("method") == "window/logMessage":
                self.logged.append(message["params"]["message"])
                assert message["params"]["type"] != 1, self.logged[-1]  # a fault of the server
            elif "id" in message and "method" not in message:
                self.replies[message["id"]] = message

    # ------------------------------------------------------------ work

    def open(self, path: Path, text: str | None = None) -> Editor:
        return Editor(self, path, path.read_text(encoding="utf-8") if text is None else text)

    def warm(self, editor: Editor) -> None:
        """Wait for the first check, which finds an undeclared name."""
        line = editor.text
        editor.change(line + "\nvalue zzz_warm: int = zzz_missing\n")
        editor.wait(lambda found: any("zzz_missing" in d["message"] for d in found))
        editor.change(line)
        editor.wait(lambda found: not any("zzz" in d["message"] for d in found))


class Failed(Exception):
    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Editor:
    """A file that is open in the editor."""

    def __init__(self, client: Client, path: Path, text: str) -> None:
        self.client, self.text, self.version = client, text, 1
        self.uri = path.as_uri()
        document = {"uri": self.uri, "languageId": "rules", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, text: str) -> None:
        self.version += 1
        self.text = text
        document = {"uri": self.uri, "version": self.version}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def type(self, offset: int, words: str, instead: int = 0) -> None:
        """Replace `instead` signs at an offset by words, as one incremental change."""
        self.version += 1
        around = {"start": self.position(offset), "end": self.position(offset + instead)}
        self.text = self.text[:offset] + words + self.text[offset + instead :]
        document = {"uri": self.uri, "version": self.version}
        change = {"range": around, "text": words}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def close(self) -> None:
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})

    def position(self, offset: int) -> dict[str, int]:
        before = self.text[:offset]
        start = before.rfind("\n") + 1
        return {"line": before.count("\n"), "character": len(before[start:].encode("utf-16-le")) // 2}

    def at(self, words: str, inside: int = 1, nth: int = 0) -> dict[str, Any]:
        """Parameters of a request about a place inside of some words of the text."""
        offset = -1
        for _ in range(nth + 1):
            offset = self.text.index(words, offset + 1)
        return {"textDocument": {"uri": self.uri}, "position": self.position(offset + inside)}

    def words(self, range: dict[str, Any]) -> str:
        """The text of a range of this file, which is counted in UTF-16."""
        lines = self.text.split("\n")
        start, end = range["start"], range["end"]

        def part(line: str, first: int, last: int | None) -> str:
            data = line.encode("utf-16-le")
            return data[2 * first : None if last is None else 2 * last].decode("utf-16-le")

        if start["line"] == end["line"]:
            return part(lines[start["line"]], start["character"], end["character"])
        middle = lines[start["line"] + 1 : end["line"]]
        first = part(lines[start["line"]], start["character"], None)
        return "\n".join([first, *middle, part(lines[end["line"]], 0, end["character"])])

    @property
    def found(self) -> list[dict[str, Any]]:
        return self.client.diagnostics.get(self.uri, [])

    def wait(self, holds: Any) -> list[dict[str, Any]]:
        """Listen until the messages about this file are as they should be."""
        self.client.until(lambda: holds(self.found), f"messages about {self.uri}; last: {self.found}")
        return self.found


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """A text with edits made, whose positions are counted in UTF-16."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(position: dict[str, int]) -> int:
        if position["line"] >= len(lines):
            return len(text)
        data = lines[position["line"]].encode("utf-16-le")
        return starts[position["line"]] + len(data[: 2 * position["character"]].decode("utf-16-le"))

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        start, end = (offset(edit["range"][key]) for key in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text
