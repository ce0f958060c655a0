"""Benchmarks: how fast fastqueens is, as ratios taken in one run, kept as JSON with the machine they ran on.

``python -m bench WHAT ...`` measures; each WHAT is a result file and a table in README or docs. See docs/benchmarks.md.
"""
