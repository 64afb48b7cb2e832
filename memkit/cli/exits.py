"""Exit codes, the same for every command."""

from __future__ import annotations

DONE = 0
PROBLEMS = 1
"""A check found something."""
USAGE = 2
"""Usage or bad input; nothing was done."""
INCOMPLETE = 3
"""Something is missing or was not stored; the same command again goes on."""
INTERRUPTED = 130
"""Ctrl-C; the same command again goes on."""
PIPE_CLOSED = 141
"""Whoever read the output stopped reading."""
