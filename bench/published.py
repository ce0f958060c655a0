"""The times of Bursey et al. (2019), from whose program fastqueens was developed: docs/classroom.md has the source."""

#: By n: seconds of the placement and of the search, on an unknown machine (its section 5).
PUBLISHED = {
    10: (0.0, 0.00199),
    100: (0.00199, 0.02892),
    1000: (0.02396, 0.2224),
    10_000: (0.58743, 2.69502),
    100_000: (40.54628, 31.48562),
    300_000: (693.06785, 58.69569),
    1_000_000: (5985.30265, 230.9969),
}
