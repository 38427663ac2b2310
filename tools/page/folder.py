"""The folder of a page: the page, the scripts and the style as they stand here, and one script with the game.

Module and plan are deflated and written as text, so that the page runs from a file without a server.
"""

from __future__ import annotations

import json
import os
import zlib
from base64 import b64encode
from importlib.resources import files
from pathlib import Path

from tools.base.errors import UserError, write_named
from tools.html.document import document
from tools.html.elements import tag
from tools.html.styles import PICTURE, page_style
from tools.page.plan import Plan
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
    "searching.js",
    "games.js",
    "keeping.js",
    "page.js",
)
STYLE = "page.css"
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'"


def write_page(folder: Path, plan: Plan, lang: str) -> int:
    """Write the folder, the game first and the page as the last file; gives the number of its bytes. `lang`: the
    language with which the page opens. Raises UserError where it cannot be written, or would overwrite what is not of
    such a page; what was begun and not finished can be written again."""
    texts = {GAME: packed(plan, lang), **{name: static(name) for name in SCRIPTS}}
    texts[STYLE] = STYLE_OF_PICTURES + page_style(PICTURE) + static(STYLE)
    title, scripts = plan.data["texts"][lang]["title"], (GAME, *SCRIPTS)
    body = [tag("div", id="page"), tag("noscript", "This page needs JavaScript.")]
    texts[PAGE] = document(lang, title, body, sheets=[STYLE], scripts=scripts, policy=POLICY, class_="rw")
    check_folder(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise UserError(f"'{folder}' cannot be made: {fault.strerror or fault}.") from None
    for name, text in texts.items():
        write_named(folder / name, text)
    return sum(len(text.encode()) for text in texts.values())


def check_folder(folder: Path) -> None:
    """Raise UserError for a file, and for a folder with files of these names that are not of such a page."""
    if folder.exists() and not folder.is_dir():
        raise UserError(f"--out should be a folder, but '{folder}' is a file.")
    foreign = [name for name in (PAGE, STYLE, *SCRIPTS) if os.path.lexists(folder / name)]
    if foreign and not (folder / GAME).is_file():
        raise UserError(
            f"'{folder}' holds '{foreign[0]}', which `build` did not write: choose another folder with --out."
        )


def static(name: str) -> str:
    return files("tools.page").joinpath("static", name).read_text(encoding="utf-8")


def packed(plan: Plan, lang: str) -> str:
    """The script with the game."""
    data = json.dumps(plan.data, ensure_ascii=False, separators=(",", ":")).encode(
        errors="replace"
    )  # halves of characters
    parts = {"lang": lang, "plan": deflated(data), "code": deflated(plan.code)}
    if plan.secrets:
        parts["secrets"] = deflated(plan.secrets)
    return f"globalThis.Rulewright = Object.assign(globalThis.Rulewright || {{}}, {{ packed: {json.dumps(parts)} }});\n"


def deflated(data: bytes) -> str:
    return b64encode(zlib.compress(data, 9)).decode()
