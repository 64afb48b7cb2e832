"""Actions on web pages by accessibility tree (WebArena), and what the log states of the page.

Such a log may show the page before the action or after it. A change of the page is therefore dated by the step
whose observation first shows it, and an action's outcome is unknown unless the log says that it could not be done.
"""

from __future__ import annotations

import re

from attrs import mutable

from memkit.events.call import Call
from memkit.events.reading import Reading, cut

INVALID = "invalid"
"""The tool of a step in whose place the log has a complaint that no action could be read."""

_ACTION = re.compile(
    r"(click|hover|type|scroll|press|goto|stop|tab_focus|page_focus|go_back|go_forward|new_tab|close_tab|page_close|"
    r"select|upload|note)(?=$|\s*\[|\s+\()"
)
_BRACKET = re.compile(r"\s*\[([^\[\]]*+)\]")
_ELEMENT = re.compile(r"\s*where \[[^\]\n]{1,20}\] is (\w+ '(?:[^'\n]|'(?=\w))*+')?", re.ASCII)
_COMPLAINT = re.compile(
    r"""Attempt to perfom?r?m? "(\w+)" on element "(\[[^"\n]{1,40}\])" but no matching element found\.?""", re.ASCII
)
_UNREAD = re.compile(r"The previous prediction you issued was ")
_UNREAD_REASON = "the format was incorrect"
_ROOT = re.compile(r"\[\d+\] RootWebArea '([^\n]*?)'(?= \w+: |[ \t]*(?:\n|$))", re.ASCII)
_TAB = re.compile(r"Tab \d+ \(current\): ([^\n]*?)(?: \| Tab \d+[:\n][^\n]*)?\s*(?:\n|$)", re.ASCII)
_URL = re.compile(r"(?:^|\n)(?:URL|Current URL): ?(\S{1,2000})")
HEAD = 2000
"""Characters of an observation in which the page is named."""
_NO_TARGET = frozenset({"stop", "note"})


def read_action(text: str) -> Call | None:
    """An action on a page, or the log's complaint about one; None when `text` is neither."""
    if match := _ACTION.match(text):
        return _action(text, match)
    if match := _COMPLAINT.match(text):
        return Call(match[1], match[1], {"element": match[2]}, targets=(match[2],), form="web")
    if _UNREAD.match(text):
        return Call(INVALID, INVALID, form="web")
    return None


@mutable
class Page:
    """The page the log showed last."""

    title: str = ""
    url: str = ""

    def read(self, call: Call, action: str, observation: str) -> Reading:
        """Failure where the log complains; the change of title or address against the last observation."""
        changes = self._changes(observation[:HEAD])
        if complaint := _COMPLAINT.match(action.lstrip()):
            return Reading("failure", complaint[0], changes)
        if call.tool == INVALID:
            quote = _UNREAD_REASON if _UNREAD_REASON in action else _UNREAD.pattern.strip()
            return Reading("failure", quote, changes)
        return Reading("unknown", "", changes)

    def _changes(self, head: str) -> tuple[tuple[str, str], ...]:
        root = _ROOT.search(head)
        tab = None if root else _TAB.match(head)
        title = cut((root or tab or ("", ""))[1])
        url = found[1] if (found := _URL.search(head)) else ""
        changes = []
        if title and title != self.title:
            self.title = title
            changes.append(("page.title", title))
        if url and url != self.url:
            self.url = url
            changes.append(("page.url", url))
        return tuple(changes)


def _action(text: str, match: re.Match[str]) -> Call:
    tool = match[1]
    arguments: dict[str, str] = {}
    at = match.end()
    names = ("element", "text", "enter") if tool in ("click", "hover", "type", "select", "upload") else ("value",)
    for name in names:
        if (bracket := _BRACKET.match(text, at)) is None:
            break
        arguments[name] = bracket[1]
        at = bracket.end()
    element = _ELEMENT.match(text, at)
    target = ""
    if element and element[1]:
        target = element[1]
    elif "element" in arguments:
        target = f"[{arguments['element']}]"
    elif tool not in _NO_TARGET:
        target = arguments.get("value", "")
    return Call(tool, tool, arguments, targets=(target[:300],) if target else (), form="web")
