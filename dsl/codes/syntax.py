"""Codes RW01xx: what can be wrong with the shape of the text, before any name is looked up."""

from dsl.codes.code import Code

CODES: dict[str, Code] = {}
