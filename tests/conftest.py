"""How hypothesis runs here: no deadline, since a first call compiles; the same examples at every run.

``pytest --hypothesis-profile=long`` looks for new ones.
"""

from hypothesis import settings

settings.register_profile("suite", deadline=None, max_examples=40, derandomize=True, database=None)
settings.register_profile("long", deadline=None, max_examples=3000)
settings.load_profile("suite")
