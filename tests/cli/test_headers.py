"""Files that say what they are: each result is repeated from its header alone, and then has the same numbers."""

import csv
import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

from fastqueens.classroom.algorithms import ALGORITHMS, MOVES, SCHEDULES, Limits
from fastqueens.cli.app import cli
from fastqueens.files.headers import spans

#: Options that cannot change numbers, and options of other modes of a command.
NEUTRAL = {
    *(
        "n_option",
        "path",
        "plot",
        "poster",
        "trace",
        "runs_file",
        "show",
        "quiet",
        "as_json",
        "scale",
        "theme",
        "origin",
    ),
    *("what", "title", "size", "dpi", "threads", "scheduler", "checkpoint", "force"),
    *("static_point", "unique"),
}

#: The names of options in files, where they differ from those of the command line.
IN_FILES = {
    **dict.fromkeys(("rows", "file"), "board"),
    **dict.fromkeys(("queen", "queens_file", "block", "exclude_sum", "exclude_difference"), "instance"),
    **dict.fromkeys(("seconds", "error"), "replicas"),
    "restarts": "restart_limit",
    "sideways": "sideways_limit",
    "algorithms": "algorithm",
}

#: The top-level keys of a header. Other keys at the top of a JSON object are results.
TOP = ("n", "algorithm", "algorithms", "runs", "seed", "seeds", "rows_from", "instance", "limit", "fundamental")

#: Values of options, as functions of a random generator.
VALUES = {
    "n": lambda r: str(r.randint(4, 9)),
    "runs": lambda r: str(r.randint(1, 9)),
    "seed": lambda r: str(r.choice([0, 7, 2**63])),
    "seeds": lambda r: r.choice(["3..5", "1,4"]),
    "rows_from": lambda r: "1",
    "file": lambda r: "six.txt",
    "rows": lambda r: "2 2 3 1 5 4",
    "moves": lambda r: r.choice(list(MOVES)),
    "sideways": lambda r: str(r.randint(0, 5)),
    "restarts": lambda r: str(r.randint(0, 3)),
    "temperature": lambda r: r.choice(["0.5", "3"]),
    "cooling": lambda r: r.choice(["0.5", "0.8"]),
    "schedule": lambda r: r.choice(SCHEDULES),
    "cool_after": lambda r: "proposal",
    "tries": lambda r: str(r.randint(1, 30)),
    "beam": lambda r: str(r.randint(1, 5)),
    "population": lambda r: str(r.randint(2, 9)),
    "mutation": lambda r: r.choice(["0", "0.25"]),
    "max_steps": lambda r: str(r.randint(0, 6)),
    "max_evaluations": lambda r: str(r.randint(1, 300)),
    "time_limit": lambda r: "1000",
    "count": lambda r: str(r.randint(1, 40)),
    "thinning": lambda r: str(r.randint(1, 9)),
    "replicas": lambda r: str(r.randint(4, 9)),
    "seconds": lambda r: "0.01",
    "error": lambda r: "0.5",
    "start": lambda r: r.choice(["uniform", "random", "permutation"]),
    "method": lambda r: r.choice(["local", "complete"]),
    "max_nodes": lambda r: str(r.randint(1, 50)),
    "mix": lambda r: "2",
    "instance": lambda r: "eight.json",
    "queen": lambda r: "1,3",
    "queens_file": lambda r: "fixed.csv",
    "block": lambda r: "0,1",
    "exclude_sum": lambda r: "2",
    "exclude_difference": lambda r: "-3",
    "limit": lambda r: "2",
    "fundamental": lambda r: None,
    "queens": lambda r: str(r.randint(2, 4)),
}

#: The words that write a result, and the options that do not belong to it. Names that end with - are on stdout.
#: A time limit of a whole command leaves a part of the result, which says so.
OUTPUTS = {
    "study.json": (["study", "-o", "study.json", "--runs", "5"], ()),
    "study.csv": (["study", "-o", "study.csv", "--runs", "5"], ()),
    "runs.csv": (["study", "--runs-file", "runs.csv", "--runs", "2"], ("runs",)),
    "climb -": (["climb", "--json"], ("runs",)),
    "climb.npz": (["climb", "-o", "climb.npz"], ("runs", "rows_from", "beam", "population", "mutation")),
    "sample -": (["sample", "--json"], ("time_limit",)),
    "sample.npz": (["sample", "-o", "sample.npz"], ("time_limit",)),
    "sample.txt": (["sample", "-o", "sample.txt"], ("time_limit",)),
    "estimate -": (["estimate", "--json"], ("time_limit", "rows_from")),
    "runtimes -": (["runtimes", "--json"], ()),
    "runtimes.csv": (["runtimes", "-o", "runtimes.csv"], ()),
    "solve -": (["solve", "--json"], ()),
    "trace.npz": (["solve", "--trace", "trace.npz"], ("rows_from",)),
    "prove -": (["prove", "--json"], ("rows_from",)),
    "count -": (["count", "--json"], ("rows_from", "time_limit")),
    "batch -": (["batch", "batch.jsonl"], ("file",)),
    "puzzles.jsonl": (
        ["puzzle", "--many", "3", "-o", "puzzles.jsonl"],
        ("rows_from", "solvable", "unique", "many", "time_limit", "per_page", "answers", "size"),
    ),
}


@pytest.fixture(autouse=True)
def _files(tmp_path):
    (tmp_path / "six.txt").write_text("2 2 3 1 5 4")
    (tmp_path / "eight.json").write_text('{"n": 8, "fixed": [[4, 4]], "blocked": [[0, 0]]}')
    (tmp_path / "fixed.csv").write_text("column,row\n2,5\n")
    (tmp_path / "batch.jsonl").write_text('{"n": 8}\n{"n": 9, "fixed": [[1, 3]]}\n{"n": 4, "fixed": [[0, 0]]}\n')


def options_of(name):
    """Return the parameters whose values can change the numbers of an output."""
    words, others = OUTPUTS[name]
    params = cli.get_command(None, words[0]).params
    unknown = {param.name for param in params} - NEUTRAL - VALUES.keys() - {"algorithms", *others}
    assert not unknown, f"{unknown} of {name} neither has values here nor is declared to be neutral"
    return [param for param in params if param.name not in {*NEUTRAL, *others}]


def results_in(name, stdout):
    """Return the results in a file or on stdout, each with its header."""
    kind = Path(name).suffix
    if kind == ".csv":
        with open(name, newline="") as file:
            return [{key: value for key, value in row.items() if value} for row in csv.DictReader(file)]
    if kind == ".npz":
        with np.load(name) as file:
            found = {key: file[key].tolist() for key in file}
        return [found | {key: json.loads(found[key]) for key in ("options", "instance") if key in found}]
    if kind == ".txt":
        comment, *lines = Path(name).read_text().splitlines()
        return [json.loads(comment.removeprefix("# fastqueens ")) | {"lines": lines}]
    text = Path(name).read_text() if kind else stdout
    if kind == ".jsonl" or text.startswith('{"number"'):
        return list(map(json.loads, text.splitlines()))
    found = json.loads(text)
    return found if isinstance(found, list) else [found]


def numbers(found):
    """Return a result without times, and without what says which of several results it is."""
    if isinstance(found, dict):
        left_out = r".*seconds.*|version|digest|number"
        return {key: numbers(value) for key, value in found.items() if not re.fullmatch(left_out, key)}
    return list(map(numbers, found)) if isinstance(found, list) else found


def command_line(params, result):
    """Return the words that repeat a result, from its header alone."""
    header = header_in(result)
    words = []
    for param in params:
        key = key_of(param, header)
        value = header.pop(key, None)
        if value is None or value is False or value in ("unlimited", "default"):
            continue
        if key == "instance":
            Path("again.json").write_text(json.dumps(value))
            words += ["--instance", "again.json"]
        elif key == "board":
            words += ["--board", " ".join(str(row + header.get("rows_from", 0)) for row in value)]
        else:
            if isinstance(value, list):
                value = spans(value) if key in ("n", "seeds") else ",".join(value)
            words += ["--n" if key == "n" else param.opts[0], *([] if value is True else [str(value)])]
    return words


def combined(words, others):
    """Return all words; an option --runs among the others replaces an earlier one."""
    at = words.index("--runs") if {"--runs"} <= {*words} & {*others} else len(words)
    return [*words[:at], *words[at + 2 :], *others]


def header_in(result):
    """Return the header of a result as one flat dictionary."""
    header = {key: value for key, value in result.items() if key in TOP or "options" not in result}
    return header | result.get("options", {})


def key_of(param, header):
    """Return the name of an option in a header."""
    return param.name if param.name == "algorithms" and "algorithms" in header else IN_FILES.get(param.name, param.name)


def accepted(run, words, options):
    """Run a command with as many of the options as it accepts together; return these and its output, or None."""
    while True:
        if words[0] == "estimate" and not {"replicas", "error"} & {param.name for param, _ in options}:
            return None  # the usual number of replicas takes seconds
        exit_code, stdout, stderr = run(*combined(words, [word for chosen in options for word in chosen[1]]))
        if exit_code in (0, 1):
            return [param for param, _ in options], stdout
        assert exit_code in (2, 3), stderr
        if exit_code == 3 or not options:
            return None
        refused = [option for option in options if re.search(rf"{option[1][0]}\b", stderr)]
        options.remove((refused or options)[-1])


def algorithms_using(names, generator):
    """Return algorithms to which all of these options apply if there are any, or else any algorithms."""
    limits = names & set(Limits._fields)
    using = [name for name, row in ALGORITHMS.items() if all(map(row.uses, limits)) and not row.refused_moves]
    return ",".join(generator.sample(using or list(ALGORITHMS), generator.randint(1, min(2, len(using or ALGORITHMS)))))


def option_words(param, names, generator):
    value = algorithms_using(names, generator) if param.name == "algorithms" else VALUES[param.name](generator)
    return ["--n" if param.name == "n" else param.opts[0], *([] if value is None else [value])]


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_result_can_be_repeated_from_its_header_alone(run, name):
    """Random options are tried until each of them is in the header of a result."""
    generator, params = random.Random(name), options_of(name)
    file = "" if name.endswith("-") else name
    words, unused, sets = OUTPUTS[name][0], {param.name: param for param in params}, 0
    for _ in range(100):
        chosen = [*generator.sample(list(unused.values()), min(2, len(unused))), *generator.sample(params, 2)]
        names = {param.name for param in chosen}
        names |= {"algorithms"} if "error" in names else {"algorithms", "replicas"}
        chosen = {param.name: param for param in params if param.name in names}
        options = [(param, option_words(param, chosen.keys(), generator)) for param in chosen.values()]
        made = accepted(run, words, options)
        if made is None:
            continue
        given, stdout = made
        results = results_in(file, stdout)
        for k, result in enumerate(results[:2]):
            single = ["--runs", "1"] if words[0] == "climb" or name == "runs.csv" else []
            again = combined(combined(words, command_line(params, result)), single)
            exit_code, stdout, stderr = run(*again)
            assert exit_code in (0, 1), (again, stderr)
            found = results_in(file, stdout)
            assert numbers(found[k if len(found) == len(results) else 0]) == numbers(result), (given, again)
        sets += 1
        for param in given:
            if any(key_of(param, header_in(result)) in header_in(result) for result in results):
                unused.pop(param.name, None)
        if not unused and sets >= 2:
            return
    assert not unused, f"these options are not in the header of {name}"
