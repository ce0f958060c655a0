"""The options of the command line that state an instance."""

import click

from fastqueens.cli import inputs, options
from fastqueens.cli.output import Output
from fastqueens.cli.process import Session


@click.command()
@options.stated
@options.rows_from
def _command(**values):
    return options.Stated(**values)


def instance_of(n, *arguments):
    stated = _command.main(list(arguments), standalone_mode=False)
    return inputs.instance_of(Output(Session()), n, stated)


def parts(instance):
    lines = instance.fixed.squares, instance.blocked, instance.excluded_sums, instance.excluded_differences
    return (instance.n, *(array.tolist() for array in lines))


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
