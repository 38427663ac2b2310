"""The smallest part of a show-program: one name that is shown."""

from __future__ import annotations

from dsl.base.record import dataclass


@dataclass(frozen=True, slots=True)
class ShowSpec:
    """A field, zone, const or value `of` a thing or of the whole game. `form`: how it is written (`as` in the file), ""
    for the usual way; `by`: a name that its members are counted by; `label`: a text or the address of one; `where`: a
    name that has to hold something, else it is left out of a row of facts."""

    of: str
    form: str = ""
    by: str = ""
    label: str = ""
    where: str = ""


ID = ShowSpec("id")
