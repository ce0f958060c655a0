"""Boards, traces, instances, answers and fixed queens in files: readers and atomic writers.

``boards`` chooses the format that it reads by the content; ``traces``, ``instances`` and all writers go by the suffix.
Input files are parsed as numbers and never executed or unpickled. Pictures and pages are made in other folders and
written through ``atomic``; only answers and checkpoints grow in place, in ``growing``. May import ``board``,
``instance``, ``errors`` and ``_run``.
"""
