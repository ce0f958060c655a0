"""Fuzzing of the command line: strange files, strange options, and what must never come of them.

inputs.py makes the inputs (hypothesis), trial.py runs one and tells what is wrong with what happened, __main__.py runs
as many as asked for (``make fuzz``). tests/test_fuzz.py runs some of them with the other tests.
"""
