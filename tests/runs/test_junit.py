from __future__ import annotations

from xml.etree import ElementTree as ET

from attrs import evolve

from memkit.runs.analysis import Analysis, analyse
from memkit.runs.gate import GateResult
from memkit.runs.junit import Case, junit_xml
from memkit.runs.open import Run


def suites(found: Analysis, *cases: Case, strict: bool = False) -> dict[str, ET.Element]:
    """The suites by name."""
    return {suite.attrib["name"]: suite for suite in ET.fromstring(junit_xml(found, cases, strict=strict))}


def outcomes(suite: ET.Element) -> list[str]:
    """What became of each case: the tag below it, or passed."""
    return [child[0].tag if len(child) else "passed" for child in suite]


def gate(verdict: str) -> GateResult:
    """A result of that verdict, about an arm with a hostile name."""
    return GateResult("f1", "\x1b[2J<b>&", "base", 0.02, verdict, 0.1, 0.0, 0.2, 10, 3)  # type: ignore[arg-type]


def test_gates(whole: Run) -> None:
    """A gate is a test case: passed, failed, or skipped where it is inconclusive; strict fails that too."""
    found = evolve(analyse(whole), gates=(gate("pass"), gate("fail"), gate("inconclusive")))

    assert ["passed", "failure", "skipped"] == outcomes(suites(found)["gates"])
    suite = suites(found, strict=True)["gates"]
    assert ["passed", "failure", "failure"] == outcomes(suite)
    assert {"name": "gates", "tests": "3", "failures": "2", "skipped": "0"} == suite.attrib


def test_answers(whole: Run) -> None:
    """An answer is a test case: skipped where it is missing, failed where it did not end in order, else passed."""
    cases = [Case("a", "s", "q", n, status, None) for n, status in enumerate(("ok", "missing", "limit", "infra_error"))]
    suite = suites(analyse(whole), *cases)["answers"]

    assert ["passed", "skipped", "failure", "skipped"] == outcomes(suite)
    assert ["s q", "s q attempt 2", "s q attempt 3", "s q attempt 4"] == [case.attrib["name"] for case in suite]


def test_held_equal(whole: Run) -> None:
    """What the spec holds equal and is not is a failure beside the gates."""
    found = analyse(whole)
    facts = tuple(evolve(fact, required=fact.name in ("builder", "judge")) for fact in found.audit.facts)
    suite = suites(evolve(found, gates=(), audit=evolve(found.audit, facts=facts)))["gates"]

    assert {"builder": "failure", "judge": "passed"} == dict(
        zip([case.attrib["name"] for case in suite], outcomes(suite), strict=True)
    )


def test_hostile_text(whole: Run) -> None:
    """Text of others is text: no element, and no character that XML may not hold."""
    found = evolve(analyse(whole), gates=(gate("fail"),))
    data = junit_xml(found, [Case("]]>\x00\ufffe", "<s>", "\u202e", 0, "ok", 1.0)])

    names = [case.attrib["name"] for case in ET.fromstring(data).iter("testcase")]
    assert ["f1: \ufffd[2J<b>& no worse than base by more than 0.02", "<s> \u202e"] == names
    assert b"\x1b" not in data
