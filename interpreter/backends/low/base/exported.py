"""The face of a module to its host: the names of what it exports, and how rows of options are laid out."""

from __future__ import annotations

BEGIN, RELIST = "begin", "relist"
"""Functions: the store has so many words; list the options of the pending question."""

START, STEP, TAKE_ROW = "start", "step", "take_row"
"""Functions that drive: list the options of the store of this length, or run on to the next question; take the option
with this index among those that are listed, and run on; take the option whose row stands first among them, in the store
of this length, and run on. They give the length of the store, the seat that is asked, and the number of options in one
number. `step` keeps the store and the option that it takes, for the host where it gives up."""

LENGTH_AT, SEAT_AT = 32, 24  # bits from which on the length and the seat stand in it
LIST_OUTCOMES, TAKE_OUTCOME = "list_outcomes", "take_outcome"
"""Functions: list the outcomes of the awaited event of chance where options stand, and give their number (0: none is
awaited); take the one with this value and run on, which gives the pending site plus 1."""

OUTCOME_WORDS = 2  # of an outcome: its value and its weight
SETTLED = "settled"  # function: take forced answers if that is wanted; gives the same as `step`
SETTLES = "settles"  # global: whether forced answers are taken
BEST, BEST_WORTH, NOW_WORTH = "best", "bot_best", "bot_now"
"""A function and two globals of the greedy bot: which option it takes in the store of this length, of so many rows in
memory, for this seat, and whether it rather declines; what the best ones are worth, and the store as it stands."""
SEARCH_ROOT, SEARCH = "tree_root", "tree_grown"
"""Functions: the question of the store of this length, with so many options in memory, is searched from now on; so many
iterations in all for this seat, with the scale of a margin, the most random answers, and the weight of what is less
tried, in hundredths: gives the best option."""
SEARCHED = "searched"  # global: the iterations so far, one that gave up among them
PERFT = "perft"  # function: how many sequences of so many decisions there are from the store of this length


SP, COUNT = "sp", "count"  # globals: the length of the store, the options of the question
ALL_WAYS = "all_ways"  # global: whether all ways to pay are listed, not the usual one alone

PICK, NUMBER, ADD, AMOUNT, READY, DECLINE = range(6)  # kinds of options
KIND_NAMES = ("pick", "number", "add", "amount", "ready", "decline")
VALUES = 3  # where the values of a row begin: behind its kind, its first code, and how many they are

SLOTS_RESET, SLOTS_STEP, SLOTS_OBSERVE = "slots_reset", "slots_step", "slots_observe"
"""Functions of slots, from the first to below the second number: begin the games of those with an action other than 0;
take the action of each (the first call, for slot 0, looks first whether all are legal, and gives -1 less the first slot
whose action is not), and go on to its next question; write the observations of a seat, at an address."""

(
    ACTION, LEGAL, COUNTS, ASKED_SEAT, SCORES, WINNERS, ENDED, TAKEN, SEEDS, OBSERVATION, FINAL, MASK, CHOSEN, ROWS,
    OPEN, STORE, REWARD,
) = range(17)  # fmt: skip
"""The arrays of slots, each with its own number of words for each slot: the number of the answer (a long number); the
numbers of the legal ones, how many they are, and who is asked; scores and winners (a set of seats) of the game that the
last step brought to its end, 0 if none; how the last step ended a game; answers of the game so far; where the seeds of
the next games come from and the seed of the game in play (long numbers); the observation of the seat that is asked, and
that of the seat that ended a game; the legal numbers as bytes of 1; the index of the answer; the rows of the options;
the length, seat and store of the open plan; the length and the store; the score of the seat whose answer brought a game
to its end."""

IN_PLAY, TERMINATED, TRUNCATED = range(3)  # how a step ended
ANSWERING, BEGINNING = range(2)  # what low code does in a slot: take an answer, or begin a game
