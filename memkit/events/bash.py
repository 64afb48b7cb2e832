"""What an observation states of a shell command: its exit code, that it still runs, that it never ran, test counts.

The statement is the tool's own: the marker at the end of the observation (at its head in mini-swe-agent), never a
line of the output. Without one the outcome is unknown, also when the output looks well. An exit code speaks for the
last command of `a; b` and `a | b`.
"""

from __future__ import annotations

import re

from memkit.events.reading import Reading, cut, first_line

TAIL = 4096
"""Characters at the end of an observation in which markers and test summaries are looked for."""

_MARKER = re.compile(
    r"\[(?:The command completed with exit code (?P<a>-?[0-9]{1,9})\.(?: CTRL\+C was sent\.)?"
    r"|Command finished with exit code (?P<b>-?[0-9]{1,9}))\]$"
)
_ABOUT = re.compile(r"\[(?:Current working directory|Python interpreter): [^\n]*\]$")
_RUNNING = re.compile(
    r"\[The command (?:has no new output after|timed out after)"
    r" (?P<seconds>[0-9]{1,9}(?:\.[0-9]{1,6})?) seconds?\.[^\n]*\]$"
)
_REFUSED = re.compile(r"(?:The previous command )?is still running - You CANNOT send new commands until[^\n]*")
_RETURNED = re.compile(r"<returncode>(-?[0-9]{1,9})</returncode>")
_KILLED = re.compile(
    r"timed out and has been killed\.?|was cancelled because it took more than (?P<seconds>[0-9]{1,9}) seconds"
)
_TIMED_OUT = re.compile(r"bash command timed out after (?P<seconds>[0-9]{1,9}(?:\.[0-9]{1,6})?) ?s\w*")
_SILENT = "Your command ran successfully and did not produce any output."
_FAILURES = ("Command execution failed", "{'error'", '{"error"', "Please always provide EXACTLY ONE action")
_PREFIX = re.compile(r"(?:EXECUTION RESULT of \[[\w.-]{1,64}\]:|OBSERVATION:)[ \t]*\r?\n?")
_WRAPPERS = re.compile(r"</?(?:output|output_head|output_tail|warning)>")
_UNITTEST = re.compile(r"Ran ([0-9]{1,9}) tests? in ([0-9]{1,9}(?:\.[0-9]{1,9})?)s")
_UNITTEST_FAILED = re.compile(r"FAILED \(([^()\n]{1,100})\)")
_PYTEST = re.compile(
    r"(?:^|\n)=*[ ]?([^=\n]{0,200}) in ([0-9]{1,9}\.[0-9]{1,9})s(?: \([0-9:]{1,20}\))?[ ]?=*[ \t\r]*(?=\n|$)"
)
_COUNT = re.compile(r"([0-9]{1,9}) (passed|failed|errors?|skipped)\b")
_NAMED_COUNT = re.compile(r"(failures|errors|skipped)=([0-9]{1,9})")
_TIMED = re.compile(r"(?:^|\n)real[ \t]+([0-9]{1,6})m([0-9]{1,2}(?:\.[0-9]{1,6})?)s")


def read_result(observation: str) -> Reading:
    """The outcome, with `exit_code` and what tests and timers counted among the numbers."""
    head = _PREFIX.match(observation)
    start = head.end() if head else 0
    if returned := _RETURNED.match(observation, start):
        return _exited(int(returned[1]), returned[0], observation)
    for line in map(str.rstrip, reversed(observation[-TAIL:].rstrip().split("\n"))):
        if marker := _MARKER.search(line):
            return _exited(int(marker["a"] or marker["b"]), marker[0], observation)
        if running := _RUNNING.search(line):
            return Reading("unknown", cut(running[0]), numbers={"seconds": float(running["seconds"])})
        if not _ABOUT.search(line):
            break
    return _without_marker(observation, start)


def _without_marker(observation: str, start: int) -> Reading:
    if (refused := _REFUSED.search(observation, max(0, len(observation) - TAIL))) and observation.rstrip().endswith(
        "]"
    ):
        return Reading("failure", cut(refused[0]))
    if observation.startswith(("The last command <command>", "The command '"), start):
        if killed := _KILLED.search(observation, start):
            seconds = killed["seconds"]
            return Reading("unknown", killed[0], numbers={"seconds": float(seconds)} if seconds else {})
    elif timed_out := _TIMED_OUT.match(observation, start):
        return Reading("unknown", timed_out[0], numbers={"seconds": float(timed_out["seconds"])})
    if observation.startswith(_FAILURES, start):
        return Reading("failure", first_line(observation, start))
    quote = _SILENT if observation.startswith(_SILENT, start) else ""
    return Reading("unknown", quote, numbers=_counts(observation))


def _exited(code: int, marker: str, observation: str) -> Reading:
    if code == -1:  # the tool's sign for a command that still runs
        return Reading("unknown", marker)
    numbers = {"exit_code": float(code), **_counts(observation)}
    if code == 0:
        return Reading("success", marker, numbers=numbers)
    return Reading("failure", _last_line(observation) or marker, numbers=numbers)


def _last_line(observation: str) -> str:
    """The last line of the output itself: where programs say what went wrong."""
    for line in map(str.strip, reversed(observation[-TAIL:].split("\n"))):
        if _RETURNED.search(line) or _ABOUT.search(line):
            continue
        marker = _MARKER.search(line)
        output = line[: marker.start()] if marker else line
        pieces = [piece.strip() for piece in _WRAPPERS.split(output)]
        if said := next((piece for piece in reversed(pieces) if piece), ""):
            return cut(said)
    return ""


def _counts(observation: str) -> dict[str, float]:
    """Tests run, passed, failed, skipped and in error, and seconds, from the last summary in the tail."""
    tail = observation[-TAIL:]
    numbers: dict[str, float] = {}
    if " in " in tail:
        if (ran := _last(_UNITTEST, tail)) is not None:
            numbers = {"tests": float(ran[1]), "seconds": float(ran[2])}
            if failed := _UNITTEST_FAILED.search(tail, ran.end()):
                names = {"failures": "failed"}
                numbers |= {names.get(m[1], m[1]): float(m[2]) for m in _NAMED_COUNT.finditer(failed[1])}
        elif (summary := _last(_PYTEST, tail)) is not None and (counted := _COUNT.findall(summary[1])):
            numbers = {name if name != "error" else "errors": float(count) for count, name in counted}
            numbers["seconds"] = float(summary[2])
    if "real" in tail and (timed := _last(_TIMED, tail)) is not None:
        numbers["seconds"] = 60 * float(timed[1]) + float(timed[2])
    return numbers


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    matches = list(pattern.finditer(text))
    return matches[-1] if matches else None
