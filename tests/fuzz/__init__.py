"""Fuzzing of readers and of the command line with strange files and strange options.

formats.py has valid files of every format, damage.py damages them, commands.py draws commands for them, trial.py runs
an input and reports its faults, and __main__.py runs any number of them (``make fuzz``). tests/test_fuzz.py runs a few
with the other tests.
"""
