"""A log as its catalogue tells of it: what the rules look words up in."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from memkit.ledger.catalogue import Catalogue
from memkit.query.rules.commits import is_history
from memkit.query.rules.lexicon import MOVES, Lexicon
from memkit.query.rules.talk import is_conversation
from memkit.query.rules.targets import Things


@frozen
class Log:
    """What is known of a log. `speakers` is empty for one that is no conversation."""

    lexicon: Lexicon
    things: Things
    speakers: tuple[str, ...]
    commits: bool
    properties: frozenset[str]
    numbers: frozenset[str]
    steps: Sequence[int]
    acts: tuple[str, ...]

    @classmethod
    def of(cls, catalogue: Catalogue) -> Log:
        """The log of a catalogue."""
        acts = {tool.lower(): tuple(act.lower() for act in catalogue.acts.get(tool, ())) for tool in catalogue.tools}
        every = tuple(dict.fromkeys(act for tool, inner in acts.items() for act in inner or (tool,)))
        talk = is_conversation({act for inner in catalogue.acts.values() for act in inner})
        return cls(
            lexicon=Lexicon.of({} if talk else acts),
            things=Things(tuple(catalogue.targets)),
            speakers=tuple(catalogue.tools) if talk else (),
            commits=is_history(tuple(catalogue.tools)),
            properties=frozenset(catalogue.properties),
            numbers=frozenset(catalogue.numbers),
            steps=range(catalogue.steps[0], catalogue.steps[1] + 1) if catalogue.steps else (),
            acts=every,
        )

    def all_but(self, left_out: Sequence[str]) -> tuple[str, ...]:
        """The acts of the log without those left out: the language has no `not`."""
        return tuple(act for act in self.acts if act not in left_out)

    @property
    def moves(self) -> tuple[str, ...]:
        """The acts of the log that change nothing but where the agent is."""
        return tuple(act for act in self.acts if act in MOVES)
