"""Other tools: only an answer in the tool's own form is a statement."""

from __future__ import annotations

import pytest

from memkit.events.actions import read_call
from memkit.events.tools import read_result

SAVE = 'file_saver({"file_path": "out/a.md", "content": "x"})'
TABLE = [
    (SAVE, "Content successfully saved to out/a.md", "success", (("out/a.md.content", "saved"),), {}),
    (SAVE, "Content successfully saved to out/b.md", "unknown", (), {}),
    (
        'mark_step({"step_index": 2})',
        "Step 2: step_status is completed, notes",
        "success",
        (("step 2.status", "completed"),),
        {},
    ),
    (
        'search({"query": "q"})',
        "{'query': 'q', 'results': [], 'response_time': 0.74}",
        "success",
        (),
        {"seconds": 0.74},
    ),
    ('search({"query": "q"})', "[{'error': 'too long'}]", "failure", (), {}),
    ('fetch({"url": "u"})', "\n404: Not Found", "failure", (), {"http_status": 404.0}),
    ('fetch({"url": "u"})', "A page about error 404: Not Found", "unknown", (), {}),
    ('think: {"thought": "t"}', "Your thought has been logged.", "no effect", (), {}),
    ("think: where to go", "OK.", "no effect", (), {}),
]


@pytest.mark.parametrize(
    ("action", "observation", "outcome", "changes", "numbers"), TABLE, ids=[row[1][:30] for row in TABLE]
)
def test_forms(
    action: str, observation: str, outcome: str, changes: tuple[tuple[str, str], ...], numbers: dict[str, float]
) -> None:
    """Outcome, changes and numbers of each form, with a quote of the observation."""
    call = read_call(action)
    reading = read_result(call, observation, thinks=call.tool == "think")
    assert (outcome, changes, numbers) == (reading.outcome, reading.changes, dict(reading.numbers))
    assert reading.quote in observation
