"""The commands `check`, `fmt` and `lsp` for the texts of rulesets; each loads its module when it is called."""

# Annotations are evaluated, not strings: typer reads those of every command at each start.
from typing import Annotated

import typer

from tools.arguments import MaybeRuleset


def check(
    ruleset: MaybeRuleset = None,
    format: Annotated[str, typer.Option("--format", help="text or json.")] = "text",
    plans: Annotated[bool, typer.Option("--plans", help="Show how the demands of each action are tested.")] = False,
    native: Annotated[
        bool, typer.Option("--native", help="Show what native code leaves to the reference, which is slower there.")
    ] = False,
    texts: Annotated[bool, typer.Option("--texts", help="Show which texts are missing in each language.")] = False,
) -> int:
    """Report everything that is wrong in a ruleset."""
    from tools.commands.check import check_command

    return check_command(ruleset, format, plans, texts, native)


def fmt(
    paths: Annotated[
        list[str] | None,
        typer.Argument(help="Files or folders, or - for standard input; rulesets/ and cards/ if left out."),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; report the files that would change.")] = False,
    upgrade: Annotated[
        bool, typer.Option("--upgrade", help="Rewrite texts of earlier languages, whole rulesets with their overlays.")
    ] = False,
) -> int:
    """Format rules, cards, overlays, rulings and YAML."""
    from tools.commands.fmt import fmt_command

    if upgrade:
        from tools.commands.fmt import upgrade_command

        return upgrade_command(paths or [], check)
    return fmt_command(paths or [], check)


def lsp() -> int:
    """Serve an editor by the Language Server Protocol, on standard input and output."""
    from tools.lsp.command import lsp_command

    return lsp_command()
