"""Other tools: what their answers state in a form of their own, such as an error record or a line that says saved."""

from __future__ import annotations

import re

from memkit.events.call import Call
from memkit.events.reading import Reading, cut, first_line

_THOUGHT = ("Your thought has been logged", "OK")
_ERROR = re.compile(
    r"\s*(?:EXECUTION RESULT of \[[\w.-]{1,64}\]:\s*)?"
    r"(?:\[?\{['\"]error['\"]|\{\s*\"Fault\"|(?:Error|ERROR)\b|An error occurred|Traceback \(most recent call last\)"
    r"|There is no page in Wikipedia|This IP address has performed an unusual high number"
    r"|(?P<status>[45][0-9]{2})(?::? (?:Forbidden|Not Found|Bad Request|Unauthorized|Internal Server Error|Bad Gateway"
    r"|Service Unavailable|Too Many Requests|Gateway Time-?out)))",
    re.ASCII,
)
_SAVED = re.compile(r"(?:Content|File) successfully saved to (\S{1,1024})")
_MARKED = re.compile(r"Step (\d{1,9}): step_status is (\w{1,64})", re.ASCII)
_FOUND = re.compile(r"\{'query': ")
_RESPONSE_TIME = re.compile(r"'response_time': ([0-9]{1,9}(?:\.[0-9]{1,9})?)")
_TAIL = 400


def read_result(call: Call, observation: str, *, thinks: bool) -> Reading:
    """The outcome that the tool's own form states; unknown for an answer that is only content."""
    if thinks:
        said = observation.strip()
        return Reading("no effect", first_line(said)) if said.startswith(_THOUGHT) or not said else Reading()
    if error := _ERROR.match(observation):
        numbers = {"http_status": float(error["status"])} if error["status"] else {}
        return Reading("failure", first_line(observation, _line_start(observation, error)), (), numbers)
    if (saved := _SAVED.match(observation)) and call.path and saved[1] == call.path:
        return Reading("success", cut(saved[0]), ((f"{call.path}.content", "saved"),))
    if marked := _MARKED.match(observation):
        return Reading("success", marked[0], ((f"step {marked[1]}.status", marked[2]),))
    if _FOUND.match(observation):
        timed = _RESPONSE_TIME.search(observation, max(0, len(observation) - _TAIL))
        return Reading(
            "success", cut(observation[:120].partition("\n")[0]), (), {"seconds": float(timed[1])} if timed else {}
        )
    return Reading()


def _line_start(observation: str, error: re.Match[str]) -> int:
    """Where the line with the error begins: a wrapper may stand above it."""
    return observation.rfind("\n", 0, error.end()) + 1
