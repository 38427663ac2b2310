"""The frame of every command: streams that can print anything, and each way to end as a code and a sentence."""

from __future__ import annotations

import io
import os
import re
import sys
from typing import Any

import typer

from dsl.base.internal import failure_text
from tools.base.errors import STOPPED, CommandEnd, UserError

_NOT_A_NUMBER = re.compile(r"(Invalid value for '[^']+'): (Input should be a valid integer|.*is not a valid int).*")
# depending on its version, typer has its own copy of click or uses the installed one; this is the class that it raises
UsageError: Any = typer.BadParameter.__base__


def run_app(app: typer.Typer, arguments: list[str]) -> int:
    """The exit code; whatever goes wrong is told in a sentence. A traceback is shown only with RULEWRIGHT_DEBUG=1."""
    from tools.base.terminal import visible_output

    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a placeholder for characters that the encoding does not have
    with visible_output():
        return run_command(app, arguments)


def run_command(app: typer.Typer, arguments: list[str]) -> int:
    from tools.base.terminal import print_error

    try:
        asked = [*arguments, "--help"] if arguments in ([], ["errata"], ["lab"]) else arguments
        code = app(args=asked, prog_name="rulewright", standalone_mode=False)
        sys.stdout.flush()
        if code == STOPPED:  # typer returns it for Ctrl-C
            return report_stopped()
        return code if isinstance(code, int) else 0
    except UserError as mistake:
        print_error(str(mistake))
        return 2
    except CommandEnd as stop:
        if str(stop):
            print_error(str(stop))
        return stop.code
    except UsageError as mistake:
        print_error(usage_sentence(mistake))
        return 2
    except (typer.Abort, KeyboardInterrupt):
        return report_stopped()
    except BrokenPipeError:
        # the reader is gone; nothing more may be written, not even by Python's own flush at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as fault:
        print_error(f"{fault.filename or 'the output'} cannot be used: {fault.strerror or fault}.")
        return 2
    except Exception as fault:
        if os.environ.get("RULEWRIGHT_DEBUG"):
            raise
        from interpreter.core.errors import RulesetError

        if isinstance(fault, RulesetError):
            print_error(f"a fault of the rules: {fault}")
            return 1
        print_error(internal_sentence(fault))
        return 3


def report_stopped() -> int:
    print("\nstopped.", file=sys.stderr)
    return STOPPED


def usage_sentence(mistake: Any) -> str:
    """The mistake in the arguments, as one sentence that says what to do."""
    name = mistake.ctx.command_path if mistake.ctx else "rulewright"
    text = mistake.format_message().strip().rstrip(".")
    text = _NOT_A_NUMBER.sub(r"\1: a whole number is expected", text)
    end = f" See '{name} --help'." if text.endswith("?") else f"; see '{name} --help'."
    return text[:1].lower() + text[1:] + end


def internal_sentence(fault: Exception) -> str:
    return (
        f"internal error ({failure_text(fault)}). This is a fault of rulewright, not of you or of "
        "the ruleset: please report it with the command you typed; RULEWRIGHT_DEBUG=1 shows the details."
    )
