"""Questions that nothing is computed for: explanations, causes, advice, what would have been, single observations.

They are left to the reading view alone (ledger paper, section 5).
"""

from __future__ import annotations

import re

_REFUSALS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "what would have been",
        re.compile(
            r"\bif\b[^?]{0,200}\b(?:had|were|was\s+to|would|could|executes?|executed|instead|chose|does|did)\b|\bwould(?:n't)?\b"
            r"|\b(?:could|should|might)(?:n't)?\s+(?:not\s+)?have\b|\bsuppose\b|\bcounter-?factual|\bhypothetical|\bwhat\s+if\b"
        ),
    ),
    (
        "a cause or an explanation",
        re.compile(
            r"\bwhy\b|\bexplain\b|\bexplanation\b|\breasons?\b|\brationale\b|\b(?:root\s+)?causes?\b|\bcaused\s+(?:the\s+)?(?:agent|the|a|an)\b"
            r"|\bcausal\w*|\bmotivat\w+|\bpurpose\b|\bjustif\w+|\bimpl(?:y|ies|ied|ication)\b|\binfer(?:red|ence)?\b|\bsignifican\w+"
            r"|\bevidence\b|\bdemonstrat\w+|\bpr(?:e|o)conditions?\b|\bpre-?requisites?\b|\bmust\s+(?:be|have|hold)\b|\bhidden\b|\benabl\w+"
            r"|\bhow\s+(?:is|was|were|are|does|do)\s+(?!.{0,200}\b(?:chang|evolv|often|many|frequen))"
        ),
    ),
    (
        "advice or a judgement",
        re.compile(
            r"\b(?:most\s+)?reasonable\b|\bshould\b|\brecommend\w*|\badvi[cs]e\b|\bbest\b|\bbetter\b|\boptimal\b|\bstrateg\w+|\bcrucial\b"
            r"|\bsuccessful\s+in\b|\bkey\s+(?:change|finding|insight|difference)s?\b|\bcompare\b|\bdifference\b|\bwasted\b"
        ),
    ),
    (
        "events by their place between others",
        re.compile(
            r"\bconsecutive\w*|\bimmediately\b|\bpreced(?:ing|ed)\b|\bin\s+a\s+row\b|\bseparat(?:e|es|ed)\s+the\b|\b(?:next|previous|subsequent)\s+"
            r"(?:action|step|turn|command|query)s?\b|\bhow\s+many\s+(?:steps?|turns?)\s+(?:after|before|later|between|separate)\b"
            r"|\b(?:second|third|fourth|fifth|sixth|\d+(?:st|nd|rd|th))\b(?!\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
        ),
    ),
    (
        "a scope that no step bounds",
        re.compile(
            r"(?<!the\s)\b(?:before|after|until|since|between|prior\s+to|following|once|while|during\s+which)\s+"
            r"(?!(?:and|or|that|then|doing|(?:the\s+)?(?:whole\s+|entire\s+)?(?:task|trajectory|run|episode|log|process|session|end|start)"
            r"|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)\b)[a-z]"
            r"|\bbetween\s+and\b"
        ),
    ),
)


def refusal(plain: str) -> str:
    """What a plan is refused for, in a few words; empty for a clause, in lower case, that may be computed."""
    for reason, pattern in _REFUSALS:
        if pattern.search(plain):
            return reason
    return ""


def is_counterfactual(plain: str) -> bool:
    """Whether a whole question, in lower case, asks what would have been: then none of its clauses is computed."""
    return bool(_REFUSALS[0][1].search(plain))
