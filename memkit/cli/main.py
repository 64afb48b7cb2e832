"""The command `memkit`: finds the subcommand, and turns errors into one line and an exit code."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.metadata import version
from typing import Any

import click

from memkit.cli.exits import INTERRUPTED, PIPE_CLOSED, USAGE
from memkit.errors import MemkitError

COMMANDS = {
    "ask": "Answer a question from a memory.",
    "build": "Build a memory from a stream.",
    "compare": "Compare memories on your data.",
    "data": "List datasets, and check a data file.",
    "diff": "Say what changed between two runs.",
    "doctor": "Say what this machine lacks.",
    "explain": "Say where a question of a run was lost.",
    "gate": "Say whether a run passes the gates of its spec.",
    "ledger": "Show an event ledger, and query it.",
    "lint": "Say what is wrong with a store.",
    "measure": "Measure the shape and order of a store.",
    "plugins": "List what is installed.",
    "rejudge": "Score the answers of a run with another judge.",
    "report": "Write a run as a page to read.",
    "runs": "List the runs.",
    "show": "Show the figures, answers or flips of a run.",
    "tree": "Show what a memory holds.",
    "verify": "Open every locator and citation again.",
}
"""Each lives in `memkit.cli.<name>` as `command`; its help is here too, so that `--help` loads none of them."""


class _PipeClosed(Exception):
    """A BrokenPipeError that click does not turn into exit code 1, which has a meaning of its own."""


class Commands(click.Group):
    """A group that imports a command when it is run."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _PipeClosed from error

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as inherited
        """The names."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as inherited
        """The command of that name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"memkit.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as inherited
        """List them without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("agent-memkit"), prog_name="memkit")
def main() -> None:
    """Which memory should my agent use, and does it work on my data?"""


def run() -> None:
    """The console script. Errors are one line on standard error; the exit codes are those of `memkit.cli.exits`."""
    try:
        code = main(standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        sys.exit(USAGE)
    except MemkitError as error:
        sys.exit(_report(str(error), USAGE))
    except (click.Abort, KeyboardInterrupt):
        sys.exit(_report("interrupted; run the same command again to go on", INTERRUPTED))
    except (_PipeClosed, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(PIPE_CLOSED)
    except Exception as error:
        if os.environ.get("MEMKIT_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        sys.exit(_report(f"a bug in memkit or a plugin: {what}; MEMKIT_DEBUG=1 shows where", USAGE))
    sys.exit(code if isinstance(code, int) else 0)


def _report(message: str, code: int) -> int:
    from memkit.cli.console import clean

    click.echo(f"memkit: {clean(message)}", err=True)
    return code
