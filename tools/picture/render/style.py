"""Colours, fonts and patterns of a picture. Ink and paper are CSS variables, for light and for dark; each element also
has its light colour as an attribute, for programs that know no variables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from tools.html.elements import Html, tag

INK, SOFT, LINE, PAPER, BOX = "#23261f", "#62685a", "#bdbcae", "#fdfcf7", "#f1efe4"
MARKED = "#c2185b"  # around what has changed
DARK, LIGHT, BLACK = "#1b1d18", "#ffffff", "#000000"  # letters on a colour
FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'Noto Sans CJK JP', 'Hiragino Sans', Meiryo, sans-serif"
STYLE = f"""\
.rw {{ --ink: {INK}; --soft: {SOFT}; --line: {LINE}; --paper: {PAPER}; --box: {BOX};
  font-family: {FONT}; color-scheme: light dark; color: var(--ink); }}
@media (prefers-color-scheme: dark) {{
  .rw {{ --ink: #e8e7de; --soft: #a9ad9d; --line: #565950; --paper: #1d1e1a; --box: #2a2c26; }} }}
.rw .ink {{ fill: var(--ink); }} .rw .soft {{ fill: var(--soft); }} .rw .paper {{ fill: var(--paper); }}
.rw .box {{ fill: var(--box); stroke: var(--line); }} .rw .line {{ stroke: var(--line); }}
.rw .edge {{ stroke: var(--ink); stroke-opacity: 0.55; }} .rw .none {{ fill: none; }}
.rw .mark {{ stroke: {MARKED}; }}
"""
FALLBACK = {"ink": INK, "soft": SOFT}
STROKES = {  # of a square of eight units; circles as `cx cy`
    "dots": ("", ("2 2", "6 6")),
    "rings": ("", ("4 4",)),
    "ascending": ("M-1 1L1 -1M0 8L8 0M7 9L9 7", ()),
    "descending": ("M-1 7L1 9M0 0L8 8M7 -1L9 1", ()),
    "horizontal": ("M0 4H8", ()),
    "vertical": ("M4 0V8", ()),
    "grid": ("M0 4H8M4 0V8", ()),
}


@lru_cache(maxsize=5_000)
def ink_on(colour: str) -> str:
    """Dark or light, whichever is easier to read on a colour."""
    if not colour:
        return INK
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return DARK if (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) else LIGHT


def band_class(colour: str) -> str:
    """The class of the head of a card in this colour, so that no element needs a style of its own."""
    return f"band-{colour.lstrip('#').lower()}"


def band_style(colours: Iterable[str]) -> str:
    """The rules of these classes. Small letters need black, not nearly black, where white is no better."""
    inks = ((c, BLACK if ink_on(c) == DARK else LIGHT) for c in sorted(set(colours)))
    return "".join(f".{band_class(c)} {{ background: {c}; color: {ink}; }}\n" for c, ink in inks)


def bands_in(html: str) -> set[str]:
    """The colours whose classes are in a page."""
    return {f"#{colour}" for colour in re.findall(r'class="band-([0-9a-f]{6})"', html)}


def pattern_id(pattern: str, colour: str) -> str:
    """The id of a pattern that shows on this colour."""
    return f"{pattern}-{'dark' if ink_on(colour) == DARK else 'light'}"


def pattern_defs() -> Html:
    """The definitions of all patterns, in dark and in light."""
    found = []
    for shade, colour in (("dark", "#000000"), ("light", LIGHT)):
        for name, (path, spots) in STROKES.items():
            ring = name == "rings"
            inside = [tag("path", d=path, fill="none", stroke=colour)] if path else []
            for spot in spots:
                cx, cy = spot.split()
                fill, stroke = ("none", colour) if ring else (colour, None)
                inside.append(tag("circle", cx=cx, cy=cy, r="2.4" if ring else "1", fill=fill, stroke=stroke))
            sizes = {"width": "8", "height": "8", "patternUnits": "userSpaceOnUse"}
            found.append(tag("pattern", tag("g", inside, opacity="0.22"), id=f"{name}-{shade}", **sizes))
    return tag("defs", found)
