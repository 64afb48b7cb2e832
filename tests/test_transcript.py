"""Units as text: every turn behind its locator, every session under its date."""

from __future__ import annotations

from memkit import Locator, Session, Step, Turn, render_turn, render_turns, render_unit, session_title
from memkit.transcript import writable

HELLO = Turn(Locator("S", 5, 1), "Caroline", "Hello!")
PICTURE = Turn(Locator("S", 5, 2), "田中さくら", "Look", caption="a dog")


def test_turn() -> None:
    """A turn is one line: locator, speaker, text."""
    assert "[S5T1] Caroline: Hello!" == render_turn(HELLO)


def test_caption() -> None:
    """A picture's caption is part of what was said."""
    assert "[S5T2] 田中さくら: Look [image: a dog]" == render_turn(PICTURE)


def test_turns() -> None:
    """Each turn ends its line; none give an empty text."""
    assert "[S5T1] Caroline: Hello!\n[S5T2] 田中さくら: Look [image: a dog]\n" == render_turns([HELLO, PICTURE])
    assert "" == render_turns([])


def test_session() -> None:
    """The date stands above the turns it dates."""
    session = Session(5, (HELLO,), "2023-05-08T13:56")

    assert "Session 5, 2023-05-08T13:56\n\n[S5T1] Caroline: Hello!\n" == render_unit(session)


def test_session_without_a_date() -> None:
    """What the source does not say is left out."""
    assert "Session 5" == session_title(Session(5, (HELLO,)))


def test_step() -> None:
    """A step is its action behind its locator, then what came back."""
    step = Step(Locator("step", 0, 14), 14, "go north", "A door.")

    assert "[step 14] go north\nA door.\n" == render_unit(step)


def test_writable() -> None:
    """What no text file can hold is replaced, and a unit without it is the very same."""
    session = Session(1, (HELLO, Turn(Locator("S", 1, 2), "A\ud83d", "b\0", "\udc00 \U0001f600\u2028")))
    step = Step(Locator("step", 0, 3), 3, "run\0", "ok")

    expected = Turn(Locator("S", 1, 2), "A\ufffd", "b\ufffd", "\ufffd \U0001f600\u2028")
    assert Session(1, (HELLO, expected)) == writable(session)
    assert Step(Locator("step", 0, 3), 3, "run\ufffd", "ok") == writable(step)
    whole = Session(2, (HELLO, PICTURE))
    assert whole is writable(whole)
