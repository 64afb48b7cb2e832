"""Questions with known event sets over embodied and software trajectories (ledger paper, section 7.4 and appendix H).

Run `python benchmarks/studies/probe/generate.py EPISODES OUT`, where EPISODES is a folder or a tar archive of
AMA-Bench's episodes. Written are `OUT/probe.jsonl` (memkit's own dataset format: gold is the answer, evidence the
event set) and `OUT/plans.json` (question id to the plan that its template stands for). The same episodes give the
same bytes; their hashes are printed.

Answers and event sets come from the raw action and observation strings by the code in this folder alone. A test
keeps it free of memkit, which it is there to examine.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from embodied import DOMAIN as EMBODIED
from embodied import embodied_items
from episodes import Log, read_logs
from item import Item
from software import DOMAIN as SOFTWARE
from software import software_items

ITEMS = {EMBODIED: embodied_items, SOFTWARE: software_items}


def main(arguments: list[str]) -> None:
    """Write both files and print their hashes and the number of questions of each template."""
    if len(arguments) != 2:
        sys.exit("usage: generate.py EPISODES OUT")
    out = Path(arguments[1])
    out.mkdir(parents=True, exist_ok=True)
    asked = [(log, list(ITEMS[log.domain](log))) for log in read_logs(Path(arguments[0])) if log.domain in ITEMS]
    items = [item for _, found in asked for item in found]
    write(out / "probe.jsonl", "".join(f"{json.dumps(record)}\n" for record in records(asked)))
    write(out / "plans.json", json.dumps({item.id: item.plan for item in items}, indent=0) + "\n")
    counts = Counter(item.template for item in items)
    print(f"{len(items)} questions over {len(asked)} trajectories:", dict(sorted(counts.items())))


def records(asked: Iterable[tuple[Log, list[Item]]]) -> Iterator[dict[str, object]]:
    """The lines of the dataset: a trajectory, its steps, its questions."""
    for log, items in asked:
        yield {"type": "stream", "id": log.id, "kind": "trajectory", "task": log.task, "success": log.success}
        for event in log.events:
            yield {"type": "step", "index": event.step, "action": event.action, "observation": event.observation}
        for item in items:
            yield {
                "type": "question",
                "id": item.id,
                "question": item.text,
                "answer": item.answer,
                "evidence": [f"step {step}" for step in item.events],
                "category": item.template,
            }


def write(path: Path, text: str) -> None:
    """Write a file and print its SHA-256."""
    data = text.encode()
    path.write_bytes(data)
    print(f"{sha256(data).hexdigest()}  {path}")


if __name__ == "__main__":
    main(sys.argv[1:])
