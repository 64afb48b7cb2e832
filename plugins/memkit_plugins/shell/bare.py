"""Level E: a command with no sandbox around it, for who said in so many words that it may be.

What is left of the protection: a private copy, an empty environment, limits, and for root another user. A command
can read what that user can read, reach the network, and leave processes behind.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from threading import Event

from attrs import evolve, frozen

from memkit import ROOT
from memkit_plugins.shell.bubblewrap import ENVIRONMENT, drop_root
from memkit_plugins.shell.caps import Caps, bounded
from memkit_plugins.shell.copies import NOBODY, Copy
from memkit_plugins.shell.process import Launch, Outcome, supervise

_MEMORIES = re.compile(rf"(?<![\w./-]){ROOT}(?![\w.-])")


@frozen
class Bare:
    """Runs commands as they are; `setpriv` is for root."""

    setpriv: str | None
    level: str = "E"

    def run(self, copy: Copy, command: str, *, writable: bool, caps: Caps, stop: Event) -> Outcome:  # noqa: ARG002
        """Run `command` in bash, started in `copy` and with /memories read as the copy's folder. Raises OSError."""
        memories = str(copy.memories)
        command = _MEMORIES.sub(lambda _: memories, command)
        user = NOBODY if self.setpriv else os.getuid()
        argv = (
            *(drop_root(self.setpriv) if self.setpriv else ()),
            *bounded(command, caps, caps.processes + _threads_of(user)),
        )
        launch = Launch(argv, env={**ENVIRONMENT, "HOME": memories}, cwd=copy.memories)
        outcome = supervise(launch, caps=caps, watch=lambda: copy.over(caps), stop=stop)
        return evolve(outcome, output=outcome.output.replace(memories, ROOT))


def _threads_of(user: int) -> int:
    """What counts against the limit on processes already: without a namespace it is for the user as a whole."""
    threads = 0
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if process.name.isdigit() and process.stat().st_uid == user:
                threads += sum(1 for _ in (process / "task").iterdir())
    return threads
