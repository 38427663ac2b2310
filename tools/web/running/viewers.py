"""One open page: who looks, in which language, and which parts it has.

A viewer has no state of the game. What it is sent is the difference between the page as it is drawn now and the parts
that it has, and within a large part the edits of it; a new connection has none, and so begins with the whole page.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tools.web.page.drawn import Drawn
from tools.web.running.edits import Edit, edits
from tools.web.running.secrets import HOT

Send = Callable[[str], Awaitable[None]]
Leave = Callable[[], Awaitable[None]]
Known = dict[tuple[str, str], list[Edit] | None]  # an old text and a new one -> how this comes of that


async def nothing_to_leave() -> None:
    """For a viewer without a line."""


@dataclass(eq=False, slots=True)
class Viewer:
    """`place`: where it sits; `up`: at `hot`, the seat whose person has taken the screen; `seen`: the version that it
    was sent last; `leave` closes its line."""

    place: str
    lang: str
    send: Send
    has: dict[str, str] = field(default_factory=dict)
    seen: int = -1
    up: int = 0
    leave: Leave = nothing_to_leave

    @property
    def seat(self) -> int | None:
        """The seat that it sees as; None: an onlooker."""
        if self.place == HOT:
            return self.up or None
        return int(self.place) if self.place.isdecimal() else None

    def message(self, version: int, drawn: Drawn, known: Known | None = None) -> str:
        """What this viewer does not have yet. `known`: edits that were found for others at this version, to which those
        of this one are added."""
        known = {} if known is None else known
        parts, changed = dict[str, str](), dict[str, list[Edit]]()
        for name, html in drawn.parts.items():
            if (has := self.has.get(name)) == html:
                continue
            found = None
            if has is not None:
                if (has, html) not in known:
                    known[has, html] = edits(has, html)
                found = known[has, html]
            if found is None:
                parts[name] = html
            else:
                changed[name] = found
        gone = [name for name in self.has if name not in drawn.parts]
        self.has, self.seen = dict(drawn.parts), version
        told = {"v": version, "mine": drawn.mine, "lines": drawn.lines, "order": list(drawn.parts), "gone": gone,
                "marks": drawn.marks, "seats": drawn.seats, "parts": parts, "edits": changed}  # fmt: skip
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))
