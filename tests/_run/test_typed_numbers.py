"""Numbers as people type them, on the command line and for the benchmarks."""

import pytest
from errors import check_error

from fastqueens import InputError
from fastqueens._run.typed_numbers import decimal, is_number, number, spans

WHOLE = {
    "0": 0, "1000": 1000, " 8 ": 8, "1_000": 1000, "1,200": 1200, "1,234,567": 1_234_567, "-5": -5, "+5": 5,
    "1e6": 10**6, "1E+3": 1000, "1.5e3": 1500, "1.50e1": 15, "18446744073709551615": 2**64 - 1,
}  # fmt: skip

NOT_WHOLE = ["", " ", "1.000", "10.000", "1.5", "1.55e1", "1e-3", "1e9999", "1,00", "1,0000", "1__0", "_1", "0x8", "²"]


def test_whole_numbers():
    for text, value in WHOLE.items():
        assert number(text) == value, text
        assert is_number(text.strip()), text


@pytest.mark.parametrize("text", NOT_WHOLE)
def test_what_is_not_a_whole_number_is_refused(text):
    with check_error(InputError, repr(text), "whole number"):
        number(text)


def test_decimal_numbers_and_lists():
    assert [decimal(text) for text in ("0.5", "1,000", "1e3", "1,000.5")] == [0.5, 1000, 1000, 1000.5]
    for text in ("1,5", "x", ""):
        with check_error(InputError, repr(text)):
            decimal(text)
    assert spans("4..6,8,1e1", 100, "") == [4, 5, 6, 8, 10]
    assert not any(map(is_number, ("8.txt", "queens", "-", "", "e5")))
