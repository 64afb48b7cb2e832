"""What bubblewrap tells while it runs: the first process of the sandbox, and how the command ended."""

from __future__ import annotations

import json
import os
import select
import signal
from contextlib import suppress

from attrs import field, mutable

DEATH_SECONDS = 10.0
"""How long killed processes may take to be gone."""
_NOT_OPEN = -1


@mutable
class Status:
    """Reads the lines of JSON that `--json-status-fd` writes; `fd` is the end to read, owned by the caller."""

    fd: int
    _data: bytes = field(default=b"", init=False)
    _first: int = field(default=_NOT_OPEN, init=False)

    def read(self) -> bool:
        """Take in what is there, waiting for it; False at the end. Opens the first process once it is named."""
        data = os.read(self.fd, 4096)
        self._data += data
        pid = self._value("child-pid") if self._first == _NOT_OPEN else None
        if pid is not None:
            with suppress(ProcessLookupError):
                self._first = os.pidfd_open(pid)
        return bool(data)

    def end(self) -> None:
        """Kill the first process and wait until it is gone, and its whole pid namespace with it.

        Bubblewrap itself ends before that, when processes in the background may still write.
        Raises TimeoutError.
        """
        while self.read():  # its writers are bubblewrap's own processes, which are dead or about to be
            pass
        if self._first == _NOT_OPEN:
            return
        try:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)
            gone, _, _ = select.select([self._first], [], [], DEATH_SECONDS)
        finally:
            os.close(self._first)
            self._first = _NOT_OPEN
        if not gone:
            raise TimeoutError(f"processes of the command are left {DEATH_SECONDS:g} s after they were killed")

    def exit_code(self) -> int | None:
        """Of the command; None when it did not run to its end."""
        return self._value("exit-code")

    def _value(self, key: str) -> int | None:
        for line in self._data.split(b"\n")[:-1]:
            with suppress(ValueError):
                document = json.loads(line)
                if isinstance(document, dict) and isinstance(document.get(key), int):
                    return int(document[key])
        return None
