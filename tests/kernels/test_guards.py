"""No kernel writes beyond its arrays."""

import numpy as np
import pytest
from guards import guarded
from kernel_calls import call_all, kernels_run_by

from fastqueens.kernels import windows


def test_no_kernel_writes_beyond_its_arrays():
    with kernels_run_by(guarded):
        call_all()


def test_a_write_beyond_an_array_is_noticed():
    with kernels_run_by(guarded), pytest.raises(AssertionError, match="place_random writes beyond an array"):
        windows.place_random(np.zeros(100, np.int32), np.uint64(1), np.uint64(0), 0, 101)
