"""What editors ask about texts: where a name is declared and used, what it is, and what would follow from renaming it.

Takes the texts of a ruleset as they stand in the editor, which may be broken; gives places and sentences. It knows
nothing of protocols and changes no file.
"""

from dsl.editing.analysis import Analysis, analyse, analysis_of
from dsl.editing.index import World
from dsl.editing.mentions import Mention, Symbol, mentions

__all__ = ["Analysis", "Mention", "Symbol", "World", "analyse", "analysis_of", "mentions"]
