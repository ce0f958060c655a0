"""Fuzzing of the command line with strange files and strange options.

inputs.py draws the inputs with hypothesis, trial.py runs one and reports its faults, and __main__.py runs any number of
them (``make fuzz``). tests/test_fuzz.py runs a few with the other tests.
"""
