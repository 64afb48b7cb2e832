"""What a clause asks to be computed: a count, a grouping, a list, the first or last, a state."""

from __future__ import annotations

import re

from attrs import frozen

from memkit.query.plan import Group, Operation
from memkit.query.rules.nouns import ACTIONS, STEPS, THINGS, TOOLS, WHICH, Subject, counts_things, each_of, subject_of

_COUNT = re.compile(
    r"\bhow\s+many\b|\bhow\s+often\b|\bhow\s+frequently\b|\b(?:total\s+)?number\s+of\b|\b(?:the\s+)?counts?\s+of\b|^\W*count\b|\btally\b"
    r"|\bfrequency\s+(?:of|with)\b|\btotal\s+(?:count|number)\b"
)
_FREQUENCIES = re.compile(
    r"\bhow\s+(?:frequently|often|many\s+times)\b|\bfrequenc(?:y|ies)\b|\bcounts?\b|\bnumber\s+of\s+(?:times|occurrences)\b"
    r"|\bdistribution\b|\bbreakdown\b|\bbroken\s+down\b"
)
_MOST = re.compile(
    r"\b(?:most|least)\s+(?:often|frequent(?:ly)?|common(?:ly)?|times|[a-z]+ed|used|seen|chosen|taken)\b"
    r"|\b(?:highest|largest|greatest|lowest)\s+(?:number|count|frequency)\b|\bmore\s+often\s+than\s+any\b"
    r"|\b(?:most|fewest)\s+(?:times|visits|calls|edits|messages|pictures|photos|commits|changes)\b|\b(?:most|least)\W*$"
)
_DISTINCT = re.compile(
    r"\bhow\s+many\s+(?:different|distinct|unique|separate)\b|\bnumber\s+of\s+(?:different|distinct|unique)\b"
)
_OUTCOMES = re.compile(
    r"\b(?:succe\w+|fail\w+|passed)\s*(?:vs\.?|versus|and|or|/|,)\s*(?:how\s+many\s+)?(?:fail\w*|succe\w+|error\w*|timed?[\s-]*out\w*|timeouts?|unsuccess\w+)\b"
    r"|\b(?:by|per)\s+outcome\b|\boutcomes?\s+of\b"
)
_NEAR = 40
"""Characters after `how many different` in which the things counted are named."""
_FIRST = re.compile(r"\b(?:first|earliest|initially)\b(?!\s+\d)|\bfor\s+the\s+first\s+time\b")
_LAST = re.compile(
    r"\b(?:last|latest|lastly)\b(?!\s+\d)|\bfinal\s+(?:time|step|turn|action|call|occurrence)\b|\bmost\s+recent(?:ly)?\b"
)
_HISTORY = re.compile(
    r"\bhistor(?:y|ies)\b|\bhow\s+(?:did|has|have|does)\b.{0,80}\b(?:change|changed|evolve|evolved|vary)\b|\bevolution\b|\bover\s+time\b"
    r"|\bwhat\s+changes?\b.{0,60}\b(?:occur|happen|made|undergo|take\s+place)|\btrack\b"
)
_STATE = re.compile(
    r"\b(?:states?|status|locations?|position|whereabouts|values?|attributes?|inventory|contents?|holding|carrying|carried|held)\b|\bwhere\s+(?:is|was|are|were)\b"
)
_TIMELINE = re.compile(
    r"\btime-?line\b|\bchronolog\w+|\bin\s+(?:what|which)\s+order\b|\bstep[\s-]by[\s-]step\b|\bsequence\s+of\b|\border\s+in\s+which\b"
)
_CHANGES = re.compile(
    r"\b(?:environment|state|world)(?:al)?\s+changes?\b|\bchanged?\s+(?:the\s+)?(?:environment|state|world)\b|\bmade\s+(?:the\s+)?(?:environment|state)\b"
    r"|\bstate\s+changes?\b|\binteract\w*\b|\bkey\s+actions?\b|\bplaced\s+in\s+or\s+removed\b"
)
_LIST = re.compile(
    rf"{WHICH}(?:{STEPS}|{ACTIONS}|{THINGS}|{TOOLS})\b|\b(?:at|in|on|during)\s+(?:which|what)\s+(?:steps?|turns?)\b|^\W*list\b|\bwhen\s+(?:did|was|were|has|have)\b"
    r"|\bwhat\s+did\s+the\s+agent\s+[a-z]+\b|\bat\s+which\s+points?\b"
)


@frozen
class Asking:
    """An operation with what it groups by. `changes` asks for steps that changed something alone."""

    operation: Operation
    by: Group | None = None
    subject: Subject = "event"
    changes: bool = False


def read_operations(plain: str) -> tuple[Asking, ...]:
    """What a clause, in lower case, asks for; nothing where its wording asks for no computation."""
    changes = bool(_CHANGES.search(plain))
    for reader in (_state, _grouping, _counting, _ends, _listing):
        found = reader(plain, changes)
        if found is not None:
            return found
    return ()


_Found = tuple[Asking, ...] | None
"""Nothing where a reader knows that there is nothing to ask, None where it is not for it to say."""


def _state(plain: str, changes: bool) -> _Found:  # noqa: FBT001
    now = _STATE.search(plain) and not _COUNT.search(plain) and not _MOST.search(plain)
    if not (now or _HISTORY.search(plain)):
        return None
    return (Asking("timeline" if changes else "state", changes=changes),)


def _grouping(plain: str, changes: bool) -> _Found:  # noqa: FBT001
    if _MOST.search(plain):
        return (_grouped(plain, subject_of(plain), changes),)
    if _OUTCOMES.search(plain):
        return (Asking("group", "outcome", "outcome", changes),)
    counted = _FREQUENCIES.search(plain)
    if (counted or _COUNT.search(plain)) and (each := each_of(plain)):
        return (_grouped(plain, each, changes),)
    listed = _LIST.search(plain) if counted else None
    subject = subject_of(listed[0]) if listed else "event"
    return None if subject == "event" else (_grouped(plain, subject, changes),)


def _counting(plain: str, changes: bool) -> _Found:  # noqa: FBT001
    if match := _DISTINCT.search(plain):
        subject = subject_of(plain[match.end() : match.end() + _NEAR])
        return () if subject == "event" else (_grouped(plain, subject, changes),)
    if not _COUNT.search(plain):
        return None
    # Steps are counted. What they act on is grouped, and its groups are what is counted: `how many files were read`.
    return (Asking("group", "target", "thing", changes) if counts_things(plain) else Asking("count", changes=changes),)


def _ends(plain: str, changes: bool) -> _Found:  # noqa: FBT001
    first = (Asking("first", changes=changes),) if _FIRST.search(plain) else ()
    last = (Asking("last", changes=changes),) if _LAST.search(plain) else ()
    return (*first, *last) or None


def _listing(plain: str, changes: bool) -> _Found:  # noqa: FBT001
    listed = _LIST.search(plain)
    if _TIMELINE.search(plain) or (changes and listed):
        return (Asking("timeline", changes=changes),)
    if not listed:
        return None
    subject = subject_of(listed[0])
    return (_grouped(plain, subject, changes) if subject in {"thing", "tool"} else Asking("list"),)


_BY: dict[Subject, Group] = {
    "thing": "target",
    "action": "action",
    "tool": "tool",
    "outcome": "outcome",
    "event": "act",
}


def _grouped(plain: str, subject: Subject, changes: bool) -> Asking:  # noqa: FBT001
    by: Group = _BY[subject]
    if subject == "action" and re.search(r"\b(?:kind|type|sub-?command|command)s?\b", plain):
        by = "act"
    return Asking("group", by, subject, changes)
