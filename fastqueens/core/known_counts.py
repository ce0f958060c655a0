"""How many solutions free boards have, as far as they have been counted: OEIS A000170."""

from __future__ import annotations

# n = 26 was counted at TU Dresden in 2009, n = 27 by Preußer and Engelhardt in 2016.
_COUNTS = (
    1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2_680, 14_200, 73_712, 365_596, 2_279_184, 14_772_512, 95_815_104,
    666_090_624, 4_968_057_848, 39_029_188_884, 314_666_222_712, 2_691_008_701_644, 24_233_937_684_440,
    227_514_171_973_736, 2_207_893_435_808_352, 22_317_699_616_364_044, 234_907_967_154_122_528,
)  # fmt: skip


def known_count(n: int) -> int | None:
    """Return the number of solutions for n; None if it has not been counted.

    >>> known_count(8), known_count(28)
    (92, None)
    """
    return _COUNTS[n - 1] if n <= len(_COUNTS) else None
