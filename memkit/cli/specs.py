"""The spec of a comparison from the command line: a file, or flags that say the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from memkit.compare.load import load_spec, spec_from
from memkit.compare.spec import EXTRACTIVE, NULL_ROWS, Data, Spec
from memkit.errors import UserError

F = TypeVar("F", bound=Callable[..., Any])
FLAGS = "the flags"
SPEC_FLAGS = (
    "data", "builder", "harness", "searcher", "model", "manage_model",
    "judge", "judge_model", "stream", "category", "limit", "attempts", "no_nulls", "name",
)  # fmt: skip
"""What a spec file says instead."""


_OPTIONS = (
    click.option("--data", multiple=True, metavar="NAME[:PATH]", help="Dataset; may be given more than once."),
    click.option("--builder", default="verbatim", show_default=True, help="Builders, separated by commas."),
    click.option("--harness", default="center", show_default=True, help="Harnesses, separated by commas."),
    click.option("--searcher", default="agent", show_default=True, help="Searchers, separated by commas."),
    click.option("--model", default=EXTRACTIVE, show_default=True, help="Search models, separated by commas."),
    click.option(
        "--manage-model", default=EXTRACTIVE, show_default=True, help="Models that build, separated by commas."
    ),
    click.option("--judge", default="token-f1", show_default=True, help="Who scores the answers."),
    click.option("--judge-model", default=EXTRACTIVE, show_default=True, help="Model of a judge that asks one."),
    click.option("--stream", multiple=True, help="Take this stream only; may be given more than once."),
    click.option(
        "--category", multiple=True, help="Take questions of this category only; may be given more than once."
    ),
    click.option("--limit", type=click.IntRange(min=1), help="Take this many questions a stream."),
    click.option("--attempts", default=1, show_default=True, type=click.IntRange(min=1), help="Answers a question."),
    click.option("--no-nulls", is_flag=True, help="Leave out closed-book, long-context and oracle."),
    click.option("--name", default="compare", show_default=True, help="Name of the run directory."),
    click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE", help="Override a value of SPEC."),
)


def spec_options(function: F) -> F:
    """The options that say a spec."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def read_spec(ctx: click.Context, path: Path | None, flags: dict[str, Any]) -> tuple[Spec, str]:
    """The spec, and what to call it in errors. UserError when neither file nor flags say one, or both do."""
    overrides = dict(_override(text) for text in flags["overrides"])
    if path is None:
        return spec_from(_from_flags(flags), overrides, where=FLAGS), FLAGS
    given = [name for name in SPEC_FLAGS if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE]
    if given:
        flag = f"--{given[0].replace('_', '-')}"
        raise UserError(f"{flag} and a spec file exclude each other; with the file use --set PATH=VALUE")
    return load_spec(path, overrides), str(path)


def _override(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise UserError(f"--set {text}: write PATH=VALUE, such as attempts=3 or data.0.select.limit=50")
    return key, value


def _from_flags(flags: dict[str, Any]) -> dict[str, Any]:
    if not flags["data"]:
        raise UserError("say what to compare on: --data demo, --data jsonl:my.jsonl, or a spec file")
    select = {
        "streams": list(flags["stream"]) or None,
        "categories": list(flags["category"]) or None,
        "limit": flags["limit"],
    }
    return {
        "data": [{"use": one.use, "path": one.path, "select": select} for one in map(Data.from_text, flags["data"])],
        "factors": {
            "builder": _names(flags["builder"]),
            "harness": _names(flags["harness"]),
            "searcher": _names(flags["searcher"]),
            "models": {"search": _names(flags["model"]), "manage": _names(flags["manage_model"])},
        },
        "name": flags["name"],
        "attempts": flags["attempts"],
        "judge": flags["judge"],
        "judge_model": flags["judge_model"],
        "nulls": {"rows": [] if flags["no_nulls"] else list(NULL_ROWS)},
    }


def _names(value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]
