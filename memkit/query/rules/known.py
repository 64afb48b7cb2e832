"""The words that a computable question is made of; a clause with others asks for more than can be computed.

A word that is not read narrows what is asked in a way that no filter stands for: without it the count is another.
"""

from __future__ import annotations

from collections.abc import Iterable

from memkit.query.rules.lexicon import stems
from memkit.query.rules.wording import Asked
from memkit.terms import STOP_WORDS

_KNOWN = frozenset(
    stems(
        """
        around back non outcome how many times often frequently frequent frequency count number total
        altogether overall sum which what when where list name give identify show find tell enumerate
        provide please much step turn action command event occurrence occasion tool call operation attempt
        interaction interact object item thing file filename path location place receptacle container page
        link element button table directory folder target module url site website document section tab menu
        field box function kind type category point position order sequence trajectory episode log history
        whole entire full task session agent process record conversation message first last lastly latest
        recent earliest initially final finally most least common highest lowest largest smallest perform
        execute take took taken make made do happen occur issue involve include exclude except ignore
        succeed success successful successfully fail failure unsuccessful error timeout timed effect finish
        end complete exit code status nonzero zero confirmed change state environment world inventory value
        attribute histories prior previous timeline chronological far including between before during
        throughout across each every per group different distinct unique specific exact exactly respectively
        separately individually both time duration seconds average mean longest shortest maximum minimum
        fastest slowest line addition word text string phrase keyword placed held hold holding carry carried
        something anything somewhere whether regardless matter one following index id new ever actually vs
        versus sql all any some other there locate located whereabouts undergo subcommand up down already
        key critical progress greater less fewer more exceed return than reference access database execution
        breakdown january february march april may june july august september october november december use
        run ran invoke containing contain format referenced out plus queried workspace schema local
        compilation
        """.split()  # noqa: SIM905
    )
)


_CHANGING = frozenset(stems("placed put moved removed taken added become became made".split()))  # noqa: SIM905
_EVERYTHING = frozenset(
    stems(
        """
        how many times often frequently frequent frequency count number total altogether overall what which list give
        name show identify provide step turn action command event tool call operation perform execute take took taken
        make made do use run ran happen occur issue invoke there agent trajectory log episode history session whole
        entire full task each every kind type category group per by all most least common exact specific exactly
        sequence order different distinct unique message conversation were was until up including around
        execution reference outcome
        """.split()  # noqa: SIM905
    )
)


def asks_of_everything(asked: Asked) -> bool:
    """Whether a clause has no word that would choose among the steps."""
    words = [word.text for word in asked.words if word.text not in STOP_WORDS and not word.text.isdigit()]
    return bool(words) and _EVERYTHING.issuperset(stems(words))


def unread(asked: Asked, read: Iterable[tuple[int, int]], *, changes: bool) -> tuple[str, ...]:
    """The words of a clause that are neither known nor within the spans `read`, each once.

    With `changes` the verbs that tell what changes do are known, too.
    """
    spans = list(read)
    left = {
        word.text: None
        for word in asked.words
        if word.text not in STOP_WORDS
        and not word.text.isdigit()
        and len(word.text) > 1
        and not any(start <= word.start < end for start, end in spans)
    }
    return tuple(
        word
        for word, stem in zip(left, stems(left), strict=True)
        if stem not in (_KNOWN | _CHANGING if changes else _KNOWN)
    )
