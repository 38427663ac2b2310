"""Arguments and options of commands by name, most of them of several, with what is said of them in the help."""

from pathlib import Path
from typing import Annotated

import typer

FAILURES = Path(".rulewright/failures")
RULES = "Id or path of a ruleset, followed by overlays as +name and by @2020-05-01 for all errata up to a day"
Ruleset = Annotated[str, typer.Argument(help=f"{RULES}.", metavar="RULESET")]
MaybeRuleset = Annotated[
    str | None, typer.Argument(help=f"{RULES}; every ruleset of the home folder if left out.", metavar="[RULESET]")
]
File = Annotated[Path, typer.Argument(help="A saved game.", metavar="FILE")]
RulesOfFile = Annotated[
    str | None,
    typer.Option(
        "--rules", help="Id or path of the rules of the game, with its overlays; those that the file names if left out."
    ),
]
Language = Annotated[
    str | None,
    typer.Option("--lang", help="Language of the texts, as a tag such as en; the first of the ruleset if left out."),
]
Backend = Annotated[
    str,
    typer.Option("--backend", help="native (the quickest), wasm, c, or reference (which defines the meaning)."),
]
GamesBackend = Annotated[
    str | None,
    typer.Option("--backend", help="native, wasm, c, printed or reference; native if left out."),
]
GamesCluster = Annotated[
    str | None,
    typer.Option("--cluster", help="ray: play on the Ray cluster of RAY_ADDRESS, else on a local one."),
]
Jobs = Annotated[int | None, typer.Option("--jobs", help="Processes; one per core if left out.")]
MaxDecisions = Annotated[int, typer.Option("--max-decisions", help="Stop a game after so many, unfinished.")]
OptionList = Annotated[list[str] | None, typer.Option("--option", help="An option as name=value; may be repeated.")]
TimeLimit = Annotated[
    str | None, typer.Option("--for", help="Stop after so long, as 60s, 5m or 1h, and report what is there by then.")
]
Preset = Annotated[str | None, typer.Option("--preset", help="A named set of options of the ruleset.")]
From = Annotated[Path | None, typer.Option("--from", help="Begin from the save of the game before, or its facts.")]
Ruling = Annotated[str | None, typer.Option("--ruling", help="A ruling or position: what it begins from.")]
SeatNumbers = Annotated[str | None, typer.Option("--seats", help="As 3, 2,4 or 2..4; all if left out.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]
Drawn = Annotated[
    str,
    typer.Argument(
        help="A saved game; a ruleset, its id or path with overlays; a file of rulings; an erratum.", metavar="GAME"
    ),
]
PictureFile = Annotated[
    Path | None, typer.Option("--out", help="File to write, .svg or .html; GAME.svg here if left out.")
]
PlayedBots = Annotated[
    str | None,
    typer.Option("--bot", help="Of the other seats: novice, club, expert, random, greedy, search:N, run:COMMAND."),
]
Bots = Annotated[
    str,
    typer.Option("--bot", help="random, greedy, search:N, run:COMMAND; several with commas change seats."),
]
