"""A shell command ended as the tool's own marker says, and in no other way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.events.bash import read_result

ABOUT = "\n[Current working directory: /w]\n[Python interpreter: /opt/py]"
DONE = "\n[The command completed with exit code {0}.]" + ABOUT + "\n[Command finished with exit code {0}]"
WAITS = "[The command has no new output after 30 seconds. You may wait longer.]"
REFUSAL = "The previous command is still running - You CANNOT send new commands until it is done.]"
REFUSED = f'x\n[Your command "ls" is NOT executed. {REFUSAL}'

TABLE = [
    ("fine" + DONE.format(0), "success", "[Command finished with exit code 0]", {"exit_code": 0}),
    ("one\nNo such file\n" + DONE.format(2), "failure", "No such file", {"exit_code": 2}),
    (DONE.format(1), "failure", "[Command finished with exit code 1]", {"exit_code": 1}),
    ("a\r\nbad\r\n[Command finished with exit code 1]\r\n", "failure", "bad", {"exit_code": 1}),
    ("^C\n[The command completed with exit code 130. CTRL+C was sent.]", "failure", "^C", {"exit_code": 130}),
    (
        "[Command finished with exit code 1]" + DONE.format(0),
        "success",
        "[Command finished with exit code 0]",
        {"exit_code": 0},
    ),
    ("[Command finished with exit code 0]\nmore output", "unknown", "", {}),
    ("still\n[Command finished with exit code -1]", "unknown", "[Command finished with exit code -1]", {}),
    ("some\n" + WAITS, "unknown", WAITS, {"seconds": 30}),
    (REFUSED, "failure", REFUSAL, {}),
    ("<returncode>1</returncode>\n<output>\nfirst\nlast\n</output>", "failure", "last", {"exit_code": 1}),
    (
        "<returncode>0</returncode>\n<output>\n[Command finished with exit code 3]\n</output>",
        "success",
        "<returncode>0</returncode>",
        {"exit_code": 0},
    ),
    (
        "The last command <command>x</command> timed out and has been killed.\nmore",
        "unknown",
        "timed out and has been killed.",
        {},
    ),
    ("bash command timed out after 120s", "unknown", "bash command timed out after 120s", {"seconds": 120}),
    (
        "Your command ran successfully and did not produce any output.",
        "unknown",
        "Your command ran successfully and did not produce any output.",
        {},
    ),
    ("EXECUTION RESULT of [execute_bash]:\nCommand execution failed", "failure", "Command execution failed", {}),
    ("all good, success!", "unknown", "", {}),
    ("[Command finished with exit code \u0661]", "unknown", "", {}),
    (
        "Ran 12 tests in 0.345s\n\nFAILED (failures=2, errors=1)" + DONE.format(1),
        "failure",
        "FAILED (failures=2, errors=1)",
        {"exit_code": 1, "tests": 12, "seconds": 0.345, "failed": 2, "errors": 1},
    ),
    (
        "=== 1 failed, 10 passed, 2 warnings in 1.23s ===" + DONE.format(1),
        "failure",
        "=== 1 failed, 10 passed, 2 warnings in 1.23s ===",
        {"exit_code": 1, "failed": 1, "passed": 10, "seconds": 1.23},
    ),
    (
        "real\t1m2.5s\nuser\t0m0.1s" + DONE.format(0),
        "success",
        "[Command finished with exit code 0]",
        {"exit_code": 0, "seconds": 62.5},
    ),
]


@pytest.mark.parametrize(("observation", "outcome", "quote", "numbers"), TABLE, ids=[row[0][:40] for row in TABLE])
def test_markers(observation: str, outcome: str, quote: str, numbers: dict[str, float]) -> None:
    """Outcome, quote and numbers of each form in which logs say how a command ended."""
    reading = read_result(observation)
    assert (outcome, quote, numbers) == (reading.outcome, reading.quote, dict(reading.numbers))


@given(st.text(), st.integers(0, 255))
def test_the_last_marker_decides(output: str, code: int) -> None:
    """Whatever the output holds, the marker at the end is the one that counts, and the quote is in the observation."""
    observation = output + DONE.format(code)
    if output.startswith(("<returncode>", "OBSERVATION:", "EXECUTION RESULT")):
        return
    reading = read_result(observation)
    assert ("success" if code == 0 else "failure", code) == (reading.outcome, reading.numbers["exit_code"])
    assert reading.quote in observation


@given(st.text())
def test_no_marker_is_never_success(observation: str) -> None:
    """Without a statement there is no success."""
    assert read_result(observation).outcome != "success"
