"""Benchmarks: how fast fastqueens is, as ratios taken in one run, kept as JSON with the machine they ran on.

``python -m bench promises`` measures the table of promises, ``document001`` our times beside the ones that document
001 published, ``report`` writes both into the README. See docs/benchmarks.md.
"""
