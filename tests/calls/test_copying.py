from __future__ import annotations

from pathlib import Path

import pytest

from memkit.calls.copying import copy_calls
from memkit.calls.keys import Address, address
from memkit.calls.store import CallStore
from memkit.errors import UserError
from memkit.records import Completion, Message, Request, Usage

REPLY = Completion(Message("assistant", "In Porto."), Usage(20, 0, 0, 7))


def asked(number: int) -> Address:
    """A call that shares its first message with the others."""
    messages = (Message("system", "You search."), Message("user", f"Question {number}?"))
    return address("openai/any", {}, Request(messages, "search"), 0)


def test_calls_with_their_parts(tmp_path: Path) -> None:
    """Those of the given keys are there as they were, with what was asked; others are not; twice is once."""
    with CallStore(tmp_path / "old.db") as old:
        for number in range(1200):
            old.record(asked(number), REPLY, 0.5)
    keys = [asked(number).key for number in range(0, 1200, 2)]
    assert 600 == copy_calls(tmp_path / "old.db", tmp_path / "new.db", [*keys, *keys, "no such key"])
    copy_calls(tmp_path / "old.db", tmp_path / "new.db", keys[:3])

    with CallStore(tmp_path / "old.db") as old, CallStore(tmp_path / "new.db") as new:
        assert 600 == len(new)
        assert [old.find(key) for key in keys] == [new.find(key) for key in keys]
        assert [old.request(key) for key in keys] == [new.request(key) for key in keys]
        assert None is new.find(asked(1).key)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    """What is no store of calls is told in words, and nothing is copied."""
    (tmp_path / "old.db").write_text("nothing of the kind")
    with pytest.raises(UserError, match=r"old\.db"):
        copy_calls(tmp_path / "old.db", tmp_path / "new.db", ["key"])
