"""`memkit gate`: whether a run keeps the promises of its spec; for continuous integration."""

from __future__ import annotations

from pathlib import Path

import click
from attrs import asdict

from memkit.cli.console import say, say_json, say_table
from memkit.cli.exits import DONE, GATE_FAILED, GATE_INCONCLUSIVE, INCOMPLETE, NOT_COMPARABLE
from memkit.cli.figures import interval, number, title_of
from memkit.errors import UserError
from memkit.runs.analysis import Analysis, analyse
from memkit.runs.junit import Case, junit_xml
from memkit.runs.open import Run, open_run
from memkit.store.atomic import write_file


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help="Exit with 5 when a gate is inconclusive.")
@click.option("--junit", type=click.Path(path_type=Path), help="Write the gates as JUnit XML into this file.")
@click.option("--items", is_flag=True, help="With --junit: a test case for each answer too.")
@click.option("--json", "json_", is_flag=True, help="Print as JSON.")
def command(run: Path, strict: bool, junit: Path | None, items: bool, json_: bool) -> int:
    """Say whether the run in directory RUN passes the gates of its spec.

    Exit code 0 when no gate fails; 3 when more answers are missing than the spec allows (errors.max_rate); 4 when a
    gate fails; 5 when one is inconclusive and --strict is given; 8 when the arms differ in what hold_equal names.
    """
    if items and junit is None:
        raise UserError("--items says what --junit writes; give --junit FILE too")
    opened = open_run(run)
    found = analyse(opened)
    if not found.gates:
        example = f"gate: [{{metric: {found.primary}, noninferior: 0.02}}]"
        raise UserError(f"the spec of {opened.name} has no gate; add one, such as {example}, and run it")
    if junit is not None:
        _write(junit, junit_xml(found, _cases(opened) if items else (), strict=strict))
    code = exit_code(found, strict=strict)
    if json_:
        gates, facts = [asdict(gate) for gate in found.gates], [asdict(fact) for fact in found.audit.facts]
        missing = found.rows - found.answered
        say_json({"schema": 1, "run": str(run), "exit": code, "gates": gates, "facts": facts, "missing": missing})
    else:
        say_verdicts(found)
        say(_SENTENCES[code])
    return code


_SENTENCES = {
    DONE: "no gate fails",
    INCOMPLETE: "undecided: too many answers are missing; run the comparison again, which goes on where it stopped",
    GATE_FAILED: "a gate fails",
    GATE_INCONCLUSIVE: "a gate is inconclusive: more streams would decide it",
    NOT_COMPARABLE: "the arms are not comparable: they differ in what the spec holds equal",
}


def exit_code(found: Analysis, *, strict: bool) -> int:
    """That of the gravest finding: what makes the others void goes first."""
    verdicts = {gate.verdict for gate in found.gates}
    if not found.audit.comparable:
        return NOT_COMPARABLE
    if found.incomplete:
        return INCOMPLETE
    if "fail" in verdicts:
        return GATE_FAILED
    return GATE_INCONCLUSIVE if strict and "inconclusive" in verdicts else DONE


def say_verdicts(found: Analysis) -> None:
    """Print the gates, and what is not equal, or not known to be, of what the spec holds equal."""
    if found.gates:
        columns = ["metric", "arm", "against", "verdict", "margin", "difference", "one-sided bounds", "questions",
                   "streams", "coverage"]  # fmt: skip
        rows = [
            [
                title_of(gate.metric),
                gate.arm or "any",
                gate.vs,
                gate.verdict,
                number(gate.margin, 3),
                number(gate.mean, 3, sign="+"),
                interval(gate.low, gate.high, sign="+"),
                str(gate.questions),
                str(gate.clusters),
                number(gate.coverage, 1, scale=100) + " %",
            ]
            for gate in found.gates
        ]
        say_table("Gates: no worse by more than the margin", columns, rows, left=4)
    for reason in dict.fromkeys(gate.reason for gate in found.gates if gate.reason):
        say(f"inconclusive: {reason}")
    for fact in found.audit.facts:
        if fact.breach:
            say(f"not comparable: {fact.sentence}")


def _cases(run: Run) -> list[Case]:
    frame = run.read_items(["arm", "stream", "question", "attempt", "status", "seconds"])
    return [Case(*row) for row in frame.iter_rows()]


def _write(path: Path, data: bytes) -> None:
    try:
        write_file(path, data)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}; give another file to --junit") from None
