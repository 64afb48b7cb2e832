"""The commands that make this run again."""

from __future__ import annotations

from shlex import quote

from memkit.report.text import clean
from memkit.runs.columns import SPEC_FILE
from memkit.runs.open import Run


def rerun_commands(run: Run) -> tuple[str, ...]:
    """To be given in the directory where the comparison ran, since the paths of its data are relative to that.

    What is on record is not done again. Every word is quoted for a POSIX shell.
    """
    parts = run.results.relative_to(run.directory / "results").parts
    sound = ["--without-defective"] if run.summary.get("without_defective") else []
    judged = next((part.removeprefix("judge-") for part in parts if part.startswith("judge-")), None)
    spec = str(run.directory / SPEC_FILE)
    compare = ["memkit", "compare", spec, "--runs", str(run.directory.parent), *([] if judged else sound)]
    found = [compare]
    if judged is not None:
        found.append(["memkit", "rejudge", str(run.directory), "--judge", judged, *sound])
    return tuple(" ".join(quote(clean(word)) for word in words) for words in found)
