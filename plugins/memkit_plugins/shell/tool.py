"""The tool `bash`: run a command over a copy of the store, tell how it ended, and bring back what a manager changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from threading import Event, Lock

from attrs import field, mutable

from memkit import Store, StoreError, Tool, ToolError, define_tool
from memkit_plugins.shell.bubblewrap import SandboxFailed
from memkit_plugins.shell.caps import Caps
from memkit_plugins.shell.copies import Copy
from memkit_plugins.shell.process import Outcome
from memkit_plugins.shell.returns import Refused, bring_back
from memkit_plugins.shell.sandbox import Box

LOGGER = logging.getLogger("memkit.shell")

COMMAND_BYTES = 100_000
"""The longest command: the kernel takes one word of up to 128 KiB."""

Work = Callable[[str, Event], str]
"""Does a command and gives the text for the model. Raises ToolError, StoreError."""


def bash_tool(work: Work, *, writes: bool) -> Tool:
    """The tool over a way to do commands."""

    async def bash(command: str) -> str:
        _check(command)
        stop = Event()
        try:
            # A thread: the command is watched by blocking calls, and dies with the thread that started it.
            return await asyncio.to_thread(work, command, stop)
        except asyncio.CancelledError:
            stop.set()
            raise

    return define_tool("bash", bash, writes=writes)


@mutable(eq=False)
class Searching:
    """Commands over a copy that they cannot change, so that one serves as long as the store stays as it is."""

    box: Box
    caps: Caps
    _copy: Copy | None = field(default=None, init=False)
    _lock: Lock = field(factory=Lock, init=False)

    def run(self, store: Store, command: str, stop: Event) -> str:
        """Do a command over `store`."""
        outcome = _run(self.box, self._copy_of(store), command, writable=False, caps=self.caps, stop=stop)
        return _report(outcome)

    def _copy_of(self, store: Store) -> Copy:
        if self.box.level != "A":
            return _copied(store)
        with self._lock:
            if self._copy is None or self._copy.store is not store or not self._copy.is_current():
                self._copy = _copied(store)
            return self._copy


@mutable(eq=False)
class Managing:
    """Commands whose changes are brought back."""

    box: Box
    caps: Caps

    def run(self, store: Store, command: str, stop: Event) -> str:
        """Do a command over `store`. Raises ToolError when what it did is not stored."""
        copy = _copied(store)
        try:
            outcome = _run(self.box, copy, command, writable=True, caps=self.caps, stop=stop)
            if outcome.stopped:
                return _report(outcome, "nothing was stored")
            try:
                changes = bring_back(copy)
            except (Refused, StoreError) as error:
                raise ToolError(_report(outcome, f"nothing was stored: {error}")) from None
        finally:
            copy.remove()
        return _report(outcome, f"stored: {changes.summary()}" if changes else "")


def _check(command: str) -> None:
    if "\0" in command:
        raise ToolError("The command has a NUL character; leave it out.")
    try:
        size = len(command.encode())
    except UnicodeEncodeError:
        raise ToolError("The command has half of a surrogate pair, which is not a character; leave it out.") from None
    if size > COMMAND_BYTES:
        raise ToolError(f"The command is longer than {COMMAND_BYTES:,} bytes; do it in several.")


def _copied(store: Store) -> Copy:
    try:
        return Copy.of(store)
    except OSError as error:
        LOGGER.warning("a private copy of the store cannot be made: %s", error)
        raise ToolError("The command was not run: no private copy of the memory could be made.") from error


def _run(box: Box, copy: Copy, command: str, *, writable: bool, caps: Caps, stop: Event) -> Outcome:
    try:
        return box.run(copy, command, writable=writable, caps=caps, stop=stop)
    except (SandboxFailed, OSError) as error:
        LOGGER.warning("the sandbox did not run a command: %s", error)
        raise ToolError("The sandbox failed to run the command; nothing was stored.") from error


def _report(outcome: Outcome, note: str = "") -> str:
    """One line of ours, which nothing a command writes can come before, then the output."""
    if outcome.stopped:
        ended = f"stopped: {outcome.stopped}"
    else:
        ended = f"exit code {outcome.exit_code}" + (f", {outcome.signal}" if outcome.signal else "")
    left_out = f"{outcome.truncated:,} bytes of output left out" if outcome.truncated else ""
    status = "; ".join(part for part in (ended, left_out, note) if part)
    return f"[{status}]\n{outcome.output}".rstrip("\n")
