from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from memkit.compare.comparison import Comparison, compare
from memkit.compare.recorded import answer_of
from memkit.compare.replay import Replay, open_replay
from memkit.compare.spec import Spec, Use
from memkit.errors import UserError

MakeSpec = Callable[..., Spec]
Ran = tuple[Comparison, Replay]


@pytest.fixture(scope="module")
def replay(make_spec: MakeSpec, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """A finished run of the demo with its plan and its records, and the run opened again."""
    done = compare(make_spec(), runs=tmp_path_factory.mktemp("runs"), runner=Use("local", {"workers": 0}))
    return done, open_replay(done.outcome.directory)


def test_same_answers(replay: Ran) -> None:
    """Every answer of every arm, the null rows included, is given again, with its whole exchange."""
    done, opened = replay
    asked = 0
    for cell in done.plan.cells:
        for item in cell.items:
            place = (cell.arm.label, cell.case.stream.id, item.question.id, item.attempt)
            again = opened.ask(*place, build_key=cell.build_key)
            recorded = answer_of(done.outcome.records.answer[item.answer_key])
            assert (recorded.text, recorded.end, recorded.effort.served) == (again.text, again.end, again.effort.served)
            assert {"system", "user", "assistant"} <= {message.role for message in again.messages}
            asked += 1
    assert 4 * 3 == asked


@pytest.mark.parametrize(
    ("arm", "question", "key", "message"),
    [
        ("gone", "q", "", "no arm of {run} is labelled 'gone' any more; run the comparison again"),
        ("verbatim / center", "gone", "", "the data of {run} hold no question 'gone' of {stream!r} any more"),
        ("verbatim / center", "", "0" * 64, "the memory {run}/memories/{key} is gone; run the comparison again, which"),
    ],
)
def test_what_is_gone(replay: Ran, arm: str, question: str, key: str, message: str) -> None:
    """An arm, a question or a memory that is not there is named."""
    done, opened = replay
    stream, case = next(iter(opened.cases.items()))
    with pytest.raises(UserError) as caught:
        opened.ask(arm, stream, question or case.questions[0].id, build_key=key)

    assert message.format(run=done.outcome.directory, stream=stream, key="0" * 32) in str(caught.value)


def test_no_record_of_calls(replay: Ran, tmp_path: Path) -> None:
    """Without its record of calls a provider's model is not asked, and no empty record is left behind."""
    done, _ = replay
    directory = tmp_path / "run"
    shutil.copytree(done.outcome.directory, directory)
    spec = directory / "spec.yaml"
    spec.write_text(spec.read_text().replace("use: memkit/extractive", "use: openai/nothing"))
    opened: Replay = open_replay(directory)
    stream, case = next(iter(opened.cases.items()))
    with pytest.raises(UserError) as caught:
        opened.ask("oracle", stream, case.questions[0].id)

    assert f"the record of calls, {directory / 'calls.db'}, is gone" in str(caught.value)
    assert not (directory / "calls.db").exists()
