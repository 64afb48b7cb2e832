"""Options that several commands have."""

from __future__ import annotations

import click

accept_unsandboxed_option = click.option(
    "--i-accept-unsandboxed-shell",
    "accept_unsandboxed",
    is_flag=True,
    help="Run a model's shell commands unprotected where no sandbox works.",
)
"""A flag and nothing else: no variable and no file may say this for a person."""

without_defective_option = click.option(
    "--without-defective", is_flag=True, help="Restate the results without questions whose gold the stream contradicts."
)
