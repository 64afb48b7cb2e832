"""What hypothesis draws from: hostile text, streams, file names, and arguments that fit a tool's schema.

Ledgers and plans are in `memkit.testing.ledgers`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from memkit.locators import Locator
from memkit.records import Conversation, Session, Step, Turn
from memkit.testing.samples import HOSTILE

_TIMES = (None, "2024-02-29", "2024-03-31T02:30+01:00", "2023-12-31T23:30+08:00", "2024-05-08T13:56", "1 May, noon")
_NAMES = ("Ana", "Jonas Müller", "田中さくら", "O'Brien", "a: b", "[S1T1] Bo", "---", "x\ny")
_PATHS = (
    "/memories",
    "/memories/",
    "/memories/none.md",
    "/",
    "",
    "..",
    "/memories/../../etc/passwd",
    "/memories/%2e%2e",
)


def texts(*, max_size: int = 80) -> st.SearchStrategy[str]:
    """Text that can be written as UTF-8: any characters, or one of the hostile samples."""
    characters = st.characters(exclude_categories=["Cs"])
    return st.text(characters, max_size=max_size) | st.sampled_from(HOSTILE)


def file_names() -> st.SearchStrategy[str]:
    """Names for a file, most of them good: any script, spaces and dots, reserved names, and too long ones."""
    letters = st.text(st.characters(categories=["L", "N", "Zs", "Pd", "Pc"]), min_size=1, max_size=30)
    odd = st.sampled_from(
        ("CON", "a.b", "é", "e\u0301", ".hidden", "..", "x" * 300, "a/b", "nul\0", " lead", "trail. ")
    )
    return st.tuples(letters | odd, st.sampled_from((".md", ".MD", ".txt", ""))).map("".join)


def turns(locator: Locator) -> st.SearchStrategy[Turn]:
    """A turn at `locator`."""
    return st.builds(
        Turn,
        st.just(locator),
        speaker=st.sampled_from(_NAMES)
        | st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20),
        text=texts(),
        caption=st.just("") | texts(max_size=20),
        time=st.sampled_from(_TIMES),
    )


@st.composite
def sessions(draw: st.DrawFn, *, number: int = 1, max_turns: int = 4) -> Session:
    """A session with that number, located turns and any time."""
    count = draw(st.integers(1, max_turns))
    said = tuple(draw(turns(Locator("S", number, place))) for place in range(1, count + 1))
    return Session(number, said, draw(st.sampled_from(_TIMES)))


@st.composite
def conversations(draw: st.DrawFn, *, max_sessions: int = 3) -> Conversation:
    """A conversation of sessions numbered from 1."""
    count = draw(st.integers(1, max_sessions))
    return Conversation("drawn", tuple(draw(sessions(number=number)) for number in range(1, count + 1)))


def steps(index: int = 1) -> st.SearchStrategy[Step]:
    """A step of a trajectory with that index."""
    return st.builds(Step, st.just(Locator("step", 0, index)), st.just(index), action=texts(), observation=texts())


def arguments(schema: Mapping[str, Any], *, paths: Sequence[str] = ()) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that fit a JSON Schema object; its strings are often one of `paths`, or a path that should be refused."""
    properties: Mapping[str, Any] = schema.get("properties", {})
    required = schema.get("required", ())
    values = {name: _values(inner, paths) for name, inner in properties.items()}
    return st.fixed_dictionaries(
        {name: values[name] for name in values if name in required},
        optional={name: values[name] for name in values if name not in required},
    )


def _values(schema: Mapping[str, Any], paths: Sequence[str]) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds: dict[str, Callable[[], st.SearchStrategy[Any]]] = {
        "string": lambda: st.sampled_from((*paths, *_PATHS)) | texts(),
        "integer": lambda: _integers(schema),
        "number": lambda: st.floats(
            schema.get("minimum"), schema.get("maximum"), allow_nan=False, allow_infinity=False
        ),
        "boolean": st.booleans,
        "array": lambda: st.lists(_values(schema.get("items", {}), paths), max_size=3),
        "object": lambda: arguments(schema, paths=paths),
    }
    anything = st.none() | st.booleans() | st.integers() | texts()
    return kinds[schema["type"]]() if schema.get("type") in kinds else anything


def _integers(schema: Mapping[str, Any]) -> st.SearchStrategy[int]:
    """Small ones, which try the most, or any at all."""
    low, high = schema.get("minimum"), schema.get("maximum")
    small = st.integers(-2, 12).filter(lambda n: (low is None or n >= low) and (high is None or n <= high))
    return small | st.integers(low, high)
