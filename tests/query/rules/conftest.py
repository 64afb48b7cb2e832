"""Catalogues of small logs of each kind, made as they are in use: from units, by the ledger."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from memkit.ledger.catalogue import Catalogue
from memkit.ledger.extract import extract_rows
from memkit.locators import Locator
from memkit.records import Session, Step, Turn, Unit

PATH = "/repo/src/core.py"


def household() -> list[Step]:
    """A text world, from step 0: look, go, open, take, go, put, close, examine."""
    return numbered(
        ("look", "You are in the middle of a room."),
        ("go to drawer 1", "You arrive at drawer 1. The drawer 1 is closed."),
        ("open drawer 1", "You open the drawer 1. The drawer 1 is open. In it, you see a mug 2."),
        ("take mug 2 from drawer 1", "You pick up the mug 2 from the drawer 1."),
        ("go to drawer 10", "You arrive at drawer 10. The drawer 10 is open. In it, you see nothing."),
        ("move mug 2 to drawer 10", "You move the mug 2 to the drawer 10."),
        ("close drawer 10", "You close the drawer 10."),
        ("examine mug 2", "Nothing happens."),
        start=0,
    )


def software() -> list[Step]:
    """A software log: a failing test run, a view, a create, a replacement that fails and one that does not."""
    return numbered(
        (call("execute_bash", command="cd /repo && pytest tests"), ended("1 failed in 2.50s", 1)),
        (call("execute_bash", command="grep -rn core /repo/src"), ended("core.py", 0)),
        (call("str_replace_editor", command="view", path=PATH), f"Here's the result of running `cat -n` on {PATH}:\n"),
        (
            call("str_replace_editor", command="create", path="/repo/new.py", file_text=""),
            "File created successfully at: /repo/new.py",
        ),
        (
            call("str_replace_editor", command="str_replace", path=PATH, old_str="a", new_str="b"),
            f"ERROR:\nNo replacement was performed, old_str `a` did not appear verbatim in {PATH}.",
        ),
        (
            call("str_replace_editor", command="str_replace", path=PATH, old_str="c", new_str="d"),
            f"The file {PATH} has been edited. Here's the result of running `cat -n` on a snippet of {PATH}:\n",
        ),
    )


def talk() -> list[Session]:
    """Two friends in May and June."""
    said = (("Ana", "I have a new kite.", ""), ("Ben", "Nice kite, Ana!", "a red kite"))
    return [
        Session(
            number,
            tuple(Turn(Locator("S", number, at), *turn) for at, turn in enumerate(said, 1)),
            f"2023-0{4 + number}-08T10:00",
        )
        for number in (1, 2)
    ]


def history() -> list[Step]:
    """Two commits: a file added with an assignment, and another deleted."""
    return numbered(
        (
            commit("a1b2c3d", "2021-05-01"),
            patch("app.py", "new file mode 100644\n--- /dev/null\n+++ b/app.py", "+LIMIT = 5"),
        ),
        (commit("b1b2c3d", "2022-05-01"), patch("app.py", "--- a/app.py\n+++ b/app.py", "-LIMIT = 5\n+LIMIT = 7")),
        (
            commit("c1b2c3d", "2022-06-01"),
            patch("old.py", "deleted file mode 100644\n--- a/old.py\n+++ /dev/null", "-x = 1"),
        ),
    )


def numbered(*steps: tuple[str, str], start: int = 1) -> list[Step]:
    """Steps in order."""
    return [Step(Locator("step", 0, at), at, *step) for at, step in enumerate(steps, start)]


def call(tool: str, **arguments: str) -> str:
    """A call as AMA-Bench logs it."""
    return f"{tool}: {json.dumps(arguments)}"


def ended(output: str, code: int) -> str:
    """What came of a bash command."""
    return f"{output}\n[The command completed with exit code {code}.]\n[Command finished with exit code {code}]"


def commit(digest: str, date: str) -> str:
    """The header of a commit."""
    return f"commit {digest}\nAuthor: A <a@b>\nAuthorDate: {date}T10:00:00+00:00\n\n    Change\n"


def patch(path: str, head: str, lines: str) -> str:
    """The patch of a file."""
    return f"diff --git a/{path} b/{path}\n{head}\n@@ -1 +1 @@\n{lines}\n"


@pytest.fixture(scope="session")
def logs() -> dict[str, Sequence[Unit]]:
    """The units of each log, by its kind."""
    return {"household": household(), "software": software(), "talk": talk(), "history": history()}


@pytest.fixture(scope="session")
def catalogues(logs: dict[str, Sequence[Unit]]) -> dict[str, Catalogue]:
    """The catalogue of each log."""
    return {kind: Catalogue.of(extract_rows(units)) for kind, units in logs.items()}
