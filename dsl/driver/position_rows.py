"""Rows of a position from a text that is no file of the ruleset, as of `position(game, "...")` in Python.

The rules are elaborated once more, without rulings, since a compiled program does not keep what names mean; after that
every text is read by itself. That costs as much as a check of the rules, at the first text.
"""

from __future__ import annotations

from textwrap import dedent, indent
from typing import TypeAlias

from dsl import ir
from dsl.base.cache import gc_paused
from dsl.base.record import dataclass
from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.driver.part_cache import PartCache
from dsl.driver.pipeline import run_all_passes
from dsl.driver.reference import RulesetReference
from dsl.driver.ruling_interface import program_sizes
from dsl.elaborate.cases.rulings import read_position
from dsl.elaborate.context import Elaboration
from dsl.files.ruleset import RULING, FileTexts, read_files
from dsl.symbols.parts import check_parts
from dsl.syntax import nodes as sx
from dsl.syntax.parser import parse_file

FILE = "position"  # what the text is called in messages
NAME = "from_text"
HEAD = f'position {NAME} "from a text"\n'
Found: TypeAlias = "tuple[ir.Position | None, list[Diagnostic], Source]"


@dataclass(slots=True)
class RowReader:
    """Reads texts for one set of rules."""

    elab: Elaboration

    def read(self, text: str) -> Found:
        """The position that a text describes, as the lines below `position` in a file do; None with the messages that
        say why not, and the text that they are about."""
        m = self.elab.model
        source = Source(FILE, HEAD + indent(dedent(text).strip("\n"), "    ") + "\n")
        tree, found = parse_file(source.file, source.text)
        d = tree.lines[0] if tree.lines else None
        if found or len(tree.lines) != 1 or not isinstance(d, sx.Decl):
            return None, found, source
        m.sources[FILE], m.diagnostics = source, []
        before = program_sizes(self.elab)
        self.elab.cases.repeated_lines = None
        check_parts(m, tree.lines)
        for line in d.block:
            if isinstance(line, sx.Section) and line.word == "given" and line.name:
                help = f'leave it out, and say `begins="{line.name}"` beside the text'
                m.error("RW0911", line.span, "a text does not say what it continues", help)
        position = read_position(self.elab, d) if not m.diagnostics else None
        if not m.diagnostics and program_sizes(self.elab) != before:
            help = "put it into a position of the ruleset"
            m.error("RW0906", d.span, "this needs more than the rules were compiled with", help)
        errors = [e for e in m.diagnostics if e.severity is Severity.ERROR]
        m.diagnostics = []
        return None if errors else position, errors, source


def row_reader(rules: RulesetReference) -> RowReader | None:
    """A reader of texts for these rules; None where they cannot be read any more or have errors."""
    texts, unreadable = read_files(rules.path, rules.layers)
    if unreadable:
        return None
    with gc_paused():
        done = run_all_passes(
            without_cases(texts), rules.path.name, (2, 4), (), rules.chosen, PartCache(str(rules.path))
        )
    return None if done.elab is None or done.model.broken else RowReader(done.elab)


def without_cases(texts: FileTexts) -> FileTexts:
    """The same texts without positions and rulings."""
    texts.rules = [source for source in texts.rules if not source.file.endswith(RULING)]
    texts.overlays = [without_cases(layer) for layer in texts.overlays]
    return texts
