"""The `rulewright` command: one function a command, each of which loads its module when it is called.

Exit codes: 0 success, 1 a finding (errors of a ruleset, failed rulings or games), 2 a mistake in the arguments, 3 an
internal error.
"""

# Annotations are evaluated, not strings: typer reads those of every command at each start.
import gc
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from tools.arguments import (
    FAILURES,
    RULES,
    AsJson,
    Backend,
    Bots,
    Drawn,
    File,
    From,
    GamesBackend,
    GamesCluster,
    Jobs,
    Language,
    MaxDecisions,
    MaybeRuleset,
    OptionList,
    PictureFile,
    PlayedBots,
    Preset,
    Ruleset,
    RulesOfFile,
    Ruling,
    SeatNumbers,
    TimeLimit,
)
from tools.cli_bots import bot_server
from tools.cli_errata import errata
from tools.cli_lab import lab
from tools.cli_texts import check, fmt, lsp
from tools.running import run_app

app = typer.Typer(
    name="rulewright",
    help="A rules language for heavy board games, and a machine that plays what is written in it.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def print_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"rulewright {version('rulewright')}")
        except PackageNotFoundError:
            print("rulewright, run from its folder without being installed")
        raise typer.Exit()


@app.callback()
def before_commands(
    version: Annotated[
        bool, typer.Option("--version", help="Say which version this is.", is_eager=True, callback=print_version)
    ] = False,
) -> None:
    """The options that may stand before the name of a command."""


app.command()(check)


@app.command()
def play(
    ruleset: Annotated[str | None, typer.Argument(help=f"{RULES}.", metavar="RULESET")] = None,
    seats: Annotated[int | None, typer.Option("--seats", help="Number of seats.")] = None,
    human: Annotated[
        str | None, typer.Option("--human", help="Seats played by people, as 1,3; '0' for none; 1 if left out.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of the game; a new one if left out.")] = None,
    lang: Language = None,
    load: Annotated[Path | None, typer.Option("--load", help="Continue a saved game.")] = None,
    option: OptionList = None,
    preset: Preset = None,
    bot: PlayedBots = None,
    again: Annotated[bool, typer.Option("--again", help="With --load: replay its log under this text.")] = False,
    as_saved: Annotated[
        bool, typer.Option("--as-saved", help="With --load: continue under the rules it was saved under, if kept here.")
    ] = False,
    backend: Backend = "native",
    begin_from: From = None,
    ruling: Ruling = None,
) -> int:
    """Play in the terminal, or let the bots play without one."""
    from tools.commands.play import play_command

    return play_command(
        ruleset, seats, human, seed, lang, load, option or [], preset, bot, again, as_saved, backend, begin_from, ruling
    )  # fmt: skip


@app.command()
def simulate(
    ruleset: Ruleset,
    games: Annotated[int, typer.Option("--games", help="Number of games.")] = 100,
    seats: SeatNumbers = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the run.")] = 1,
    jobs: Jobs = None,
    checked: Annotated[bool, typer.Option("--checked", help="Test all invariants after every change.")] = False,
    as_json: AsJson = False,
    option: OptionList = None,
    preset: Preset = None,
    bot: Bots = "random",
    out: Annotated[Path, typer.Option("--out", help="Folder for replay files of failures.")] = FAILURES,
    max_decisions: MaxDecisions = 50_000,
    verbose: Annotated[bool, typer.Option("--verbose", help="Name everything that was never asked or taken.")] = False,
    lang: Language = None,
    backend: GamesBackend = None,
    begin_from: From = None,
    then: Annotated[str | None, typer.Option("--then", help="A ruleset whose games begin from these.")] = None,
    cluster: GamesCluster = None,
    time_limit: TimeLimit = None,
) -> int:
    """Let bots play many games and report the results."""
    from tools.commands.simulate import simulate_command

    return simulate_command(
        ruleset, games, seats, seed, jobs, checked, as_json, option or [], bot, out, backend, max_decisions, verbose,
        lang, preset, begin_from, then, cluster, time_limit,
    )  # fmt: skip


@app.command()
def replay(
    file: File,
    to: Annotated[int | None, typer.Option("--to", help="Stop after this many entries of the log.")] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Compare with the state that the file holds.")] = False,
    lang: Language = None,
    rules: RulesOfFile = None,
) -> int:
    """Narrate a saved game from its log."""
    from tools.commands.replay import replay_command

    return replay_command(file, to, verify, lang, rules)


@app.command()
def facts(
    file: File,
    out: Annotated[Path | None, typer.Option("--out", help="Write them to this file, to be edited.")] = None,
) -> int:
    """Show what a game that is over hands on to another one."""
    from tools.base.handed import facts_command

    return facts_command(file, out)


@app.command()
def trace(
    file: File,
    at: Annotated[int | None, typer.Option("--at", help="Number of the decision; the last one if left out.")] = None,
    lang: Language = None,
    rules: RulesOfFile = None,
) -> int:
    """Show which rules one decision of a saved game ran."""
    from tools.commands.replay import trace_command

    return trace_command(file, at, lang, rules)


@app.command()
def explain(
    file: File,
    answer: Annotated[list[str], typer.Argument(help="An answer in words of the game.", metavar="ANSWER")],
    at: Annotated[
        int | None, typer.Option("--at", help="Number of the decision; the position of the file if left out.")
    ] = None,
    lang: Language = None,
    rules: RulesOfFile = None,
) -> int:
    """Say why an answer is not offered in a saved game."""
    from tools.commands.replay import explain_command

    return explain_command(file, answer, at, lang, rules)


@app.command()
def rulings(
    ruleset: MaybeRuleset = None,
    only: Annotated[str | None, typer.Option("--only", help="Only with this in name, title, clause or file.")] = None,
    as_json: AsJson = False,
    update: Annotated[bool, typer.Option("--update", help="Store the transcripts of rulings that pass.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Run them again whenever a file changes.")] = False,
    against: Annotated[str | None, typer.Option("--against", help="Compare with a revision of git.")] = None,
    names: Annotated[bool, typer.Option("--names", help="List what a ruling may name, with --only this.")] = False,
    lang: Language = None,
) -> int:
    """Run the rulings of a ruleset and of its overlays."""
    if names:
        from tools.base.home import selected_rulesets
        from tools.commands.ruling_names import names_command

        return names_command(selected_rulesets(ruleset), only, as_json, lang)
    if against is not None:
        from tools.commands.against import against_command

        return against_command(ruleset, only, against, as_json, update or watch, lang)
    from tools.commands.rulings import rulings_command

    return rulings_command(ruleset, only, as_json, update, watch, lang)


@app.command()
def draw(
    game: Drawn,
    seat: Annotated[int | None, typer.Option("--seat", help="Who looks; an onlooker if left out.")] = None,
    out: PictureFile = None,
    after: Annotated[int, typer.Option("--after", help="So many random decisions after the start.")] = 0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the game and the decisions.")] = 1,
    seats: Annotated[int | None, typer.Option("--seats", help="Number of seats; the least if left out.")] = None,
    option: OptionList = None,
    preset: Preset = None,
    ruling: Ruling = None,
    at: Annotated[int | None, typer.Option("--at", help="Of a saved game: after so many entries of its log.")] = None,
    lang: Language = None,
    rules: RulesOfFile = None,
) -> int:
    """Draw a position as a picture or a page."""
    from tools.commands.draw import Start, draw_command, is_overlay

    if is_overlay(game):
        from tools.errata.pictures import draw_overlay

        return draw_overlay(Path(game), ruling, seat, out, lang)
    start = Start(after, seed, seats, option or [], preset, ruling, at)
    return draw_command(game, start, seat, out, lang, rules)


@app.command()
def serve(
    ruleset: Annotated[str | None, typer.Argument(help=f"{RULES}: opens a table of it.", metavar="[RULESET]")] = None,
    port: Annotated[int, typer.Option("--port", help="Port of the server.")] = 8000,
    lan: Annotated[
        bool, typer.Option("--lan", help="Serve the local network as well; what goes over it is not encrypted.")
    ] = False,
    data: Annotated[Path | None, typer.Option("--data", help="Folder that the tables are kept in.")] = None,
    ruling: Ruling = None,
) -> int:
    """Open tables in the browser: against bots, at one screen, or one link a seat."""
    from tools.web.command import serve_command

    return serve_command(ruleset, port, lan, data, ruling)


@app.command()
def build(
    ruleset: Ruleset,
    target: Annotated[str, typer.Option("--target", help="What for: web, a page that needs no server.")] = "web",
    out: Annotated[Path | None, typer.Option("--out", help="Folder to write; RULESET-web here if left out.")] = None,
    lang: Language = None,
) -> int:
    """Build a page that plays a ruleset in a browser."""
    from tools.page.command import build_command

    return build_command(ruleset, target, out, lang)


@app.command()
def coverage(ruleset: MaybeRuleset = None, as_json: AsJson = False, lang: Language = None) -> int:
    """Find clauses without rules, and rules without rulings."""
    from tools.commands.coverage import coverage_command

    return coverage_command(ruleset, as_json, lang)


@app.command()
def info(ruleset: Ruleset, lang: Language = None, as_json: AsJson = False) -> int:
    """Say what a ruleset is: seats, options, overlays, and what stands in for printed things."""
    from tools.terminal.info import info_command

    return info_command(ruleset, lang, as_json)


@app.command()
def card(
    ruleset: Ruleset,
    card: Annotated[str, typer.Argument(help="Id of a card.", metavar="CARD")],
    as_of: Annotated[str | None, typer.Option("--as-of", help="Errata up to this day; today if left out.")] = None,
    lang: Language = None,
    as_json: AsJson = False,
) -> int:
    """Show a card as printed, its errata, and its rule as of a day."""
    from tools.commands.card import card_command

    return card_command(ruleset, card, as_of, lang, as_json)


@app.command()
def doc(
    ruleset: Ruleset,
    out: Annotated[Path | None, typer.Option("--out", help="Folder of the site; site/RULESET if left out.")] = None,
    lang: Annotated[
        list[str] | None,
        typer.Option("--lang", help="A language such as en; may be repeated. All of the ruleset if left out."),
    ] = None,
    no_pictures: Annotated[
        bool, typer.Option("--no-pictures", help="Leave out the pictures of rulings and cards.")
    ] = False,
) -> int:
    """Write a website of a game from its rules: cards, clauses, values, rulings, data."""
    from tools.site.command import doc_command

    return doc_command(ruleset, out, lang or [], not no_pictures)


@app.command()
def bench(
    ruleset: MaybeRuleset = None,
    game: Annotated[str | None, typer.Option("--game", help="The same as RULESET.")] = None,
    suite: Annotated[str | None, typer.Option("--suite", help="A named list of rulesets.")] = None,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds of measurement.")] = 5,
    seconds: Annotated[float, typer.Option("--seconds", help="Seconds of play for each figure in each round.")] = 0.3,
    seats: Annotated[int | None, typer.Option("--seats", help="Number of seats; the least if left out.")] = None,
    as_json: AsJson = False,
    into: Annotated[
        Path | None, typer.Option("--into", help="Put the tables into this page of Markdown, by their titles.")
    ] = None,
    against: Annotated[
        Path | None, typer.Option("--against", help="Compare with this other checkout of the repository, in turn.")
    ] = None,
) -> int:
    """Measure speed: games that are driven, by bots and in bulk; loading, start, memory."""
    from tools.bench.command import ReportForm, bench_command

    named = [name for name in (ruleset, game) if name is not None]
    return bench_command(named, suite, rounds, seconds, seats, ReportForm(as_json, into), against)


@app.command()
def mutate(
    ruleset: Ruleset,
    sample: Annotated[
        int | None, typer.Option("--sample", help="How many mutants to test, drawn at random; all if left out.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the sample.")] = 1,
    jobs: Jobs = None,
    games: Annotated[int, typer.Option("--games", help="Checked games that each mutant has to pass.")] = 2,
    least: Annotated[int, typer.Option("--least", help="Code 1 if fewer per cent are caught.")] = 0,
    as_json: AsJson = False,
    option: OptionList = None,
    preset: Preset = None,
    max_decisions: MaxDecisions = 50_000,
    backend: Annotated[
        str | None,
        typer.Option("--backend", help="Of the games: native, wasm, c or reference; if left out, what is faster."),
    ] = None,
    time_limit: TimeLimit = None,
) -> int:
    """Break the rules in small ways and report the changes that no ruling, invariant or game notices."""
    from tools.commands.mutate import mutate_command

    return mutate_command(
        ruleset, sample, seed, jobs, games, least, as_json, option or [], preset, max_decisions, backend, time_limit
    )


@app.command()
def new(
    sort: Annotated[str, typer.Argument(help="ruleset, variant, errata, ruling or copy.", metavar="SORT")],
    id: Annotated[str, typer.Argument(help="Its name: lower-case letters, digits, _.", metavar="ID")],
    on: Annotated[
        str | None, typer.Option("--on", help="The ruleset that it belongs to, if there are several.")
    ] = None,
    more: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
) -> int:
    """Begin a ruleset, variant, errata or ruling, or copy a game to change it."""
    from tools.commands.new import new_command

    return new_command(sort, id, on, more or [])


app.command()(lsp)
app.command()(fmt)
app.command("bot-server")(bot_server)
app.add_typer(errata, name="errata")
app.add_typer(lab, name="lab")


def main(arguments: list[str] | None = None) -> None:
    """Entry point of the `rulewright` script. The objects made at start-up live to the end: collecting
    garbage among them would take a tenth of the time; `load_game` enables the collector."""
    gc.disable()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for plugins reads what else is installed
    try:
        code = run(arguments)
    finally:
        gc.freeze()
    sys.exit(code)


def run(arguments: list[str] | None = None) -> int:
    return run_app(app, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    main()
