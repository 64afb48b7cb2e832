"""What the strategies draw is what they say."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from memkit import Conversation, Locator, Session, Turn
from memkit.testing import strategies

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "mode": {"enum": ["fast", "slow"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 100},
        "share": {"type": "number", "minimum": 0, "maximum": 1},
        "whole": {"type": "boolean"},
        "range": {"type": "array", "items": {"type": "integer"}},
        "inner": {"type": "object", "properties": {"x": {}}, "required": ["x"]},
    },
    "required": ["path", "count"],
    "additionalProperties": False,
}


@given(strategies.arguments(SCHEMA, paths=["/memories/a.md"]))
def test_arguments_fit_their_schema(arguments: dict[str, Any]) -> None:
    """What is drawn for a schema is valid under it."""
    assert [] == list(Draft202012Validator(SCHEMA).iter_errors(arguments))


@given(strategies.texts() | strategies.file_names())
def test_texts_can_be_encoded(text: str) -> None:
    """Every text and name is UTF-8."""
    assert text == text.encode().decode()


@given(strategies.conversations())
def test_conversations_are_located(conversation: Conversation) -> None:
    """Sessions count from 1, turns within each from 1."""
    assert list(range(1, len(conversation.sessions) + 1)) == [session.number for session in conversation.sessions]
    for session in conversation.sessions:
        expected = [Locator("S", session.number, place) for place in range(1, len(session.turns) + 1)]
        assert expected == [turn.locator for turn in session.turns]


@given(st.data())
def test_one_of_each(data: st.DataObject) -> None:
    """A turn and a step stand where they were asked for, a session has the number it was given."""
    assert isinstance(turn := data.draw(strategies.turns(Locator("S", 2, 3))), Turn)
    assert Locator("S", 2, 3) == turn.locator
    assert Locator("step", 0, 7) == data.draw(strategies.steps(7)).locator
    assert isinstance(session := data.draw(strategies.sessions(number=5)), Session)
    assert 5 == session.number
