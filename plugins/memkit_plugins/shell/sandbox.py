"""Which protection this machine gives to commands of a model: found by trying it, once a process.

Level A is bubblewrap. Without it commands are refused (level D) unless the user accepts level E, none at all.
Levels B (namespaces by hand) and C (Landlock and seccomp) of the usual ladder are not offered.
"""

from __future__ import annotations

import logging
import os
import shlex
import shutil
import socket
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import NamedTuple, Protocol

from memkit import MemkitError, Store, UserError
from memkit_plugins.shell.bare import Bare
from memkit_plugins.shell.bubblewrap import Bubblewrap, SandboxFailed
from memkit_plugins.shell.caps import DEFAULT_CAPS, Caps
from memkit_plugins.shell.copies import Copy, sweep
from memkit_plugins.shell.process import Outcome

LOGGER = logging.getLogger("memkit.shell")

INSTALL = "install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap)"
INSTALL_SETPRIV = "install util-linux (Debian, Ubuntu: apt-get install util-linux), or do not run memkit as root"
UPGRADE = "upgrade bubblewrap to 0.8 or later"
ALLOW = (
    "allow unprivileged user namespaces on this host or in this container (see docs/explanation/sandbox.md),"
    " and let every user reach the folder for temporary files (TMPDIR)"
)
ACCEPT = "--i-accept-unsandboxed-shell"

_CHECKS = {
    "environment": 'test -z "$(tr -d "\\0" </proc/1/environ)"',
    "network": "! (exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null",
    "files": "! cat {secret} >/dev/null 2>&1",
    "namespaces": "! unshare --user true 2>/dev/null",
    "user": "test $UID = 65534",
    "store": "echo canary >{memories}/canary.md",
}
"""What must hold inside, each as a command that succeeds then."""
_FAILURES = {
    "environment": "the environment of the host shows inside",
    "network": "the network of the host can be reached from inside",
    "files": "files of the host can be read from inside",
    "namespaces": "further namespaces can be made inside",
    "user": "the user of the host shows inside",
    "store": "the copy of the store cannot be written inside",
}


class Box(Protocol):
    """A way to run a command over a copy."""

    @property
    def level(self) -> str:
        """A letter of the ladder."""
        ...

    def run(self, copy: Copy, command: str, *, writable: bool, caps: Caps, stop: Event) -> Outcome:
        """Run `command` in bash over `copy`. Raises OSError, SandboxFailed when it was not run."""
        ...


class Level(NamedTuple):
    """One row of the report: `why` says what was found, `mend` how to get the level where it is missing."""

    level: str
    available: bool
    why: str
    mend: str


def choose_box(*, accept_unsandboxed: bool = False) -> Box:
    """The best protection there is. Raises UserError where there is none and level E was not accepted."""
    sweep()
    found = probe()
    if found.available:
        return _bubblewrap()
    if not accept_unsandboxed:
        raise UserError(
            f"the harness 'shell' has no sandbox on this machine: {found.why}; {found.mend}. The other harnesses work"
            f" without; {ACCEPT} would run a model's commands unprotected"
        )
    if os.geteuid() == 0 and _setpriv() is None:
        raise UserError(f"the harness 'shell' runs no unprotected command as root: {INSTALL_SETPRIV}")
    LOGGER.warning(
        "Commands of the model run WITHOUT A SANDBOX, as was accepted: they can read files, use the network and leave"
        " processes behind. Why there is no sandbox: %s; %s.",
        found.why,
        found.mend,
    )
    return Bare(_setpriv())


@cache
def probe() -> Level:
    """Level A as a canary finds it; remembered for the life of the process."""
    if not hasattr(os, "pidfd_open"):
        return Level("A", available=False, why="this is not Linux", mend="run memkit on Linux for this harness")
    if shutil.which("bwrap") is None:
        return Level("A", available=False, why="the program bwrap is missing", mend=INSTALL)
    if os.geteuid() == 0 and _setpriv() is None:
        return Level("A", available=False, why="the program setpriv is missing", mend=INSTALL_SETPRIV)
    try:
        failed = _canary(_bubblewrap())
    except (SandboxFailed, MemkitError, OSError) as error:
        said = " ".join(str(error).split()) or "it gave no reason"
        mend = UPGRADE if "Unknown option" in said else ALLOW
        return Level("A", available=False, why=f"bubblewrap cannot run here ({said})", mend=mend)
    if failed:
        why = "; ".join(_FAILURES.get(name, name) for name in failed)
        return Level("A", available=False, why=f"the sandbox does not hold: {why}", mend=INSTALL)
    return Level("A", available=True, why="bubblewrap holds: a canary found no way out", mend="")


def _canary(box: Bubblewrap) -> list[str]:
    """The names of the checks that fail inside, found by trying each."""
    with TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        secret = Path(folder) / "secret"
        secret.write_text("secret")
        secret.chmod(0o644)
        Path(folder).chmod(0o755)  # nothing but the sandbox shall keep a reader out
        copy = Copy.of(Store.make(Path(folder) / "memories"))
        fills = {"port": server.getsockname()[1], "secret": shlex.quote(str(secret)), "memories": "/memories"}
        command = "\n".join(f"{check.format(**fills)} || echo {name}" for name, check in _CHECKS.items())
        outcome = box.run(copy, command + "\nexit 0", writable=True, caps=DEFAULT_CAPS, stop=Event())
        written = (copy.memories / "canary.md").exists()
        copy.remove()
    return [*outcome.output.split(), *([] if written and outcome.exit_code == 0 else ["store"])]


def _bubblewrap() -> Bubblewrap:
    return Bubblewrap(shutil.which("bwrap") or "bwrap", _setpriv())


def _setpriv() -> str | None:
    """The program that drops root, for root alone."""
    return shutil.which("setpriv") if os.geteuid() == 0 else None
