"""The language, concept by concept, as a game plays it.

A number at the beginning of a comment is that of a page of the manual (`13`: docs/manual/13-triggers.md). A name such
as `CIV-3` is that of a mechanism in `tests/dsl/corpus`.
"""
