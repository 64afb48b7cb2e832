"""`memkit compare`: run a comparison and print its table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from memkit.cli.console import progress, say_json
from memkit.cli.exits import DONE, INCOMPLETE, INTERRUPTED
from memkit.cli.options import accept_unsandboxed_option, without_defective_option
from memkit.cli.tables import print_comparison
from memkit.compare.comparison import Comparison, compare
from memkit.compare.export import summary_data
from memkit.compare.load import load_spec
from memkit.compare.spec import EXTRACTIVE, NULL_ROWS, Data, Spec, Use
from memkit.converter import structure
from memkit.errors import UserError

SPEC_FLAGS = (
    "data", "builder", "harness", "searcher", "model", "manage_model",
    "judge", "judge_model", "stream", "category", "limit", "attempts", "no_nulls", "name",
)  # fmt: skip
"""What a spec file says instead."""


@click.command()
@click.argument("spec", required=False, type=click.Path(path_type=Path))
@click.option("--data", multiple=True, metavar="NAME[:PATH]", help="Dataset; may be given more than once.")
@click.option("--builder", default="verbatim", show_default=True, help="Builders, separated by commas.")
@click.option("--harness", default="center", show_default=True, help="Harnesses, separated by commas.")
@click.option("--searcher", default="agent", show_default=True, help="Searchers, separated by commas.")
@click.option("--model", default=EXTRACTIVE, show_default=True, help="Search models, separated by commas.")
@click.option("--manage-model", default=EXTRACTIVE, show_default=True, help="Models that build, separated by commas.")
@click.option("--judge", default="token-f1", show_default=True, help="Who scores the answers.")
@click.option("--judge-model", default=EXTRACTIVE, show_default=True, help="Model of a judge that asks one.")
@click.option("--stream", multiple=True, help="Take this stream only; may be given more than once.")
@click.option("--category", multiple=True, help="Take questions of this category only; may be given more than once.")
@click.option("--limit", type=click.IntRange(min=1), help="Take this many questions a stream.")
@click.option("--attempts", default=1, show_default=True, type=click.IntRange(min=1), help="Answers a question.")
@click.option("--no-nulls", is_flag=True, help="Leave out closed-book, long-context and oracle.")
@click.option("--name", default="compare", show_default=True, help="Name of the run directory.")
@click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE", help="Override a value of SPEC.")
@click.option("--runs", default="runs", show_default=True, type=click.Path(path_type=Path), help="Where runs are kept.")
@click.option("--runner", default="local", show_default=True, help="Where the work is done.")
@click.option(
    "--workers", type=click.IntRange(min=0), help="Worker processes of the local runner; 0: none but this one."
)
@click.option("--offline", is_flag=True, help="Replay recorded model calls; make none.")
@click.option("--prices", type=click.Path(path_type=Path), help="TOML file of prices that go before the bundled ones.")
@without_defective_option
@accept_unsandboxed_option
@click.option("--json", "json_", is_flag=True, help="Print the results as JSON.")
@click.pass_context
def command(ctx: click.Context, /, spec: Path | None, **flags: Any) -> int:
    """Compare memories on your data.

    Give a SPEC file, or say it with flags: every builder is combined with every harness, searcher
    and model it fits. The same command again goes on where it stopped and repeats nothing.
    """
    wanted = _spec_from_file(ctx, spec, flags["overrides"]) if spec else _spec_from_flags(flags)
    runner = Use(flags["runner"], {} if flags["workers"] is None else {"workers": flags["workers"]})
    with progress() as show:
        done = compare(
            wanted,
            runs=flags["runs"],
            runner=runner,
            on_progress=show,
            offline=flags["offline"],
            prices=flags["prices"],
            accept_unsandboxed=flags["accept_unsandboxed"],
            without_defective=flags["without_defective"],
        )
    if flags["json_"]:
        say_json({**summary_data(done.plan, done.results), "run": _run_data(done)})
    else:
        print_comparison(done)
    if done.outcome.interrupted:
        return INTERRUPTED
    return DONE if done.complete else INCOMPLETE


def _run_data(done: Comparison) -> dict[str, Any]:
    outcome = done.outcome
    return {
        "directory": str(outcome.directory),
        "built": outcome.built,
        "answered": outcome.answered,
        "errors": list(outcome.errors),
        "complete": done.complete,
        "interrupted": outcome.interrupted,
    }


def _spec_from_file(ctx: click.Context, path: Path, overrides: tuple[str, ...]) -> Spec:
    given = [name for name in SPEC_FLAGS if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE]
    if given:
        flag = f"--{given[0].replace('_', '-')}"
        raise UserError(f"{flag} and a spec file exclude each other; with the file use --set PATH=VALUE")
    return load_spec(path, dict(_override(text) for text in overrides))


def _override(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise UserError(f"--set {text}: write PATH=VALUE, such as attempts=3 or data.0.select.limit=50")
    return key, value


def _spec_from_flags(flags: dict[str, Any]) -> Spec:
    if not flags["data"]:
        raise UserError("say what to compare on: --data demo, --data jsonl:my.jsonl, or a spec file")
    if flags["overrides"]:
        raise UserError("--set overrides a value of a spec file; give the file, or use the other flags")
    select = {
        "streams": list(flags["stream"]) or None,
        "categories": list(flags["category"]) or None,
        "limit": flags["limit"],
    }
    spec = {
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
    return structure(Spec, spec, where="the flags")


def _names(value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]
