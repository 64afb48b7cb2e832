"""Running one command to its end or to a cap, whichever comes first, and leaving none of its processes behind."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event

from attrs import field, frozen, mutable

from memkit_plugins.shell.caps import Caps
from memkit_plugins.shell.capture import Capture
from memkit_plugins.shell.status import Status

POLL_SECONDS = 0.05
"""How often a cap is looked at."""
WATCH_SHARE = 5
"""Measuring the copy takes at most one part in so many of the time."""
CHUNK_BYTES = 65_536

Watch = Callable[[], str | None]
"""Looks at the copy and gives the cap it is over, or None."""


@frozen
class Outcome:
    """How a command ended. `exit_code` is None when it was stopped, and `stopped` says why.

    `truncated` counts the bytes of output that are left out of `output`.
    """

    output: str
    truncated: int
    exit_code: int | None
    stopped: str = ""

    @property
    def signal(self) -> str:
        """The name of the signal that ended it, which shells tell as an exit code of 128 and more; else empty."""
        try:
            return signal.Signals((self.exit_code or 0) - 128).name
        except ValueError:
            return ""


@frozen
class Launch:
    """What to start: `fds` are handed to the command and closed here."""

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path | None = None
    fds: Sequence[int] = ()


def supervise(launch: Launch, *, caps: Caps, watch: Watch, stop: Event, status: Status | None = None) -> Outcome:
    """Run a command until it ends, is over a cap, or `stop` is set. Raises OSError when it cannot be started.

    On return its process group is dead, and so is the pid namespace that `status` tells of. The command dies with
    the thread that calls this.
    """
    with _start(launch) as process:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        output = process.stdout.fileno()
        os.set_blocking(output, False)
        run = _Run(process.pid, output, caps, watch, stop, status)
        try:
            stopped = run.follow()
        finally:
            # Not reaped yet, so the number still is that of our group.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            if status:
                status.end()
        run.read_output()
        process.wait()
    text, truncated = run.capture.text()
    ended = status.exit_code() if status else _as_shells_do(process.returncode)
    return Outcome(text, truncated, None if stopped else ended, stopped)


def _start(launch: Launch) -> subprocess.Popen[bytes]:
    with ExitStack() as after:
        for fd in launch.fds:
            after.callback(os.close, fd)
        return subprocess.Popen(
            launch.argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=launch.env,
            cwd=launch.cwd,
            pass_fds=launch.fds,
            start_new_session=True,
            bufsize=0,
        )


def _as_shells_do(returncode: int) -> int:
    return 128 - returncode if returncode < 0 else returncode


@mutable
class _Run:
    pid: int
    output: int
    caps: Caps
    watch: Watch
    stop: Event
    status: Status | None
    capture: Capture = field(factory=Capture, init=False)

    def follow(self) -> str:
        """Read until the command ends; what stopped it, if anything did."""
        deadline = time.monotonic() + self.caps.seconds
        look = 0.0
        leader = os.pidfd_open(self.pid)
        with ExitStack() as after:
            after.callback(os.close, leader)
            selector = after.enter_context(selectors.DefaultSelector())
            for fd in (leader, self.output, *((self.status.fd,) if self.status else ())):
                selector.register(fd, selectors.EVENT_READ)
            while True:
                ready = [key.fd for key, _ in selector.select(POLL_SECONDS)]
                for fd in ready:
                    if fd != leader and not self._read(fd):
                        selector.unregister(fd)
                if leader in ready:
                    return self.watch() or ""
                now = time.monotonic()
                if now >= look and (reason := self.watch()):
                    return reason
                look = max(look, now + WATCH_SHARE * (time.monotonic() - now))
                if reason := self._over(deadline):
                    return reason

    def read_output(self) -> None:
        """Take in what is in the pipe, without waiting for more."""
        while self._read(self.output):
            pass

    def _read(self, fd: int) -> bool:
        """Whether there was something to read."""
        if self.status and fd == self.status.fd:
            return self.status.read()
        try:
            data = os.read(fd, CHUNK_BYTES)
        except BlockingIOError:
            return False
        self.capture.feed(data)
        return bool(data)

    def _over(self, deadline: float) -> str:
        if self.stop.is_set():
            return "it was interrupted"
        if time.monotonic() >= deadline:
            return f"it ran for {self.caps.seconds:g} s, the most a command may take"
        if self.capture.total > self.caps.output_bytes:
            return f"it wrote more than {self.caps.output_bytes:,} bytes of output"
        return ""
