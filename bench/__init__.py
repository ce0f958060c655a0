"""Benchmarks: ratios measured in one run, stored as JSON with their machine, commit and seeds.

``python -m bench WHAT ...`` measures. Each WHAT has a result file, and a table in README or docs: see
docs/benchmarks.md.
"""
