"""`memkit report`: a run as a page to read, as Markdown for a pull request, or as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click
from attrs import asdict

from memkit.cli.console import say, say_json
from memkit.errors import UserError
from memkit.report.document import make_report
from memkit.report.flips import EACH_WAY
from memkit.runs.analysis import analyse
from memkit.runs.columns import RESULTS
from memkit.runs.open import Run, open_run
from memkit.store.atomic import write_file

Form = Literal["html", "md", "json"]
NAMES: dict[Form, str] = {"html": "report.html", "md": "summary.md"}
STANDARD_OUTPUT = Path("-")


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--html", "form", flag_value="html", default="html", help="Write report.html, one offline file; the default."
)
@click.option("--md", "form", flag_value="md", help="Write summary.md, which pastes into a pull request.")
@click.option("--json", "form", flag_value="json", help="Print the figures as JSON.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write into this file; -: print.")
@click.option("--flips", default=EACH_WAY, show_default=True, type=click.IntRange(min=0),
              help="Flips of a contrast to show each way, with their transcripts.")  # fmt: skip
@click.option("--open", "open_", is_flag=True, help="Open the page in a browser.")
def command(run: Path, form: Form, output: Path | None, flips: int, open_: bool) -> int:
    """Report on the run in directory RUN, or on one of the folders of results below it.

    The page is written into RUN, needs no network and runs no script. Give the command in the directory where the
    comparison ran: transcripts are had by asking again, offline.
    """
    if open_ and (form != "html" or output == STANDARD_OUTPUT):
        raise UserError("--open shows the page; leave out --md, --json and -o -")
    opened = open_run(run)
    if form == "json":
        return _json(opened, run, output)
    text = _html(opened, flips) if form == "html" else _markdown(opened)
    if output == STANDARD_OUTPUT:
        click.echo(text, nl=False)
        return 0
    path = output or _home(opened) / NAMES[form]
    _write(path, text.encode("utf-8", "replace"))
    say(str(path))
    if open_:
        click.launch(path.resolve().as_uri())
    return 0


def _html(run: Run, flips: int) -> str:
    from memkit.report.html import render_html

    return render_html(make_report(run, each_way=flips))


def _markdown(run: Run) -> str:
    from memkit.report.markdown import render_markdown

    return render_markdown(make_report(run, each_way=0))


def _json(run: Run, path: Path, output: Path | None) -> int:
    data = {"schema": 1, "run": str(path), **asdict(analyse(run))}
    if output is None or output == STANDARD_OUTPUT:
        say_json(data)
    else:
        from memkit.compare.units import encode

        _write(output, encode(data))
        say(str(output))
    return 0


def _home(run: Run) -> Path:
    """The run's directory; of other results of it, their own folder."""
    return run.directory if run.results == run.directory / RESULTS else run.results


def _write(path: Path, data: bytes) -> None:
    try:
        write_file(path, data)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}; give another file with -o") from None
