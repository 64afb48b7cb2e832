"""Exit codes, the same for every command."""

from __future__ import annotations

DONE = 0
PROBLEMS = 1
"""A check found something."""
USAGE = 2
"""Usage or bad input; nothing was done."""
INCOMPLETE = 3
"""Something is missing or was not stored; the same command again goes on."""
GATE_FAILED = 4
"""An arm is worse than a gate of the spec allows."""
GATE_INCONCLUSIVE = 5
"""The data do not decide a gate, and `--strict` asks that they do."""
BUDGET_HIT = 6
"""The budget of the spec is used up; what is done is usable, and the same command with a larger one goes on."""
TOO_MANY_ERRORS = 7
"""More answers failed than the spec allows; what is done is usable, and the same command goes on."""
NOT_COMPARABLE = 8
"""The arms differ in something that the spec holds equal."""
INTERRUPTED = 130
"""Ctrl-C; the same command again goes on."""
PIPE_CLOSED = 141
"""Whoever read the output stopped reading."""
