"""Files: readers and atomic writers for boards, traces, instances, answers and fixed queens.

``boards`` recognizes the format of its input by the content. ``traces``, ``instances`` and all writers use the suffix.
Input files are parsed as numbers; they are never executed or unpickled. Pictures and pages are made in other folders
and written through ``atomic``. Only answers grow in place, in ``answers``. This folder can import ``board``,
``instance``, ``errors`` and ``_run``.
"""
