"""Templates S1 to S8 over software logs: tools by the name before the colon, editor calls by their JSON arguments.

S1 and S2 (one count at three bounds, and in another wording), non-zero exit codes (S3), file modifications with the
create, str_replace and insert commands named (S4) and the paths they touch (S5) are in the ledger paper's text; its
table of templates was lost, so S6, S7 and S8 are our own, as is that S4 counts confirmed modifications alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen
from episodes import Event, Log
from item import INTEGER, NAMES, STEP, STEPS, Item, bounds, listed

DOMAIN = "Software Engineering"
BASH = "execute_bash"
EDITOR = "str_replace_editor"
MODIFYING = ("create", "str_replace", "insert")
_EXIT = re.compile(r"exit code (-?\d+)")
_WORDS = ("grep", "pytest", "git", "find")
"""Words of commands that S8 may ask for: the first that a log has."""


@frozen
class Call:
    """A logged call: its step, tool, editor command and path, or the text of a bash command."""

    step: int
    tool: str
    command: str
    path: str
    observation: str

    @property
    def confirmed(self) -> bool:
        """Whether the observation begins with the editor's receipt of a write to this very path."""
        receipt = "File created successfully at: " if self.command == "create" else "The file "
        rest = self.observation.removeprefix(receipt + self.path)
        return rest != self.observation and (self.command == "create" or rest.startswith(" has been edited."))

    @property
    def exit_code(self) -> int | None:
        """The last exit code that the observation states."""
        codes = _EXIT.findall(self.observation)
        return int(codes[-1]) if codes else None


def software_items(log: Log) -> Iterator[Item]:
    """The questions of one log; a template without its event in the whole log is left out."""
    calls = [_call(event) for event in log.events]
    quarter, half, last = bounds(len(calls))
    bash = [call for call in calls if call.tool == BASH]
    for number, bound in enumerate((quarter, half, last), 1):
        text = f"Up to and including step {bound}, how many times did the agent call {BASH}? {INTEGER}"
        plan = f'count where tool: "{BASH}" in [, {bound}]'
        yield _item(log, "S1", f"-b{number}", text, _until(bash, bound), plan=plan)
    text = f"Up to and including step {last}, how often did the agent call {BASH}? {INTEGER}"
    yield _item(log, "S2", "", text, bash, plan=f'count where tool: "{BASH}" in [, {last}]')
    failed = [call for call in bash if call.exit_code]
    if failed:
        text = (
            f"Up to and including step {last}, how many {BASH} commands finished with a non-zero exit code? {INTEGER}"
        )
        plan = f'count where tool: "{BASH}" and exit_code != 0 in [, {last}]'
        yield _item(log, "S3", "", text, failed, plan=plan)
    yield from _modifications(log, calls, last)
    yield from _views(log, calls)
    yield from _edits_and_words(log, calls, half)


def _modifications(log: Log, calls: Sequence[Call], last: int) -> Iterator[Item]:
    writing = [call for call in calls if call.tool == EDITOR and call.command in MODIFYING]
    confirmed = [call for call in writing if call.confirmed]
    commands = " | ".join(f'"{command}"' for command in MODIFYING)
    if confirmed:
        path = Counter(call.path for call in confirmed).most_common(1)[0][0]
        found = [call for call in confirmed if call.path == path]
        text = (
            f"Up to and including step {last}, how many times was the file {path} modified with the editor's create,"
            f" str_replace or insert commands? Attempts that failed do not count. {INTEGER}"
        )
        plan = f'count where tool: {commands} and target: "{path}" and outcome: "success" in [, {last}]'
        yield _item(log, "S4", "", text, found, plan=plan)
    if writing:
        paths = dict.fromkeys(call.path for call in writing)
        text = (
            f"On which files did the agent use the create, str_replace and insert commands of {EDITOR} up to and"
            f" including step {last}, whether they succeeded or not? {NAMES}"
        )
        plan = f"group by target where tool: {commands} in [, {last}]"
        yield _item(log, "S5", "", text, writing, answer=listed(list(paths)), plan=plan)


def _views(log: Log, calls: Sequence[Call]) -> Iterator[Item]:
    viewed = [call for call in calls if call.tool == EDITOR and call.command == "view"]
    if viewed:
        # The deepest path: no other file of the log lies below it or has a name that begins with it.
        path = max((call.path for call in viewed), key=lambda path: (path.count("/"), path))
        found = [call for call in viewed if call.path == path]
        text = f"At which step did the agent first view {path}? {STEP}"
        plan = f'first where tool: "view" and target: "{path}"'
        yield _item(log, "S6", "", text, found[:1], answer=str(found[0].step), plan=plan)


def _edits_and_words(log: Log, calls: Sequence[Call], half: int) -> Iterator[Item]:
    replaced = _until([call for call in calls if call.tool == EDITOR and call.command == "str_replace"], half)
    if replaced:
        text = f"At which step, up to and including step {half}, was the str_replace command last issued? {STEP}"
        plan = f'last where tool: "str_replace" in [, {half}]'
        yield _item(log, "S7", "", text, replaced[-1:], answer=str(replaced[-1].step), plan=plan)
    bash = [call for call in calls if call.tool == BASH]
    for word in _WORDS:
        held = [call for call in bash if re.search(rf"(?<![\w]){word}(?![\w])", call.command)]
        if held:
            found = _until(held, half)
            text = (
                f"List the steps, up to and including step {half}, at which the agent ran a bash command that contains"
                f" the word '{word}'. {STEPS}"
            )
            plan = f'list where tool: "{BASH}" and action: "{word}" in [, {half}]'
            yield _item(log, "S8", "", text, found, answer=listed([call.step for call in found]), plan=plan)
            return


def _call(event: Event) -> Call:
    """A call as logged; one whose arguments are no JSON object keeps its tool alone."""
    tool, _, text = event.action.partition(": ")
    try:
        arguments = json.loads(text)
    except ValueError:
        arguments = {}
    command, path = str(arguments.get("command", "")), str(arguments.get("path", ""))
    return Call(event.step, tool, command, path, event.observation)


def _until(calls: Iterable[Call], bound: int) -> list[Call]:
    return [call for call in calls if call.step <= bound]


def _item(
    log: Log, template: str, variant: str, text: str, calls: Iterable[Call], *, plan: str, answer: str | None = None
) -> Item:
    """An item whose answer is the number of calls, unless another is given."""
    steps = tuple(call.step for call in calls)
    return Item(
        f"{log.id}-{template}{variant}", template, text, str(len(steps)) if answer is None else answer, steps, plan
    )
