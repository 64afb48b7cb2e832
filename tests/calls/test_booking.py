"""Books are kept apart, and conversations are told apart by how they open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from memkit.calls.booking import book_calls, conversation_of, current_booking
from memkit.calls.recorded import RecordedModel
from memkit.records import Message, Request

OPENING = (Message("system", "You search."), Message("user", "Where?"))


def test_books_of_parallel_work_are_apart(make_model: Callable[..., Any]) -> None:
    """Two questions answered at the same time by one model have a booking each, subtasks included."""
    model = RecordedModel(make_model(seconds=0.01), None)

    async def answer(text: str, times: int) -> list[str]:
        with book_calls() as booking:
            request = Request((Message("user", text),), "search")
            await asyncio.gather(*(model.complete(request) for _ in range(times)))
        return [call.request.messages[0].content for call in booking.calls]

    async def main() -> list[list[str]]:
        return await asyncio.gather(answer("a", 2), answer("b", 3))

    assert [["a", "a"], ["b", "b", "b"]] == asyncio.run(main())
    assert None is current_booking()


def test_the_inner_book_has_the_call(make_model: Callable[..., Any]) -> None:
    """Of nested books the inner one is written in, and the outer again when it is closed."""
    model = RecordedModel(make_model(), None)

    async def main() -> tuple[int, int]:
        with book_calls() as outer:
            with book_calls() as inner:
                await model.complete(Request(OPENING, "search"))
            await model.complete(Request(OPENING, "search"))
            await model.complete(Request(OPENING, "search"))
        return len(outer.calls), len(inner.calls)

    assert (2, 1) == asyncio.run(main())


def test_places_in_a_conversation(make_model: Callable[..., Any]) -> None:
    """Each conversation counts its calls from 0."""
    model = RecordedModel(make_model(), None)

    async def main() -> list[int]:
        with book_calls() as booking:
            for text in "abaab":
                await model.complete(Request((Message("user", text),), "search"))
        return [call.index for call in booking.calls]

    assert [0, 0, 1, 2, 1] == asyncio.run(main())


@pytest.mark.parametrize(
    "more",
    [
        (Message("assistant", "Looking."), Message("tool", "found")),
        (Message("assistant", "Looking."), Message("tool", "[dropped]"), Message("user", "Go on.")),
    ],
)
def test_a_conversation_goes_on(more: tuple[Message, ...]) -> None:
    """Whatever follows the first reply belongs to the conversation."""
    assert conversation_of("m", Request(OPENING, "search")) == conversation_of(
        "m", Request((*OPENING, *more), "search")
    )


def test_another_conversation() -> None:
    """Another opening, role or model is another conversation, even when only a later opening message differs."""
    request = Request(OPENING, "search")
    found = {
        conversation_of("m", request),
        conversation_of("n", request),
        conversation_of("m", evolve(request, role="manage")),
        conversation_of("m", evolve(request, messages=(*OPENING, Message("user", "chunk 1")))),
        conversation_of("m", evolve(request, messages=(*OPENING, Message("user", "chunk 2")))),
    }

    assert 5 == len(found)
