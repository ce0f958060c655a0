"""Names that the command line offers and the library accepts. Imports nothing, so that ``--help`` stays quick."""

#: How the first board of an attempt is placed.
STARTS = ("windowed", "uniform", "random", "permutation")

#: The methods of solving an instance.
METHODS = ("auto", "local", "complete")

#: The rules of hill climbing, and what each does in a step.
RULES = {
    "steepest": "make the best of all moves, as long as it lowers the cost",
    "sideways": "make the best of all moves, even if it keeps the cost, but not too often in a row",
    "annealing": "draw a move; one that raises the cost is made less often the later it is drawn",
    "min-conflicts": "move a random conflicting queen to the best row of its column",
}

#: All rules of the commands ``climb`` and ``study``, and the rule of :data:`RULES` that each follows.
STUDY_RULES = {
    "steepest": "steepest",
    "sideways": "sideways",
    "restart": "steepest",
    "restart-sideways": "sideways",
    "min-conflicts": "min-conflicts",
    "annealing": "annealing",
}

#: Those that begin again with a new board when they are stuck.
RESTARTING_RULES = ("restart", "restart-sideways")

#: The word for all of them on the command line.
ALL_RULES = "all"
