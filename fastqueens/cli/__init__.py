"""The command line, the only folder that prints. It can import every other folder, and no folder imports it.

Each command has a file with its name, in which its options stand above the function that does its work. ``app`` runs
a command and explains errors, ``session`` is one run with its output, signals and exit codes, ``output`` prints,
``terminal`` draws in terminals with colours, ``options`` turns declared options into those of click and has the options
that several commands share, ``algorithms`` has those of climb and study, and ``inputs`` reads boards and instances.
"""
