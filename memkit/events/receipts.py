"""Receipts of the editor tool in its three dialects (SWE-agent, OpenHands v0 and v1): what it says it did.

Only the text with which the tool's answer begins counts, and only for the path that the call names: a `cat` of a log
that holds a receipt confirms nothing. Without a receipt a call stays an attempt (ledger paper, appendix C).
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from attrs import frozen

from memkit.events.call import Call
from memkit.events.reading import Reading, cut, first_line

Status: TypeAlias = Literal["confirmed", "failed", "attempt"]
READS = frozenset({"view"})
WRITES = {"create": "created", "str_replace": "edited", "insert": "inserted"}
"""Commands that write, and what a confirmed one makes of the content."""
UNDO = "undo_edit"

_EDITED = "The file {} has been edited."
_CONFIRMING = {
    "create": ("File created successfully at: {}",),
    "str_replace": (_EDITED,),
    "insert": (_EDITED,),
    UNDO: ("Last edit to {} undone successfully.",),
    "view": (
        "Here's the result of running `cat -n` on {}:",
        "Here's the files and directories up to 2 levels deep in {}, excluding hidden items:",
    ),
}
_BEFORE = re.compile(r"(?:EXECUTION RESULT of \[(?P<tool>[\w.-]{1,64})\]:|OBSERVATION:)[ \t]*\r?\n?")
_ERROR = re.compile(r"(?:ERROR:|\[An error occurred during execution\.\])[ \t]*\r?\n?")
_REFUSALS = re.compile(
    r"""
    No\ replacement\ was\ performed | File\ already\ exists\ at: | No\ edit\ history\ found\ for
    | Invalid\ `(?:insert_line|view_range|new_str|old_str|path|file_text|command)`
    | The\ (?:parent\ directory|path)\ .{1,1024}?\ (?:does\ not\ exist|is\ not\ an\ absolute\ path|is\ a\ directory)
    | old_str\ `.*?`\ is\ the\ same\ as\ new_str
    | Parameter\ `\w+`\ is\ required | Unrecognized\ command | Ran\ into\ .{1,200}?\ while\ trying\ to
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_REFUSAL_CHARACTERS = 20_000
"""A refusal that quotes the text to replace is looked through so far."""


@frozen
class EditorReceipt:
    """What the tool said of a call: `quote` is its leading sentence, empty in an attempt with no answer.

    `place` are the characters of the receipt in the observation.
    """

    status: Status
    quote: str = ""
    place: tuple[int, int] = (0, 0)


def read_receipt(call: Call, observation: str) -> EditorReceipt:
    """The receipt of an editor call. A call without a readable path or command is an attempt or a failure."""
    start = 0
    if before := _BEFORE.match(observation):
        if before["tool"] not in (None, call.tool):
            return EditorReceipt("attempt")
        start = before.end()
    for form in _CONFIRMING.get(call.act, ()):
        sentence = form.format(call.path)
        end = start + len(sentence)
        # A receipt that ends with its path must not be the beginning of a longer path.
        whole = not form.endswith("{}") or observation[end : end + 1] in ("", "\n", "\r")
        if call.path and whole and observation.startswith(sentence, start):
            return EditorReceipt("confirmed", cut(sentence), (start, end))
    if error := _ERROR.match(observation, start):
        return _refused(observation, error.end(), start)
    if _REFUSALS.match(observation, start, start + _REFUSAL_CHARACTERS):
        return _refused(observation, start, start)
    return EditorReceipt("attempt", first_line(observation, start))


def read_result(call: Call, observation: str) -> Reading:
    """The receipt as outcome and change: `<path>.content` becomes created, edited, inserted or reverted."""
    receipt = read_receipt(call, observation)
    if receipt.status == "failed":
        return Reading("failure", receipt.quote)
    if receipt.status == "attempt":
        return Reading("unknown", receipt.quote)
    value = "reverted" if call.act == UNDO else WRITES.get(call.act)
    changes = ((f"{call.path}.content", value),) if value else ()
    return Reading("success", receipt.quote, changes)


def _refused(observation: str, at: int, start: int) -> EditorReceipt:
    quote = first_line(observation, at)
    end = observation.find("\n", at)
    return EditorReceipt("failed", quote, (start, end if end >= 0 else len(observation)))
