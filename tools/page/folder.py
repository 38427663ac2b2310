"""The folder of a page: the scripts, the style and the page itself as they stand here, and one script with the game.

Module and plan are deflated and written as text, so that the page runs from a file without a server.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from html import escape
from importlib.resources import files
from pathlib import Path

from tools.base.errors import write_named
from tools.page.plan import Plan
from tools.picture.render.style import PAGE_STYLE
from tools.picture.render.style import STYLE as STYLE_OF_PICTURES

GAME = "game-data.js"
PAGE = "index.html"
SCRIPTS = (  # in the order in which they are loaded
    "numbers.js",
    "module.js",
    "texts.js",
    "parts.js",
    "reader.js",
    "plain.js",
    "chart.js",
    "model.js",
    "ways.js",
    "question.js",
    "saved.js",
    "game.js",
    "offers.js",
    "draw.js",
    "games.js",
    "keeping.js",
    "page.js",
)
STYLE = "page.css"


POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'"


def write_page(folder: Path, plan: Plan, lang: str) -> int:
    """Write the folder; gives the number of its bytes. `lang`: the language with which the page opens."""
    texts = {name: static(name) for name in SCRIPTS}
    texts[STYLE] = STYLE_OF_PICTURES + PAGE_STYLE + static(STYLE)
    texts[GAME] = packed(plan, lang)
    scripts = "\n".join(f'<script defer src="{name}"></script>' for name in (GAME, *SCRIPTS))
    parts = {"title": plan.data["texts"][lang]["title"], "lang": lang, "policy": POLICY}
    page = static(PAGE).replace("{scripts}", scripts)
    for name, text in parts.items():
        page = page.replace(f"{{{name}}}", escape(text))
    texts[PAGE] = page
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        write_named(folder / name, text)
    return sum(len(text.encode()) for text in texts.values())


def static(name: str) -> str:
    return files("tools.page").joinpath("static", name).read_text(encoding="utf-8")


def packed(plan: Plan, lang: str) -> str:
    """The script with the game."""
    data = json.dumps(plan.data, ensure_ascii=False, separators=(",", ":")).encode()
    parts = {"lang": lang, "plan": deflated(data), "code": deflated(plan.code)}
    if plan.secrets:
        parts["secrets"] = deflated(plan.secrets)
    return f"globalThis.Rulewright = Object.assign(globalThis.Rulewright || {{}}, {{ packed: {json.dumps(parts)} }});\n"


def deflated(data: bytes) -> str:
    return b64encode(zlib.compress(data, 9)).decode()
