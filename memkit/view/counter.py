"""The paper's one fixed aggregate: a count of actions, attached when a question has the keyword."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from memkit.events.actions import read_call
from memkit.events.references import read_scope
from memkit.view.entries import Entry

KEYWORD = "how many times"
"""What the counter fires on; `how often` is not it (ledger paper, section 7.4 and appendix H)."""


def count_actions(question: str, entries: Sequence[Entry]) -> str:
    """A line with the number of actions of each tool within the bounds of the question; empty without the keyword."""
    if KEYWORD not in question.casefold() or not entries:
        return ""
    scope = read_scope(question, [entry.number for entry in entries], points=False)
    counted = [entry for entry in entries if entry.number in scope]
    if not counted:
        return ""
    # In a conversation the parts of an entry begin with its speaker, who is the tool of the event ledger.
    tools = Counter(
        first.text if (first := next(entry.parts)).field == "speaker" else read_call(entry.action).tool
        for entry in counted
    )
    ranked = sorted(tools.items(), key=lambda item: (-item[1], item[0]))
    listed = ", ".join(f"{tool or 'none'} {count}" for tool, count in ranked)
    return f"Actions counted by program, {counted[0].name} to {counted[-1].name}: {listed}\n"
