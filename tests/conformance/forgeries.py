"""Forged saves: words of the store, rows of the log and fields of the head changed by somebody who makes the seal and
the digest fit. It is not a test itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from interpreter.records.save import sealed
from interpreter.session.state import digest

NUMBERS = (0, 1, 2, 3, 5, -1, 7, 63, 100, 2**31 - 1, -(2**31), 2**22)
VALUES: tuple[Any, ...] = (None, True, -1, 0, 1, 10**40, 2.5, "", "x", "none", "p1", "\x1b", [], ["x"], {}, {"x": 1})


def forgeries(text: str, seed: int, number: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """`number` forgeries of the save with this text, each with what was forged: `words`, `log`, `head` or `plan`."""
    chooser = Random(seed)
    for _ in range(number):
        data = json.loads(text)
        sort = chooser.choice(("words", "words", "words", "log", "log", "head", "plan"))
        if sort == "plan" and data["plan"] is None:
            data["plan"] = {"seat": 1, "words": data["words"][:], "entries": len(data["log"])}
        if sort in ("words", "plan"):
            forge_words(data["words"] if sort == "words" else data["plan"]["words"], chooser)
        elif sort == "log" and data["log"]:
            forge_tree(chooser.choice(data["log"]), chooser)
        else:
            forge_tree({key: data[key] for key in ("options", "script", "log", "plan")}, chooser)
            key = chooser.choice(sorted(data.keys() - {"words", "seal"}))
            if chooser.random() < 0.5:
                data[key] = chooser.choice(VALUES)
        if all(type(w) is int and -(2**31) <= w < 2**31 for w in data["words"]):
            data["state"] = digest(data["words"])
        yield sort, sealed(data)


def forge_words(words: list[int], chooser: Random) -> None:
    for _ in range(chooser.choice((1, 1, 1, 2, 3, 8))):
        words[chooser.randrange(len(words))] = chooser.choice((*NUMBERS, chooser.randrange(200)))
    if chooser.random() < 0.1:
        del words[chooser.randrange(len(words)) :]
    elif chooser.random() < 0.1:
        words += [chooser.choice(NUMBERS) for _ in range(chooser.randint(1, 9))]


def forge_tree(node: Any, chooser: Random) -> None:
    """Replace one value anywhere in a tree, or take it away."""
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = chooser.choice(keys)
        if isinstance(node[key], (dict, list)) and node[key] and chooser.random() < 0.8:
            node = node[key]
        elif chooser.random() < 0.1:
            del node[key]
            return
        else:
            node[key] = chooser.choice(VALUES)
            return
