"""The embedded model says the same in every process."""

from __future__ import annotations

import os
import subprocess
import sys

SCRIPT = """
import asyncio
from memkit import Message, Request
from memkit_plugins.extractive.model import Extractive
words = "kiln glaze apron wheel studio clay shelf market".split()
# Each word on a number of lines of its own; then two lines alike in the words asked for, of which one has few others
# and one many: their sets are gone through in unlike orders.
for n in range(60):
    held = " ".join(words[(n + at) % 8] for at in range(5))
    lines = [word for at, word in enumerate(words) for _ in range(1 + (n * n + 7 * at * n + 3 * at) % 11)]
    lines += ["-", held + " old brick near water under stone beside river bank today again", "-", held]
    text = "\\n".join(f"[S1T{number}] Ann: {line}" for number, line in enumerate(lines))
    asked = f"<log>\\n{text}\\n</log>\\n\\nQuestion: Which {' '.join(words)}?"
    request = Request((Message("system", "x"), Message("user", asked)), "search")
    print(asyncio.run(Extractive().complete(request)).message.content)
"""


def test_hash_seed_changes_nothing() -> None:
    """Ties between lines fall the same way whatever order the process gives its sets."""
    said = {
        subprocess.check_output([sys.executable, "-c", SCRIPT], env={**os.environ, "PYTHONHASHSEED": str(seed)})
        for seed in range(6)
    }

    assert 1 == len(said)
    assert b"[S1T" in said.pop()
