"""Benchmarks, whose results are stored as JSON with the machine, the commit and the seeds.

``python -m bench WHAT ...`` measures. Each WHAT has a result file and at least one table on a page: see
bench/README.md.
"""
