"""Boards, traces, instances, answers and fixed queens in files: strict readers, and atomic writers.

``boards``, ``traces`` and ``instances`` choose the format by the suffix; other modules read and write it. Input files
are parsed as numbers and never executed or unpickled. Pictures and pages are made in other folders and written through
``atomic``; only the file of ``answers`` grows in place. May import ``core``.
"""
