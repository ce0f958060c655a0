"""Stand-ins for an executor."""

import random
import threading
from concurrent.futures import Future


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


class RandomOrder:
    """An executor of one thread, which makes one of the calls that wait, at random."""

    _max_workers = 4

    def __init__(self, seed):
        self._draw = random.Random(seed)
        self._calls = []
        self._changed = threading.Condition()
        threading.Thread(target=self._run, daemon=True).start()

    def submit(self, *call):
        future = Future()
        with self._changed:
            self._calls.append((future, call))
            self._changed.notify()
        return future

    def _run(self):
        while True:
            with self._changed:
                while not self._calls:
                    self._changed.wait()
                future, (function, *arguments) = self._calls.pop(self._draw.randrange(len(self._calls)))
            if future.set_running_or_notify_cancel():
                future.set_result(function(*arguments))
