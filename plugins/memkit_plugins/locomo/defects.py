"""LoCoMo's defective golds: answerable questions whose gold answer contradicts the conversation.

A question is named by its conversation and `question_digest`, so that none of the corpus' text is shipped. Those of
`conv-50` were published with "Filesystem-Based Memory for LLM Agents" (section D.2); the others come from reading every
answerable question of conversations 26, 30, 41, 42, 43 and 49 against its evidence. Listed is what the turns at
`locators` contradict outright: another day, another speaker. Loose wording, incomplete lists and wrong evidence ids
are not.
"""

from __future__ import annotations

from hashlib import sha256

from attrs import frozen

DIGEST_CHARACTERS = 12


@frozen
class Defect:
    """A gold answer that the conversation contradicts: why, and the turns that show it, as `[S2T1]`."""

    conversation: str
    question: str
    reason: str
    locators: tuple[str, ...]

    @property
    def said(self) -> str:
        """The reason with its locators, as the question carries it."""
        return f"{self.reason} {' '.join(self.locators)}"


def question_digest(text: str) -> str:
    """What a question is called in the catalogue: the first hex digits of the SHA-256 of its text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST_CHARACTERS]


def find_defect(conversation: str, question: str) -> Defect | None:
    """The catalogue's entry for a question of a conversation, by its text; None for one that is not listed."""
    return _BY_QUESTION.get((conversation, question_digest(question)))


DEFECTS = (
    Defect("conv-26", "ad05c201d018", "the charity race was on a Saturday, the gold says Sunday", ("[S2T1]",)),
    Defect("conv-26", "e42bf21b2994", "the hand-painted bowl is Caroline's, not Melanie's", ("[S4T5]",)),
    Defect(
        "conv-26",
        "a35de7f3c36f",
        "the painting with blue streaks was made and shown by Melanie, not Caroline",
        ("[S17T14]", "[S17T16]"),
    ),
    Defect(
        "conv-26",
        "e03aff684b3c",
        "scared and reassured were the other children, about their brother; how the son took it is not told",
        ("[S18T7]",),
    ),
    Defect(
        "conv-30",
        "4564b9561607",
        "from the lost job (19 January) to the opening (20 June) are five months, the gold says six",
        ("[S1T2]", "[S15T5]"),
    ),
    Defect("conv-30", "6fb0b858a865", "the advice on running a business is Jon's to Gina", ("[S7T4]", "[S7T5]")),
    Defect(
        "conv-41",
        "ad4e30ab4963",
        "the call-out was on the Sunday before 31 July 2023, the gold names one before 3 July",
        ("[S26T4]",),
    ),
    Defect(
        "conv-42",
        "a49c62c67a7e",
        "the party was to be two weekends later, the gold says the weekend that follows",
        ("[S14T20]",),
    ),
    Defect("conv-42", "b77f1898a36f", "it is Joanna who could write a whole movie there, not Nate", ("[S11T13]",)),
    Defect("conv-43", "ff4f39380f61", "the 40 points were scored in the week before 16 July, not in June", ("[S3T1]",)),
    Defect(
        "conv-43",
        "98cf70c4fa0e",
        "four months is the answer about the piano; the violin was begun not long before 6 December",
        ("[S21T9]", "[S21T12]", "[S21T13]", "[S8T12]"),
    ),
    Defect(
        "conv-43",
        "2665c1de1adf",
        "the game was on the Friday before 11 December 2023; the gold gives the day of the conversation",
        ("[S23T3]",),
    ),
    Defect("conv-43", "ec2ac16cf3e5", "the fan project is Tim's, not John's", ("[S1T13]", "[S1T16]")),
    Defect("conv-43", "f3511f9a787a", "it was Tim who skyped with a fan, not John", ("[S5T1]",)),
    Defect(
        "conv-43",
        "851a08d89859",
        "picturing goals is John's way; Tim cuts his studying into short parts",
        ("[S18T6]", "[S18T7]"),
    ),
    Defect("conv-43", "c8bb70f39bd5", "the injury, and the doctor's word on it, are John's", ("[S18T2]", "[S18T10]")),
    Defect(
        "conv-43",
        "21766567438f",
        "Spanish is John's language; Tim took French at school",
        ("[S27T6]", "[S27T7]"),
    ),
    Defect("conv-43", "5ec7af7a5603", "it was John who was in Italy and got the book there", ("[S27T2]", "[S27T4]")),
    Defect("conv-43", "347148bc6954", "Harry Potter is Tim's favourite; John names no book series", ("[S27T19]",)),
    Defect("conv-49", "4d58c7846e45", "it was Evan who met a Canadian woman, not Sam", ("[S5T1]",)),
    Defect(
        "conv-49",
        "35243e685396",
        "Evan hurt his knee twice; the ankle of the gold was his son's",
        ("[S9T2]", "[S11T2]", "[S7T1]"),
    ),
    Defect("conv-49", "5c41bbdb0bcc", "the fall was on a Tuesday, the gold says Thursday", ("[S20T3]",)),
    Defect("conv-49", "74439f084580", "the night was 9 January 2024, the gold says 2023", ("[S24T3]",)),
    Defect("conv-49", "28a81c93aa67", "Sam shared that photo, after a hike with friends of Sam's", ("[S22T1]",)),
    Defect(
        "conv-50",
        "d97b53718575",
        "no turn mentions the car museum; the turn it rests on tells of a Ferrari dealership, and not of Tokyo",
        ("[S12T7]",),
    ),
    Defect(
        "conv-50",
        "9070a031cd1a",
        "nothing says that a guitar is yellow, and the two guitars may well be one",
        ("[S16T14]",),
    ),
    Defect("conv-50", "00bdccfc1bda", "Dave names no favourite of the kind; Calvin names one", ("[S19T6]",)),
    Defect("conv-50", "2ebeb108db86", "the memory of a car show in childhood is Dave's, not Calvin's", ("[S26T6]",)),
)
"""In the order of conversations and questions."""

_BY_QUESTION = {(defect.conversation, defect.question): defect for defect in DEFECTS}
