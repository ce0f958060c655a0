"""The options of the command line that state an instance."""

import click
import pytest
from errors import check_error

from fastqueens.cli import inputs, options
from fastqueens.cli.output import Output
from fastqueens.cli.process import Session
from fastqueens.core.progress import Display


@click.command()
@options.stated
@options.rows_from
def _command(**values):
    return options.Stated(**values)


def instance_of(n, *arguments):
    stated = _command.main(list(arguments), standalone_mode=False)
    return inputs.instance_of(Output(Session()), n, stated)


def parts(instance):
    return (
        instance.n,
        instance.fixed.squares.tolist(),
        instance.blocked.tolist(),
        instance.excluded_sums.tolist(),
        instance.excluded_differences.tolist(),
    )


def test_without_options_there_is_no_instance():
    assert instance_of(8) is None
    assert instance_of(8, "--exclude-sum", "0") is not None


def test_all_options_state_one_instance():
    one_by_one = ["--queen", "1,3", "--block", "7,0", "--block", "0,7", "--exclude-sum", "1e1"]
    found = instance_of(8, *one_by_one, "--exclude-difference", "-7", "--exclude-difference", "0")
    assert parts(found) == (8, [[1, 3]], [[0, 7], [7, 0]], [10], [-7, 0])


def test_rows_may_count_from_one_but_diagonals_count_from_zero(tmp_path):
    (tmp_path / "fixed.csv").write_text("column,row\n2,8\n")
    from_file = ["--queens-file", str(tmp_path / "fixed.csv")]
    found = instance_of(8, "--queen", "1,4", "--block", "0,1", "--exclude-sum", "0", "--rows-from", "1", *from_file)
    assert parts(found) == (8, [[1, 3], [2, 7]], [[0, 0]], [0], [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--block", "8,0"], "blocked square in column 8, row 0: columns go from 0 to 7"),
        (["--block", "0,0", "--rows-from", "1"], "blocked square in column 0, row 0: rows go from 1 to 8"),
        (["--block", "a1"], "'a1' is not a square; write COLUMN,ROW, for example 3,17"),
        (["--exclude-sum", "15"], "excluded sum diagonal 15: on a board of 8 they go from 0 to 14"),
        (["--exclude-sum", "-1"], "excluded sum diagonal -1: on a board of 8 they go from 0 to 14"),
        (["--exclude-difference", "8"], "excluded difference diagonal 8: on a board of 8 they go from -7 to 7"),
        (["--queen", "1,3", "--block", "1,3"], "the fixed queen in column 1, row 3 is on a blocked square"),
        (["--queen", "1,3", "--block", "1,3", "--rows-from", "1"], "column 1, row 3 is on a blocked square"),
        (["--exclude-sum", "1.5"], "'1.5' is not a whole number"),
    ],
)
def test_impossible_instances_are_refused(arguments, message):
    with pytest.raises(Exception) as caught:
        instance_of(8, *arguments)
    assert message in str(caught.value)


def test_the_size_of_the_board_must_be_known():
    with check_error(click.UsageError, "N", "--instance"):
        instance_of(None, "--block", "0,0")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--first", "3", "q.txt"], "--first says how many diagonals of a file to exclude"),
        (["--instance", "-", "--queens-file", "-", "q.txt"], "--instance and --queens-file cannot both be read"),
        (["--instance", "-", "-"], "FILE and --instance cannot both be read from stdin"),
        (["--queens-file", "-", "-"], "FILE and --queens-file cannot both be read from stdin"),
    ],
)
def test_contradictions_are_refused(run, arguments, message):
    exit_code, _, stderr = run("verify", *arguments)
    assert exit_code == 2
    assert message in stderr


@pytest.mark.parametrize(("total", "shown"), [(10**8, 10**8), (2**61, 2**61), (2**61 + 1, None), (2**62, None)])
def test_a_search_without_a_limit_shows_no_share(total, shown):
    display = Display()
    display.report("complete search", 5, total)
    assert display._state == ("complete search", 5, shown)
