"""How much one command may use."""

from __future__ import annotations

from attrs import frozen

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB


@frozen
class Caps:
    """Caps of one command.

    `seconds` is wall time of the whole command; `cpu_seconds`, `memory_bytes` (address space), `file_bytes` and
    `open_files` hold for each process, `processes` for all together. `tmp_bytes` is the size of /tmp. The copy of the
    store may grow by `growth_bytes` and `growth_files` (folders included). A command that writes more than
    `output_bytes` is stopped; what is kept of less is up to `memkit_plugins.shell.capture`.
    """

    seconds: float = 30.0
    cpu_seconds: int = 10
    memory_bytes: int = GIB
    file_bytes: int = 10 * MIB
    processes: int = 64
    open_files: int = 256
    tmp_bytes: int = 16 * MIB
    growth_bytes: int = 64 * MIB
    growth_files: int = 10_000
    output_bytes: int = 8 * MIB


DEFAULT_CAPS = Caps()

EXEC_COMMAND = 'exec /bin/bash -c "$1"'


def bounded(command: str, caps: Caps, processes: int) -> tuple[str, ...]:
    """The words that run `command` in bash under the limits that the kernel keeps for each process.

    Set inside the sandbox by bash itself: `processes` then counts those of the sandbox alone (its user namespace,
    since Linux 5.14), not the others of the same user; and nothing need run between fork and exec of a threaded parent.
    """
    limits = " && ".join(
        (
            f"ulimit -c 0 -n {caps.open_files} -u {processes}",
            f"ulimit -f {caps.file_bytes // KIB} -v {caps.memory_bytes // KIB}",
            # The signal of the soft limit says what happened; the hard limit kills who ignores it.
            f"ulimit -t {caps.cpu_seconds + 1}",
            f"ulimit -S -t {caps.cpu_seconds}",
        )
    )
    return ("/bin/bash", "-c", f"{limits} && {EXEC_COMMAND}", "bash", command)
