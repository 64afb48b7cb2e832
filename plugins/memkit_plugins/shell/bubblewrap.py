"""Level A: a command in a sandbox of bubblewrap, where all it can change of the host is a copy of the store.

Bubblewrap stays inside as process 1 and keeps its own environment and arguments for all to read there. So it is
started with an empty environment, and gets its options, which name host folders, through a descriptor.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Event

from attrs import frozen

from memkit import ROOT
from memkit_plugins.shell.caps import Caps, bounded
from memkit_plugins.shell.copies import NOBODY, Copy
from memkit_plugins.shell.process import Launch, Outcome, supervise
from memkit_plugins.shell.status import Status

SEARCH_PATH = "/usr/bin:/bin"
ENVIRONMENT = {"PATH": SEARCH_PATH, "HOME": "/tmp", "LANG": "C.UTF-8", "TERM": "dumb"}  # noqa: S108 - the sandbox's own
ROOT_FOLDERS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Folders of programs and libraries beside /usr; on most hosts links into it."""
ALTERNATIVES = ("awk", "nawk", "which")
"""Programs that are links by way of /etc, which the sandbox has not."""


class SandboxFailed(Exception):
    """Bubblewrap did not run the command; the message is what it said."""


@frozen
class Bubblewrap:
    """Runs commands by the programs `bwrap` and, for root, `setpriv`."""

    bwrap: str
    setpriv: str | None
    level: str = "A"

    def run(self, copy: Copy, command: str, *, writable: bool, caps: Caps, stop: Event) -> Outcome:
        """Run `command` in bash over `copy`. Raises OSError, SandboxFailed when it was not run."""
        options = b"".join(word.encode() + b"\0" for word in sandbox_options(copy.memories, caps, writable=writable))
        read_status, write_status = os.pipe()
        try:
            read_options = _filled_pipe(options)
            argv = (
                *(drop_root(self.setpriv) if self.setpriv else ()),
                *(self.bwrap, "--json-status-fd", str(write_status), "--args", str(read_options), "--"),
                *bounded(command, caps, caps.processes),
            )
            launch = Launch(argv, env={}, fds=(read_options, write_status))
            watch = (lambda: copy.over(caps)) if writable else _nothing_to_watch
            outcome = supervise(launch, caps=caps, watch=watch, stop=stop, status=Status(read_status))
        finally:
            os.close(read_status)
        if outcome.exit_code is None and not outcome.stopped:
            raise SandboxFailed(outcome.output.strip().replace(str(copy.path), ""))
        return outcome


def drop_root(setpriv: str) -> tuple[str, ...]:
    """The words that run what follows as nobody, for good."""
    user = ("--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups")
    return (setpriv, *user, "--no-new-privs", "--")


def sandbox_options(memories: Path, caps: Caps, *, writable: bool) -> list[str]:
    """The options of bubblewrap: what there is inside, and who one is."""
    return [
        *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
        *("--cap-drop", "ALL", "--uid", str(NOBODY), "--gid", str(NOBODY), "--hostname", "memkit"),
        *("--ro-bind", "/usr", "/usr", *_programs(), *_alternatives()),
        *("--proc", "/proc", "--dev", "/dev", "--size", str(caps.tmp_bytes), "--tmpfs", "/tmp"),  # noqa: S108
        *("--bind" if writable else "--ro-bind", str(memories), ROOT),
        # What bubblewrap builds on is memory without a cap: left writable, it could be filled.
        *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", ROOT),
        *(word for name, value in ENVIRONMENT.items() for word in ("--setenv", name, value)),
    ]


def _programs() -> Iterator[str]:
    """The folders of programs beside /usr as they are on the host: links, or folders to bind."""
    for folder in (Path("/", name) for name in ROOT_FOLDERS):
        if folder.is_symlink():
            yield from ("--symlink", str(folder.readlink()), str(folder))
        elif folder.is_dir():
            yield from ("--ro-bind", str(folder), str(folder))


def _alternatives() -> Iterator[str]:
    for program in (Path("/usr/bin", name) for name in ALTERNATIVES):
        if program.is_symlink() and (link := program.readlink()).is_relative_to("/etc"):
            yield from ("--symlink", str(program.resolve()), str(link))


def _filled_pipe(data: bytes) -> int:
    """A descriptor to read `data` from. It is far smaller than what a pipe holds."""
    read, write = os.pipe()
    with os.fdopen(write, "wb") as file:
        file.write(data)
    return read


def _nothing_to_watch() -> None:
    return None
