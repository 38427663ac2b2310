"""Answers for editors: where a name is declared and used, what it is, and the edits that rename it.

Takes the texts of a ruleset as they stand in the editor, with or without errors; gives places and sentences. It knows
no protocol and changes no file.
"""

from dsl.editing.analysis import Analysis, analyse, analysis_of
from dsl.editing.index import NameIndex
from dsl.editing.mentions import Mention, Symbol, mentions

__all__ = ["Analysis", "Mention", "Symbol", "NameIndex", "analyse", "analysis_of", "mentions"]
