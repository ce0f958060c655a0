"""Random solutions: samples, estimates of the number of solutions, statistics of boards, and the limit shape.

The Markov chain itself is in ``fastqueens/chain.py``, because ``solve`` also mixes boards with it. This folder imports
all lower layers, but neither ``classroom`` nor drawing code, except in methods that draw statistics.
"""
