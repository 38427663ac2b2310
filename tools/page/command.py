"""`build`: a ruleset for somewhere else. `--target web` writes a page that plays it in a browser, without a server."""

from __future__ import annotations

from pathlib import Path

from interpreter.backends.low.base.kinds import Unsupported
from tools.base.errors import CommandEnd, UserError, unknown_message
from tools.base.loading import choose_language, load_game
from tools.page.folder import PAGE, check_folder, write_page
from tools.page.plan import plan_of

WEB = "web"
TARGETS = (WEB,)


def build_command(ruleset: str, target: str, out: Path | None, lang: str | None) -> int:
    if target not in TARGETS:
        raise UserError(unknown_message("target", target, TARGETS))
    game = load_game(ruleset)
    lang = choose_language(game, lang)
    folder = out or Path(f"{game.program.id}-{WEB}")
    check_folder(folder)
    try:
        plan = plan_of(game, lang)
    except Unsupported as reason:
        raise CommandEnd(1, f"this ruleset cannot be played in WebAssembly yet: {reason}.") from None
    size = write_page(folder, plan, lang)
    print(f"the page is {folder / PAGE} ({size // 1000} kB)")
    for gap in plan.gaps:
        print(f"note: the page gives up at {gap}")
    for value in dict.fromkeys(plan.unread):
        print(f"note: a value is shown as `?`: {value}")
    return 0
