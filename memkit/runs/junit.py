"""Gates, and answers, as JUnit XML: what continuous integration shows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, tostring

from attrs import frozen

from memkit.compare.audit import Fact
from memkit.runs.analysis import Analysis
from memkit.runs.gate import GateResult
from memkit.runs.sheet import MISSING

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML 1.0 document may hold (recommendation, section 2.2)."""


@frozen
class Case:
    """An answer as a test case."""

    arm: str
    stream: str
    question: str
    attempt: int
    status: str
    seconds: float | None


def junit_xml(found: Analysis, items: Iterable[Case] = (), *, strict: bool = False) -> bytes:
    """One test suite for the gates and what is held equal, and one for `items` where there are any.

    A gate that fails is a failure; one that is inconclusive is skipped, or a failure too when `strict`. An answer is
    a failure when it ended otherwise than in order, and skipped when it is missing: a wrong one is neither.
    """
    root = Element("testsuites", name=_xml(f"memkit {found.name}"))
    gates = _suite(root, "gates")
    for gate in found.gates:
        _gate(gates, gate, strict=strict)
    for fact in found.audit.facts:
        if fact.required:
            _fact(gates, fact)
    cases = list(items)
    if cases:
        suite = _suite(root, "answers")
        for one in cases:
            _case(suite, one)
    for suite in root:
        _count(suite)
    data: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return data


def gate_sentence(gate: GateResult) -> str:
    """What a gate found, in words."""
    if gate.mean is None:
        return gate.reason
    bounds = "" if gate.low is None or gate.high is None else f" [{gate.low:+.4f}, {gate.high:+.4f}]"
    why = f"; {gate.reason}" if gate.reason else ""
    return f"{gate.mean:+.4f}{bounds} against {gate.vs}, margin {gate.margin:g}, {gate.questions} questions{why}"


def _suite(root: Element, name: str) -> Element:
    return SubElement(root, "testsuite", name=name)


def _gate(suite: Element, gate: GateResult, *, strict: bool) -> None:
    name = f"{gate.metric}: {gate.arm or 'any arm'} no worse than {gate.vs} by more than {gate.margin:g}"
    case = SubElement(suite, "testcase", classname="gate", name=_xml(name))
    if gate.verdict == "fail" or (strict and gate.verdict == "inconclusive"):
        SubElement(case, "failure", message=_xml(f"{gate.verdict}: {gate_sentence(gate)}"))
    elif gate.verdict == "inconclusive":
        SubElement(case, "skipped", message=_xml(f"inconclusive: {gate_sentence(gate)}"))


def _fact(suite: Element, fact: Fact) -> None:
    case = SubElement(suite, "testcase", classname="hold_equal", name=_xml(fact.name))
    if fact.breach:
        SubElement(case, "failure", message=_xml(fact.sentence))


def _case(suite: Element, one: Case) -> None:
    name = f"{one.stream} {one.question}" + (f" attempt {one.attempt + 1}" if one.attempt else "")
    case = SubElement(suite, "testcase", classname=_xml(one.arm), name=_xml(name), time=f"{one.seconds or 0:.3f}")
    if one.status in MISSING:
        SubElement(case, "skipped", message=_xml(one.status))
    elif one.status != "ok":
        SubElement(case, "failure", message=_xml(one.status))


def _count(suite: Element) -> None:
    suite.set("tests", str(len(suite)))
    for name, tag in (("failures", "failure"), ("skipped", "skipped")):
        suite.set(name, str(len(suite.findall(f"testcase/{tag}"))))


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
