from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
import pytest

from memkit.cli.main import COMMANDS, main

Memkit = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "cli.md"


def helps(command: click.Command, name: str, parent: click.Context | None = None) -> dict[str, str]:
    """The help of a command and of those below it, 100 columns wide."""
    context = click.Context(command, info_name=name, parent=parent, terminal_width=100, max_content_width=100)
    found = {context.command_path: command.get_help(context)}
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            below = command.get_command(context, inner)
            assert below is not None
            found |= helps(below, inner, context)
    return found


def test_reference_page() -> None:
    """docs/reference/cli.md prints the help of every command as it is, each under its own heading."""
    page = PAGE.read_text(encoding="utf-8")
    expected = "\n".join(f"## `{name}`\n\n```text\n{text}\n```\n" for name, text in helps(main, "memkit").items())

    assert expected == page[page.index("## `memkit`") :]


def test_help_names_the_commands(memkit: Memkit) -> None:
    """`memkit --help` and `memkit -h` list every command."""
    done = memkit("--help")

    assert (0, memkit("-h").stdout) == (done.returncode, done.stdout)
    assert all(f"  {name} " in done.stdout for name in COMMANDS)


def test_version(memkit: Memkit) -> None:
    """The version is the distribution's."""
    assert f"memkit, version {version('agent-memkit')}\n" == memkit("--version").stdout


def test_unknown_command(memkit: Memkit) -> None:
    """A command there is not is exit code 2."""
    done = memkit("comapre")

    assert 2 == done.returncode
    assert "No such command 'comapre'." in done.stderr


def test_a_plugin_that_does_not_load(memkit: Memkit, faulty: dict[str, str]) -> None:
    """An installed plugin that is broken is one sentence that names it, for every command."""
    Path(faulty["PYTHONPATH"].split(":")[0], "memkit_faulty.py").write_text("import nosuchmodule")
    done = memkit("plugins", env=faulty)

    cause = "ModuleNotFoundError: No module named 'nosuchmodule'"
    said = f"plugin 'faulty' (memkit_faulty) of memkit-faulty 1.0 does not load: {cause}"
    assert (2, "", f"memkit: {said}\n") == (done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("debug", [False, True])
def test_a_bug(*, debug: bool, memkit: Memkit, faulty: dict[str, str], tmp_path: Path) -> None:
    """A bug is one sentence too, and shows where it is when asked to."""
    module = Path(faulty["PYTHONPATH"].split(":")[0], "memkit_faulty.py")
    module.write_text(module.read_text() + "\nVerbatim.layout = property(lambda self: 1 / 0)\n")
    done = memkit(
        "build", "demo", "-o", "memory", cwd=tmp_path, env={**faulty, **({"MEMKIT_DEBUG": "1"} if debug else {})}
    )

    said = "memkit: a bug in memkit or a plugin: ZeroDivisionError: division by zero; MEMKIT_DEBUG=1 shows where\n"
    assert debug == ("Traceback" in done.stderr)
    assert debug or (2, said) == (done.returncode, done.stderr)


def test_a_closed_pipe() -> None:
    """When whoever reads the output stops reading, the command ends in silence."""
    script = Path(sys.executable).with_name("memkit")
    with subprocess.Popen([script, "plugins", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"" == process.stderr.read()

    assert 141 == process.returncode
