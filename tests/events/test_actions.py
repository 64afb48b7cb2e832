"""Every dialect of logged actions is read into the same record."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.events.actions import read_call

VIEW = {"command": "view", "path": "/w/a.py", "view_range": [1, 9]}
TAGS = (
    "I look.\n<function=str_replace_editor>\n<parameter=command>view</parameter>\n"
    "<parameter=path>/w/a.py</parameter>\n</function>"
)
SHELL = {"command": "cd /w && X=1 python -m pytest tests/test_a.py::test_b", "timeout": 5}
FENCED = "THOUGHT: it says\n```\nno\n```\n\n```bash\nsed -i 's/a/b/' src/x.c\n```"

TABLE = [
    ("str_replace_editor: " + json.dumps(VIEW), "str_replace_editor", "view", ("/w/a.py",), "editor"),
    ("str_replace_editor view /w/a.py --view_range 1 9", "str_replace_editor", "view", ("/w/a.py",), "editor"),
    (TAGS, "str_replace_editor", "view", ("/w/a.py",), "editor"),
    (f"file_editor({json.dumps(VIEW)})", "file_editor", "view", ("/w/a.py",), "editor"),
    ("str_replace_editor: {broken", "str_replace_editor", "", (), "editor"),
    ("execute_bash: " + json.dumps(SHELL), "execute_bash", "python", ("tests/test_a.py",), "shell"),
    ("bash: ls -l src/", "bash", "ls", ("src/",), "shell"),
    ('bash: {"command": "C-c", "is_input": "true"}', "bash", "input", (), "shell"),
    ("cd /w && grep -rn 'a/b c' --include=*.py .", "bash", "grep", (), "shell"),
    (FENCED, "bash", "sed", ("src/x.c",), "shell"),
    ('open "src/fields.py" 1474', "open", "open", ("src/fields.py",), "text"),
    ("submit", "submit", "submit", (), "text"),
    ('fetch({"url": "https://a.example/x"})', "fetch", "fetch", ("https://a.example/x",), "tool"),
    ('mark_step({"step_index": 0})', "mark_step", "mark_step", (), "tool"),
    ("fetch({nonsense)", "fetch", "", (), "tool"),
    ('think: {"thought": "name me"}', "think", "think", (), "tool"),
    ("run_sql: -- first\nSELECT a FROM s.t", "run_sql", "select", ("s.t",), "sql"),
    ("go to toilet 1", "go", "go to", ("toilet 1",), "world"),
    ("take soapbar 2 from toilet 1", "take", "take", ("soapbar 2", "toilet 1"), "world"),
    ("put mug 1 in/on desk 2", "put", "put", ("mug 1", "desk 2"), "world"),
    ("move mug 1 to desk 2", "move", "move", ("mug 1", "desk 2"), "world"),
    ("look", "look", "look", (), "world"),
    ("click [52] where [52] is link 'All Women's'", "click", "click", ("link 'All Women's'",), "web"),
    ("type [7] [two words] where [7] is textbox 'Name *' required: True", "type", "type", ("textbox 'Name *'",), "web"),
    ("scroll [down]", "scroll", "scroll", ("down",), "web"),
    ("stop [the answer]", "stop", "stop", (), "web"),
    ("Move North", "Move", "Move North", ("North",), "move"),
    ("left", "left", "left", (), "move"),
    ("((0,1), (0,2))", "((0,1), (0,2))", "((0,1), (0,2))", (), "move"),
    ("—", "", "", (), "none"),
    ("", "", "", (), "none"),
]


@pytest.mark.parametrize(("action", "tool", "act", "targets", "form"), TABLE, ids=[row[0][:40] for row in TABLE])
def test_dialects(action: str, tool: str, act: str, targets: tuple[str, ...], form: str) -> None:
    """Tool, act, targets and form of each dialect are those of the conventions."""
    call = read_call(action)
    assert (tool, act, targets, form) == (call.tool, call.act, call.targets, call.form)


def test_arguments_of_a_command_line() -> None:
    """An editor call in shell quoting gives the arguments that the shell would pass."""
    call = read_call("str_replace_editor str_replace '/w/a b.py' --old_str 'it'\"'\"'s' --new_str 'x\ny'")
    expected = {"command": "str_replace", "path": "/w/a b.py", "old_str": "it's", "new_str": "x\ny"}
    assert expected == dict(call.arguments)


def test_broken_json_has_no_arguments() -> None:
    """A call whose JSON is cut keeps its tool and nothing else."""
    call = read_call('execute_bash: {"command": "ls /w')
    assert ("execute_bash", "", {}, "") == (call.tool, call.act, dict(call.arguments), call.command)


def test_several_calls_in_one_step() -> None:
    """The first of several calls is told, and no reader takes the answer for its own."""
    call = read_call('bash: {"command": "ls"}\nbash: {"command": "pwd"}')
    assert ("bash", "ls", "text") == (call.tool, call.act, call.form)


@given(st.dictionaries(st.text(max_size=8), st.text(), max_size=4), st.text(), st.sampled_from(["{}: {}", "{}({})"]))
def test_places_are_exact(others: dict[str, str], path: str, form: str) -> None:
    """What an argument's place cuts out of the action is its JSON text, whatever stands around it."""
    arguments = {**others, "command": "view", "path": path}
    action = form.format("str_replace_editor", json.dumps(arguments, ensure_ascii=False))
    call = read_call(action)
    read = {key: json.loads(f'"{action[slice(*place)]}"') for key, place in call.places.items()}
    assert (arguments, path) == (read, call.path)


@given(st.text())
def test_any_text_is_some_call(action: str) -> None:
    """No text raises, and places lie inside it."""
    call = read_call(action)
    assert all(0 <= start <= end <= len(action) for start, end in call.places.values())


@given(st.sampled_from([row[0] for row in TABLE]), st.data())
def test_cut_and_mixed_actions(action: str, data: st.DataObject) -> None:
    """A cut or disturbed action of any dialect raises nothing."""
    at = data.draw(st.integers(0, len(action)))
    noise = data.draw(st.text(max_size=4))
    read_call(action[:at])
    call = read_call(action[:at] + noise + action[at:])
    assert isinstance(call.tool, str)
