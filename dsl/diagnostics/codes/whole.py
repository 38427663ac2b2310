"""Codes RW11xx, and RW032x: the ruleset as a whole."""

from dsl.diagnostics.code import Code

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        Code(
            "RW1101",
            "No `phase game`",
            "Starting a game runs the phase `game`; when it ends the game is over. A ruleset without it can not "
            "be played.",
            "phase day: stop day\n",
            "phase day: stop day\nphase game: do day()\n",
        ),
        Code(
            "RW1102",
            "`phase game` with parameters",
            "Nobody is there to give arguments when a game starts.",
            "phase game(p: Seat): stop game\n",
            "phase game: stop game\n",
        ),
        Code(
            "RW1103",
            "A value that is used nowhere",
            "Either something was forgotten, or a rule uses another name by mistake.",
            "value forgotten: int = 3\n",
            "value remembered: int = 3\nprocedure tidy: set oak.age to remembered\n",
        ),
        Code(
            "RW1104",
            "A routine that nothing starts",
            "No sentence starts it and no menu offers it, so it never happens.",
            "procedure forgotten: set oak.age to 0\n",
            "procedure remembered: set oak.age to 0\nrule reminder\n    after grow(t): do remembered()\n",
        ),
        Code(
            "RW1105",
            "A field that is used nowhere",
            "Nothing reads or sets the field, so it could be left out.",
            "kind Tree\n    field forgotten: bool\n",
            "kind Tree\n    field leafy: bool\nvalue bare(t: Tree): bool = not t.leafy\n",
        ),
        Code(
            "RW1106",
            "A field that is never read",
            "The field is set, but no rule asks for it, so setting it changes nothing.",
            "kind Tree\n    field noted: bool\nphase evening: set oak.noted to true\n",
            "kind Tree\n    field noted: bool\nphase evening: set oak.noted to not oak.noted\n",
        ),
        Code(
            "RW1107",
            "A zone that is used nowhere",
            "Nothing moves into the zone, out of it, or looks into it.",
            "zone attic: Tale\n",
            "zone attic: Tale\nprocedure tidy: move rain to attic\n",
        ),
        Code(
            "RW1108",
            "A piece that is used nowhere",
            "No rule gains, loses, moves or counts the piece.",
            "piece button\n",
            "piece button\nkind Seat\n    zone buttons: button\nprocedure sew(p: Seat): gain 1 button by p\n",
        ),
        Code(
            "RW1109",
            "An option that no rule asks for",
            "Whatever is chosen here, the game is the same.",
            "option ghost: bool = false\n",
            "option ghost: bool = false\nvalue haunted: bool = ghost\n",
        ),
        Code(
            "RW1110",
            "An unknown clause",
            "Rules cite clauses of the index `clauses.yaml`, so that every explanation can name its source.",
            "value fine(t: Tree): bool = t.age > 3  [OR-4.2]\n",
            "value fine(t: Tree): bool = t.age > 3  [OR-4.1]\n",
        ),
        Code(
            "RW0320",
            "A file that is not there",
            "`load` in the manifest lists the files of rules by their path inside the folder.",
            "id: test\nversion: 1\ntitle: {en: Test, ja: 試験}\nseats: 2..4\nload: [state.rules, trun.rules]\n",
            "load: [state.rules, turn.rules]\n",
        ),
        Code(
            "RW0326",
            "A file of rules that holds nothing",
            "A file that `load` names is empty, or has only comments. What the other files say of its names would be "
            "noise, so only this is reported, and lines that can not be read.",
            "# The rules of scoring come here.\n",
            "# The rules of scoring.\nvalue points(p: Seat): int = 0 if p is p1 else 1\n",
        ),
        Code(
            "RW0321",
            "A data file that is not there",
            "The path behind `from` begins in the ruleset's folder.",
            'kind Bush from "data/tree.yaml"\n',
            "Bush:\n    gorse: {}\n",
        ),
        Code(
            "RW0322",
            "A value of the manifest that is not there",
            "`result`, `evaluate` and `watch` name values of the rules.",
            "id: test\n"
            "version: 1\n"
            "title: {en: Test, ja: 試験}\n"
            "seats: 2..4\n"
            "load: [state.rules]\n"
            "result: {score: pionts}\n",
            "result: {score: points}\n",
        ),
        Code(
            "RW1111",
            "A text is missing",
            "Every option, card, enum member and question has a text in English and in Japanese. Until then the "
            "English text or the id is shown.",
            "Mood: {glad: 嬉しい}\n",
            "Mood: {glad: 嬉しい, sad: 悲しい}\n",
        ),
        Code(
            "RW1112",
            "A placeholder that names nothing",
            "`{name}` in a text stands for something that is in sight where the text is used: a name of the "
            "choice, a parameter, a value.",
            'game:\n    q: {ask: "Whom?", pick: "{prize(q)}"}\n',
            'game:\n    q: {ask: "Whom?", pick: "{q}"}\n',
        ),
        Code(
            "RW0131",
            "Not UTF-8",
            "All files of a ruleset are UTF-8 text. This one has bytes that mean nothing there.",
            "# a file saved in another encoding\n",
            "# a file saved as UTF-8\n",
        ),
        Code(
            "RW0323",
            "A value of another form",
            "`score` takes an actor and gives a number, `winners` takes nothing and gives a set of actors, "
            "`evaluate` takes a seat and gives a number, `watch` names numbers of the game or of a seat.",
            "id: test\n"
            "version: 1\n"
            "title: {en: Test, ja: 試験}\n"
            "seats: 2..4\n"
            "load: [state.rules]\n"
            "result:\n"
            "    score: points\n"
            "    winners: best\n"
            "evaluate: best\n",
            "result: {score: points, winners: winners}\nevaluate: points\n",
        ),
        Code(
            "RW0324",
            "A preset names an unknown option",
            "A preset gives answers to options, which are declared in the rules.",
            "id: test\n"
            "version: 1\n"
            "title: {en: Test, ja: 試験}\n"
            "seats: 2..4\n"
            "load: [state.rules]\n"
            "presets:\n"
            "    slow: {harvets: late}\n",
            "presets:\n    slow: {harvest: late}\n",
        ),
        Code(
            "RW0325",
            "A preset gives an unknown answer",
            "The option has answers of its own; a bool option has `true` and `false`.",
            "id: test\n"
            "version: 1\n"
            "title: {en: Test, ja: 試験}\n"
            "seats: 2..4\n"
            "load: [state.rules]\n"
            "presets:\n"
            "    slow: {harvest: laet}\n"
            "    wide: {long: maybe}\n",
            "presets:\n    slow: {harvest: late}\n",
        ),
        Code(
            "RW0360",
            "A hint about something that is not there",
            "`display.yaml` names kinds, members, fields, zones and values of the rules. A name that nothing "
            "bears would show nothing.",
            "members:\n"
            "    Moood: {glad: {glyph: G}}\n"
            "    Mood: {glda: {glyph: G}}\n"
            "map:\n"
            "    layers:\n"
            "        - kind: Actr\n"
            "          at: {actor_1: [0, 0]}\n"
            "        - kind: Actor\n"
            "          at: {actor_3: [0, 0]}\n"
            "panels:\n"
            "    - {id: moods, per: Actor, columns: [moood]}\n",
            "members:\n"
            "    Mood: {glad: {glyph: G}}\n"
            "map:\n"
            "    layers:\n"
            "        - kind: Actor\n"
            "          at: {actor_1: [0, 0], actor_2: [4, 0]}\n"
            "panels:\n"
            "    - {id: moods, per: Actor, columns: [mood]}\n",
        ),
        Code(
            "RW1113",
            "A text at a misspelt address",
            "The text belongs to nothing, and an address that differs by a letter or two has none. Its key is "
            "probably misspelt.",
            "Mood:\n    glad: happy\n    sda: unhappy\n",
            "Mood: {glad: happy, sad: unhappy}\n",
        ),
        Code(
            "RW1115",
            "A card that no record names",
            "The records of a data file have a constant that names the cards of this kind, as a letter names whom it "
            "shows; no record names this card, and the rules do not either. Nothing brings it into play.",
            "kind Weather\n"
            "    const power: 0..9\n"
            'kind Day from "data/days.yaml"\n'
            "    const weather: Weather\n"
            "card rain: Weather\n"
            "    power: 1\n"
            "card hail: Weather\n"
            "    power: 2\n",
            "kind Weather\n"
            "    const power: 0..9\n"
            'kind Day from "data/days.yaml"\n'
            "    const weather: Weather\n"
            "card rain: Weather\n"
            "    power: 1\n",
        ),
        Code(
            "RW1114",
            "Checked only in part",
            "What was found wrong left a hole that a later part of the check fell into. Mend the errors that are shown "
            "and check again. If this stays when they are mended, it is a fault of the checker, not of the rules.",
            "value heavy(t: Tree): bool = t.agee > 3\n",
            "value heavy(t: Tree): bool = t.age > 3\n",
        ),
    )
}
