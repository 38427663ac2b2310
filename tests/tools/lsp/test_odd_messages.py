"""What editors should never send: messages that cannot be read, wrong parameters, odd addresses, texts and places. Each
request has an answer, nothing is logged with a stack, and the server goes on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.spiel.extras import require
from tests.tools.lsp.client import ROOT, Client

require("pygls", "lsp")

from tools.lsp.protocol import differing  # noqa: E402

HOVER = "textDocument/hover"
GOOD = "value one: int = 1\nvalue two: int = one + 1\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with Client(tmp_path_factory.mktemp("home")) as client:
        yield client


@pytest.fixture
def client(server: Client) -> Iterator[Client]:
    yield server
    assert server.ask(HOVER, place("file:///nowhere.rules")) is None, "it goes on"
    assert not [line for line in server.logged if "Traceback" in line or "rror in" in line]


def place(uri: str, line: int = 0, character: int = 0) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def raw(client: Client, data: bytes) -> None:
    assert client.process.stdin is not None
    client.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
    client.process.stdin.flush()


def refusal(client: Client, data: bytes, id_: int | None) -> int:
    """The code of the error with which a message is answered."""
    raw(client, data)
    client.until(lambda: id_ in client.replies, f"an answer to {data[:80]!r}")
    return int(client.replies.pop(id_)["error"]["code"])  # type: ignore[arg-type]


# ---------------------------------------------------------------- messages


UNREADABLE = {
    "no JSON": b"{nonsense", "no UTF-8": b"\xff\xfe{}", "nested too deeply": b"[" * 200_000,
    "cut off": b'{"id": 5, "meth', "a number of many digits": b'{"id": ' + b"9" * 5_000 + b"}",
}  # fmt: skip
NO_MESSAGES = {
    "a list": (b"[]", None), "a batch": (b'[{"jsonrpc": "2.0", "id": 5, "method": "shutdown"}]', None),
    "a number": (b"12", None), "nothing": (b"null", None), "a text": (b'"shutdown"', None),
    "no version": (b'{"id": 50, "method": "shutdown"}', 50), "no method": (b'{"jsonrpc": "2.0", "id": 51}', 51),
    "a method that is a number": (b'{"jsonrpc": "2.0", "id": 52, "method": 7}', 52),
}  # fmt: skip
POSITION: Any = {"line": 0, "character": 0}
WRONG: dict[str, Any] = {
    "a list": [1], "nothing": None, "no position": {"textDocument": {"uri": "file:///a.rules"}},
    "a line below 0": place("file:///a.rules", -1, 0), "a huge line": place("file:///a.rules", 10**30, 0),
    "a place in words": {"textDocument": {"uri": "file:///a.rules"}, "position": {"line": "first", "character": {}}},
    "no address": {"textDocument": {}, "position": POSITION},
    "a message in a message": {"textDocument": {"uri": "x", "jsonrpc": "2.0", "id": 1}, "position": POSITION},
}  # fmt: skip


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_refused(name: str, client: Client) -> None:
    assert refusal(client, UNREADABLE[name], None) == -32700


@pytest.mark.parametrize("name", NO_MESSAGES)
def test_what_is_no_message_is_refused(name: str, client: Client) -> None:
    assert refusal(client, *NO_MESSAGES[name]) == -32600


@pytest.mark.parametrize("name", WRONG)
def test_a_request_with_wrong_parameters_has_an_answer(name: str, client: Client) -> None:
    message = {"jsonrpc": "2.0", "id": 70, "method": HOVER, "params": WRONG[name]}
    assert refusal(client, json.dumps(message).encode(), 70) == -32602


def test_unknown_requests_are_refused_and_unknown_notices_passed_over(client: Client) -> None:
    message = {"jsonrpc": "2.0", "id": 71, "method": "textDocument/nonsense", "params": {}}
    assert refusal(client, json.dumps(message).encode(), 71) == -32601
    for method in ("$/nonsense", "textDocument/nonsense", ""):
        client.notify(method, {"a": [1]})
    for head in (b"Content-Length: abc\r\n\r\n", b"Content-Length: -5\r\n\r\n", b"Other: 1\r\n\r\n", b"\r\n\r\n"):
        assert client.process.stdin is not None
        client.process.stdin.write(head)
    raw(client, b'{"jsonrpc": "2.0", "id": 999, "result": null}')  # an answer to nothing


# ---------------------------------------------------------------- addresses and texts


QUESTIONS = (
    HOVER, "textDocument/definition", "textDocument/references", "textDocument/completion",
    "textDocument/prepareRename", "textDocument/rename", "textDocument/formatting", "textDocument/codeAction",
    "textDocument/semanticTokens/full", "textDocument/documentSymbol", "textDocument/foldingRange",
)  # fmt: skip
ABOUT_A_PLACE = QUESTIONS[:6]
PLACES = ((0, 0), (0, 2_000_000_000), (2_000_000_000, 5), (1, 1))
ADDRESSES = (
    "", "untitled:Untitled-1", "http://example.com/a.rules", "file:///a%00b.rules", "file:///%FF%FE.rules", "file://",
    "file:///", "::::", "file:///dev/null", "file:///proc/self/mem.yaml", "file:///a/../../x.rules", "C:\\a.rules",
    "file:///%ED%A0%80.rules", "file:///" + "a" * 5_000 + ".rules", "file:///a.rules?x=1#y", "file:///\u202ea.rules",
)  # fmt: skip
TEXTS = {
    "empty": "", "zeros": "\x00" * 1000, "half signs": "value a: int = \ud800\n# \udfff\n",
    "signs of two units": "value a\U0001f600: int = b \U0001f600\n", "other ends of lines": "value a: int = b\rkind\r",
    "acting signs": "value \u202ea: int = 1\u2028\u2029\x85\x1b[2J\n", "brackets": "(" * 50_000,
    "one long line": "value a: int = " + "b + " * 5_000 + "c\n", "empty lines": "\n" * 100_000,
    "100,000 lines": "value a:int=1\n" + "# nothing\n" * 100_000 + "value b:int=a\n",
    "a staircase": "".join("    " * n + "if a\n" for n in range(300)),
    "an open text": '"' + "x" * 100_000,
}  # fmt: skip


def ask_all(client: Client, uri: str) -> None:
    """Every question about a few places of a document has an answer, or is refused for a reason."""
    for method in QUESTIONS:
        for line, character in PLACES if method in ABOUT_A_PLACE else PLACES[:1]:
            around = {"start": {"line": line, "character": character}, "end": {"line": 0, "character": 0}}
            asked = {
                **place(uri, line, character), "newName": "abc", "range": around,
                "context": {"includeDeclaration": True, "diagnostics": [], "triggerKind": 1},
                "options": {"tabSize": 4, "insertSpaces": True},
            }  # fmt: skip
            reply = client.reply(client.begin(method, asked))
            assert "error" not in reply or reply["error"]["code"] == -32602, (method, reply)


def open_text(client: Client, uri: str, text: str) -> None:
    client.notify(
        "textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "rules", "version": 1, "text": text}}
    )


@pytest.mark.parametrize("uri", ADDRESSES)
def test_an_address_may_be_anything(uri: str, client: Client) -> None:
    open_text(client, uri, GOOD)
    ask_all(client, uri)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_may_be_anything(name: str, client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "stray.rules").as_uri()
    open_text(client, uri, TEXTS[name])
    ask_all(client, uri)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_changes_may_lie_outside_of_the_text_or_of_all_documents(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "stray.rules").as_uri()
    open_text(client, uri, GOOD)

    def change(number: int, start: tuple[int, int], end: tuple[int, int], text: str, where: str = uri) -> None:
        around = {
            "start": {"line": start[0], "character": start[1]}, "end": {"line": end[0], "character": end[1]}
        }  # fmt: skip
        document = {"uri": where, "version": number}
        changes = [{"range": around, "text": text}]
        client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    change(2, (0, 9_999), (9_999, 9_999), "")
    change(3, (9_999, 0), (0, 0), "x")
    change(-1, (0, 5), (0, 1), "\ud83d")
    change(1, (0, 0), (0, 0), "y", (tmp_path / "never_opened.rules").as_uri())
    ask_all(client, uri)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_a_ruleset_may_be_taken_away_while_it_is_open(client: Client, tmp_path: Path) -> None:
    folder = tmp_path / "rulesets" / "nim"
    shutil.copytree(ROOT / "rulesets" / "nim", folder)
    game = client.open(next(folder.glob("*.rules")))
    client.warm(game)
    shutil.rmtree(folder)
    ask_all(client, game.uri)
    game.change(game.text + "value odd: int = nothing\n")
    ask_all(client, game.uri)
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": game.uri, "type": 3}]})
    ask_all(client, game.uri)
    assert isinstance(client.ask("workspace/symbol", {"query": "x" * 10_000}), list)
    game.close()


@pytest.mark.parametrize("new", ["", " ", "x" * 100_000, "a\nb", "\ud800", "\u202e", "1", "if", "a.b", "\x00"])
def test_a_new_name_that_is_none_is_refused(new: str, client: Client, tmp_path: Path) -> None:
    folder = tmp_path / "rulesets" / "nim"
    shutil.copytree(ROOT / "rulesets" / "nim", folder)
    game = client.open(next(folder.glob("*.rules")))
    at = game.text.index("value ") + 6
    asked = {"textDocument": {"uri": game.uri}, "position": game.position(at), "newName": new}
    reply = client.reply(client.begin("textDocument/rename", asked))
    game.close()
    if "x" in new:  # a name, if a long one
        assert reply["result"]["changes"]
    else:
        assert reply["error"]["code"] == -32602


def test_lines_that_differ_far_apart_are_one_edit() -> None:
    """To compare line by line takes the square of their number."""
    same = ["# nothing\n"] * 50_000
    assert list(differing(["a\n", *same, "b\n"], ["A\n", *same, "B\n"])) == [(0, 50_002, 0, 50_002)]
    assert list(differing([*same, "b\n", *same], [*same, "B\n", "c\n", *same])) == [(50_000, 50_001, 50_000, 50_002)]
    assert list(differing(["a\n", *same[:50], "b\n"], ["A\n", *same[:50]])) == [(0, 1, 0, 1), (51, 52, 51, 51)]
    assert list(differing(same, same)) == [] and list(differing([], ["a\n"])) == [(0, 0, 0, 1)]
    assert list(differing(same, same[1:])) == [(49_999, 50_000, 49_999, 49_999)]
