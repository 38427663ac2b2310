"""The canonical layout of texts: rules (and cards, overlays, rulings) and YAML.

`format_rules` and `format_yaml` take the text of a file without syntax errors and give it in the canonical layout, with
the same meaning and the same comments. They write nothing; for a text with errors they give its messages.
"""

from dsl.format.rules import Unfaithful, format_rules
from dsl.format.yaml import format_yaml

__all__ = ["Unfaithful", "format_rules", "format_yaml"]
