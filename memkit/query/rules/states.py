"""Questions about states: which `object.property` a clause means, and over which scope."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from memkit.query.plan import Clause, Term

INVENTORY = "agent.inventory"
_INVENTORY = re.compile(r"\binventory\b|\b(?:hold(?:s|ing)?|carry(?:ing)?|carried|held)\b")
_LOCATION = re.compile(r"\blocat(?:ions?|ed)\b|\bwhere\b|\bwhereabouts\b|\bposition\b|\bmoved\b")
_STATE = re.compile(r"\b(?:states?|status|attributes?|conditions?)\b")
_VALUE = re.compile(r"\bvalues?\b")
CHANGED = Clause("change", (Term("->"),))
"""What every row that changed something fits, and no other."""


def properties_of(plain: str, objects: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    """The `object.property` names that a clause, in lower case, asks the state of; `known` are the log's properties."""
    if _INVENTORY.search(plain) and "inventory" in known:
        return (INVENTORY,)
    asked = [
        name
        for name, pattern in (("location", _LOCATION), ("state", _STATE), ("value", _VALUE))
        if pattern.search(plain)
    ]
    if "state" in asked and "location" not in asked and re.search(r"\bstates?\b|\bstatus\b", plain):
        # Where a thing is belongs to its state, and so does what it has become.
        asked.insert(0, "location")
    return tuple(f"{one}.{name}" for one in objects for name in asked if name in known)
