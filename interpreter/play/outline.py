"""The outline of a trace: a line for each rule that changed something, with what it changed.

It is what somebody reads who reviews a transcript. Left out are demands that were met, routines in which nothing came
about, and the lines of a loop: behind a rule stands each cell once, with all of its values on the way. The order of
rules is that of the trace. If nothing changed at all, the rules that took effect are what is left to tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dsl.files.phrases import FALLBACK
from interpreter.play.trace import TraceNode, render_trace

WIDTH = 110
TELLING = ("change", "chance")


def outline(nodes: Sequence[TraceNode], lang: str = FALLBACK) -> list[str]:
    """The lines of these nodes, which one answer or step has triggered."""
    if any(tells(node) for node in nodes):
        return list(_lines(nodes, (), lang, ""))
    took = ((f"rule {node.text}" if node.kind == "line" else node.text, effective(node)) for node in nodes)
    return [_head(text, cites) for text, cites in took if cites]


def tells(node: TraceNode) -> bool:
    """True if something came about in a node: a change, an outcome of chance, a demand that was not met."""
    return any(n.kind in TELLING or n.said is not None for n in node.walk())


def effective(node: TraceNode) -> tuple[str, ...]:
    """The clauses of the rule lines that took effect in a node, each once."""
    return tuple(dict.fromkeys(cite for n in node.walk() if n.kind == "line" for cite in n.cites))


def _lines(nodes: Sequence[TraceNode], own: tuple[str, ...], lang: str, head: str) -> Iterator[str]:
    """The lines of what follows each other in a routine. `head`: its call, which the first line begins with; `own`: its
    clauses, which stand there if no rule line says which of them it was."""
    indent = "    " if head else ""
    cites: list[str] = []
    done: list[TraceNode] = []  # what came about since the last line, by rule lines with these clauses

    def line() -> Iterator[str]:
        nonlocal head
        if head or done:
            clauses = tuple(dict.fromkeys(cites)) or (own if head and done else ())
            yield from _wrapped(_head(head, clauses), list(_told(done)), "" if head else indent)
        head = ""
        cites.clear()
        done.clear()

    for node in nodes:
        if node.kind == "line":
            if done:
                yield from line()
            cites += node.cites
        elif node.kind in TELLING:
            done.append(node)
        elif tells(node):
            yield from line()
            if node.kind == "rule":
                called, inner = _chain(node)
                yield from (indent + text for text in _lines(inner.children, inner.cites, lang, called))
            else:
                yield from (indent + text for text in render_trace(node, lang).splitlines())
    yield from line()


def _chain(node: TraceNode) -> tuple[str, TraceNode]:
    """A call, and behind it those that are all there is to tell of the one before; with the last of them."""
    called = node.text
    while True:
        kept = [child for child in node.children if child.kind == "line" or tells(child)]
        if len(kept) != 1 or kept[0].kind != "rule":
            return called, node
        node = kept[0]
        called += f" > {node.text}"


def _head(text: str, cites: Sequence[str]) -> str:
    return " ".join(filter(None, (text, f"[{', '.join(cites)}]" if cites else "")))


def _told(nodes: Iterable[TraceNode]) -> Iterator[str]:
    """Phrases for what came about: outcomes of chance by their address, then each cell with its values on the way, with
    the causes together."""
    drawn: dict[str, list[str]] = {}
    cells: dict[tuple[str, str], list[str]] = {}
    for node in nodes:
        if node.kind == "chance":
            drawn.setdefault(node.parts[0], []).append(node.parts[1])
        else:
            label, old, new, because = node.parts
            cells.setdefault((because, label), [old]).append(new)
    yield from (f"{where}: {', '.join(what)}" for where, what in drawn.items())
    changes = [(because, f"{label} {' -> '.join(values)}") for (because, label), values in cells.items()]
    for number, (because, text) in enumerate(changes):
        last = number + 1 == len(changes) or changes[number + 1][0] != because
        yield text + because if last else text


def _wrapped(head: str, told: list[str], indent: str) -> Iterator[str]:
    """A head and phrases behind it, in lines of at most WIDTH characters where the phrases are no longer."""
    line, fresh = indent + head, True
    for number, phrase in enumerate(told):
        between = (": " if line.strip() else "") if fresh else " "
        text = phrase + ("," if number + 1 < len(told) else "")
        if not fresh and len(line) + len(text) > WIDTH:
            yield line
            line, between = indent + "    ", ""
        line, fresh = line + between + text, False
    if line.strip():
        yield line
