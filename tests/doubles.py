"""Stand-ins: a machine, and an executor."""

from concurrent.futures import Future

MACHINE = {
    "processor": "a processor",
    "cores": 2,
    "memory_gib": 8,
    "system": "a system",
    "python": "3.11",
    "numpy": "2",
    "numba": "0.6",
    "date": "2026-01-01",
}


class LastFirst:
    """An executor that collects calls until there are enough, and runs them from the last to the first."""

    def __init__(self, at_once):
        self.calls = []
        self.at_once = at_once

    def submit(self, *call):
        future = Future()
        self.calls.append((future, call))
        if len(self.calls) == self.at_once:
            for waiting, (function, *arguments) in self.calls[::-1]:
                waiting.set_result(function(*arguments))
            self.calls = []
        return future
