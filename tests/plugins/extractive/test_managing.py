"""The embedded manager tells its jobs apart, makes real edits, and bears what it is shown."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest
from hypothesis import given

from memkit import (
    Limits,
    Message,
    PermanentModelError,
    Request,
    Role,
    Store,
    ToolCall,
    ToolSpec,
    Transcript,
    compose,
    render_unit,
    run_loop,
    write_tools,
)
from memkit.runtime.context import NOTICE
from memkit.testing.samples import CHAT
from memkit.testing.strategies import texts
from memkit_plugins.extractive.jobs import DROPPED
from memkit_plugins.extractive.managing import manage, summarize
from memkit_plugins.extractive.model import Extractive

MANAGE: Role = "manage"
WRITING = ("view", "create", "str_replace", "insert", "delete", "rename", "grep")
CONTEXT = compose("roles/context", context=render_unit(CHAT.sessions[0])).text


def request(tools: Sequence[str], *users: str, system: str = "You manage.", then: Sequence[Message] = ()) -> Request:
    """A request of the management role."""
    messages = (Message("system", system), *(Message("user", user) for user in users), *then)
    return Request(messages, MANAGE, tuple(ToolSpec(name, "", {}) for name in tools))


def run(store: Store, *users: str, system: str = "You manage.") -> Transcript:
    """The whole loop over a store."""
    messages = (Message("system", system), *(Message("user", user) for user in users))
    return asyncio.run(run_loop(Extractive(), messages, write_tools(store), role=MANAGE))


def first_calls(asked: Request) -> list[str]:
    """The tools of the first round."""
    calls = manage(asked)
    assert not isinstance(calls, str)
    return [name for name, _ in calls]


def test_jobs_are_told_apart() -> None:
    """By the tools, and by whether there is a context."""
    assert ["view", "grep"] == first_calls(request(WRITING, "Work it in.", CONTEXT))
    assert ["view"] == first_calls(request(WRITING, "Reorganize."))
    assert ["view"] == first_calls(request(("view", "grep", "rename"), "Sort."))
    assert isinstance(manage(request((), "Summarize.")), str)
    assert ["bash", "bash"] == first_calls(request(("bash",), "Work it in.", CONTEXT))


def test_tools_that_do_not_suffice() -> None:
    """It says what it needs instead of doing nothing in silence."""
    with pytest.raises(PermanentModelError, match="manages a store with view, grep, create, insert and delete"):
        manage(request(("view",), "Work it in.", CONTEXT))


def test_a_chunk_is_filed_by_real_edits(store: Store) -> None:
    """Four rounds: survey, count, edit, report."""
    done = run(store, "Work it in.", CONTEXT)

    assert ("answered", 4) == (done.end, done.effort.rounds)
    assert "- 4 March 2024: Ana: I bought the red kite in Porto, from a shop by the river. [S1T1]" in (
        store.read("/memories/people/ana.md")
    )


def test_the_same_chunk_again_changes_nothing(store: Store) -> None:
    """Facts whose locators the store cites are not written twice."""
    run(store, "Work it in.", CONTEXT)
    before = store.generation
    done = run(store, "Work it in.", CONTEXT)

    assert ("The store has all of this part already.", before) == (done.text, store.generation)


def test_a_known_file_grows(store: Store) -> None:
    """The next part's facts follow those of the last in the same file."""
    for session in CHAT.sessions:
        run(store, "Work it in.", compose("roles/context", context=render_unit(session)).text)

    lines = [line for line in store.read("/memories/people/ana.md").split("\n") if line.startswith("- ")]
    assert 1 < len(lines)
    assert sorted(lines, key=lambda line: line.rpartition("[S")[2]) == lines


def test_a_new_topic_is_pointed_to(store: Store) -> None:
    """The file of a person who speaks of it gets the path of the topic's."""
    said = "[S1T1] Ana: The kiln in Halle cost 640 euros.\n[S1T2] Bo: A kiln weighs 185 kilos, says Łukasz.\n"
    said += "[S1T3] Ana: We drove 40 kilometres in a red van.\n"
    run(store, "Work it in.", compose("roles/context", context=said).text)

    assert "- On kiln: see /memories/topics/kiln.md\n" in store.read("/memories/people/ana.md")


def test_a_dropped_result_costs_no_fact(store: Store) -> None:
    """Where the loop had to drop what was read, the transcript stays for the next pass."""
    for session in CHAT.sessions:
        store.create(f"/memories/session_{session.number:02d}.md", render_unit(session))
    calls = (ToolCall("1", "view", json.dumps({"path": "/memories"})),)
    listing = Message("tool", "[dropped to make room: the result of view, 9 tokens]", tool_call_id="1")
    then = (Message("assistant", "", calls), listing)

    assert "nothing is left to be changed" in str(manage(request(WRITING, "Reorganize.", then=then)))


def test_a_dropped_result_is_known() -> None:
    """What the loop writes in place of a result is what the manager looks for."""
    assert NOTICE == DROPPED


def test_preserve_is_told_by_its_paragraph(store: Store) -> None:
    """With the paragraph every turn is kept, without it the salient ones."""
    for session in CHAT.sessions:
        store.create(f"/memories/session_{session.number:02d}.md", render_unit(session))
    run(store, "Reorganize.", system=compose("blocks/keep-every-fact").text)

    text = "".join(store.read(path) for path in store.paths())
    assert all(str(turn.locator) in text for session in CHAT.sessions for turn in session.turns)
    assert [] == [path for path in store.paths() if "session_" in path]


def test_a_summary_stays_within_its_words() -> None:
    """The earliest lines go first."""
    old = "# What was said\n\n" + "\n".join(f"- Ana: fact number {n} of many [S1T{n}]" for n in range(1, 40))
    ask = compose("roles/ask-summarize", summary=old, context=render_unit(CHAT.sessions[0])).text
    text = summarize("Stay within about 60 words.", ask)

    assert "[S1T39]" in text
    assert "[S1T2]" not in text
    assert len(text.split()) <= 60 + len(["#", "What", "was", "said"])


@given(texts(), texts(), texts())
def test_any_text_gets_a_reply(asked: str, context: str, shown: str) -> None:
    """Whatever the user, the stream or a tool says: calls of granted tools, or text that is not empty."""
    then = (
        Message("assistant", "", (ToolCall("1", "view", '{"path": "/memories"}'),)),
        Message("tool", shown, tool_call_id="1"),
    )
    wrapped = compose("roles/context", context=context).text
    for made in (
        request(WRITING, asked, wrapped),
        request(WRITING, asked, wrapped, then=then),
        request(WRITING, asked, then=then),
        request(("view", "grep", "rename"), asked, then=then),
        request((), asked),
    ):
        reply = manage(made)
        assert reply
        assert isinstance(reply, str) or {name for name, _ in reply} <= {tool.name for tool in made.tools}


def test_a_small_window_ends_the_loop_well(store: Store) -> None:
    """A reorganization whose window holds a few transcripts only still files what it read."""
    for session in CHAT.sessions:
        store.create(f"/memories/session_{session.number:02d}.md", render_unit(session))
    messages = (Message("system", "You organize."), Message("user", "Reorganize."))
    limits = Limits(rounds=60, context_tokens=6_000)
    done = asyncio.run(run_loop(Extractive(), messages, write_tools(store), role=MANAGE, limits=limits))

    assert "answered" == done.end
