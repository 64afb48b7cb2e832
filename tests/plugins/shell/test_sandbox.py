"""Which protection is chosen, and what is said where there is none."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from memkit import Memory, Registry, UserError
from memkit_plugins import shell as plugin
from memkit_plugins.shell import sandbox
from memkit_plugins.shell.harness import Shell


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    """Every test finds out anew."""
    sandbox.probe.cache_clear()
    yield
    sandbox.probe.cache_clear()


@pytest.fixture
def without_bwrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine that has every program needed but bubblewrap."""
    for name in ("setpriv", "bash"):
        if found := shutil.which(name):
            (tmp_path / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(tmp_path))


def failing_bwrap(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program in the place of bubblewrap."""
    folder.chmod(0o755)
    program = folder / "bwrap"
    program.write_text(f"#!/bin/bash\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_sandboxed(sandboxed: None) -> None:
    """Where bubblewrap works it is level A, which the harness tells for the record of a run."""
    harness = plugin.shell()

    assert isinstance(harness, Shell)
    assert "A" == harness.level
    (check,) = plugin.memkit_check_machine()
    assert (True, "level A: bubblewrap holds: a canary found no way out", "") == (check.ok, check.found, check.mend)


def test_refusal(without_bwrap: None) -> None:
    """Without bubblewrap the harness is not made, and the error names what is missing and how to get it."""
    registry = Registry()
    plugin.memkit_register(registry)

    with pytest.raises(UserError) as refusal:
        registry.make("harness", "shell")
    assert (
        "the harness 'shell' has no sandbox on this machine: the program bwrap is missing; install bubblewrap (Debian,"
        " Ubuntu: apt-get install bubblewrap). The other harnesses work without; --i-accept-unsandboxed-shell would"
        " run a model's commands unprotected"
    ) == str(refusal.value)


def test_report_without(without_bwrap: None) -> None:
    """The check says what is missing and how to mend it."""
    (check,) = plugin.memkit_check_machine()

    assert (False, "no sandbox: the program bwrap is missing", sandbox.INSTALL) == (check.ok, check.found, check.mend)


@pytest.mark.parametrize(
    ("script", "why", "mend"),
    [
        (
            "echo 'bwrap: No permissions to create new namespace' >&2; exit 1",
            "No permissions to create new namespace",
            sandbox.ALLOW,
        ),
        ("exit 0", "it gave no reason", sandbox.ALLOW),
        ("echo 'bwrap: Unknown option --disable-userns' >&2; exit 1", "Unknown option", sandbox.UPGRADE),
    ],
    ids=["refused", "silent", "old"],
)
def test_namespaces_refused(monkeypatch: pytest.MonkeyPatch, script: str, why: str, mend: str) -> None:
    """A bubblewrap that cannot work is level D, with what it said."""
    folder = Path("/tmp") / f"memkit-test-{os.getpid()}"  # reachable for nobody, as the folders of pytest are not
    folder.mkdir()
    try:
        failing_bwrap(folder, script, monkeypatch)
        level = sandbox.probe()
    finally:
        shutil.rmtree(folder)

    assert (False, mend) == (level.available, level.mend)
    assert why in level.why


def test_leaky_sandbox(monkeypatch: pytest.MonkeyPatch, sandboxed: None) -> None:
    """A sandbox that lets the network through is found out by the canary, and not used."""
    options = sandbox.Bubblewrap.run.__globals__["sandbox_options"]

    def leaky(*args: object, **kwargs: object) -> list[str]:
        made: list[str] = options(*args, **kwargs)
        return [*made[: made.index("--unshare-all") + 1], "--share-net", *made[made.index("--unshare-all") + 1 :]]

    monkeypatch.setitem(sandbox.Bubblewrap.run.__globals__, "sandbox_options", leaky)
    level = sandbox.probe()

    assert (False, "the sandbox does not hold: the network of the host can be reached from inside") == (
        level.available,
        level.why,
    )


def test_unsandboxed(without_bwrap: None, memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    """Accepted in so many words, commands run bare over a copy: with a loud warning, and level E for the record."""
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("setpriv is missing")
    memory.store.write("/memories/a.md", "one\n")
    with caplog.at_level(logging.WARNING):
        harness = plugin.shell(accept_unsandboxed=True)
    assert isinstance(harness, Shell)
    (tool,) = harness.tools("manage", memory)
    show = "env | cut -d= -f1 | sort | tr '\\n' ' '; ulimit -f; cat /memories/a.md"
    command = f"{show}; echo two > /memories/b.md; ls -d /memories/*"
    text = asyncio.run(call(tool, command))

    assert "E" == harness.level
    assert "WITHOUT A SANDBOX" in caplog.text
    assert "the program bwrap is missing" in caplog.text
    assert (
        "[exit code 0; stored: 1 created]\nHOME LANG PATH PWD SHLVL TERM _ 10240\none\n/memories/a.md\n/memories/b.md"
    ) == text
    assert "two\n" == memory.store.read("/memories/b.md")


def test_unsandboxed_is_unused_where_there_is_a_sandbox(sandboxed: None) -> None:
    """Accepting the worst does not choose it."""
    assert "A" == sandbox.choose_box(accept_unsandboxed=True).level


async def call(tool: object, command: str) -> str:
    """The result of a command."""
    text: str = await tool({"command": command})  # type: ignore[operator]
    return text
