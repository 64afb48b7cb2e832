"""A logged action as a call: the tool, what it does, its arguments and what it acts on, in every dialect of the logs.

`tool: {json}`, `tool: text`, `name({json})`, `<function=NAME>` tags, editor and shell commands without a tool name,
`go to toilet 1`, `click [5023] where [5023] is ...`, moves of games. Nothing raises: what fits no dialect is a call of
its leading word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attrs import evolve

from memkit.events import shell, sql, web, worlds
from memkit.events.arguments import Arguments, Range, read_object, read_tags, shell_words
from memkit.events.call import Call, Form

EDITORS = frozenset({"str_replace_editor", "str_replace_based_edit_tool", "file_editor"})
"""Names of the editor tool whose receipts `memkit.events.receipts` knows."""
SHELLS = frozenset(
    {"bash", "execute_bash", "execute_command", "run", "run_command", "run_shell_command", "shell", "terminal"}
)
BARE_SHELL = "bash"
"""The tool of a shell command that the log writes without one (SWE-agent, mini-swe-agent)."""
THINKERS = frozenset({"think", "thought"})
FILES = ("path", "file_path", "filepath", "file", "filename", "file_name")
RESOURCES = (*FILES, "url", "website_url", "uri", "entity", "query", "name")
"""Arguments of an unknown tool that name what it acts on, in the order in which they are looked for."""
TARGET_CHARACTERS = 300

_NOTHING = re.compile(r"[\s\-\u2010-\u2015\u2212.]*")
_TAGGED = re.compile(r"<function=([\w.-]{1,64})>", re.ASCII)
_FENCED = re.compile(r"```(?:bash|sh|shell)[ \t]*\r?\n(.*?)\r?\n?```", re.DOTALL)
_NAMED = re.compile(r"([A-Za-z_][\w.-]{0,63}):(?=[\s{]|$)\s*", re.ASCII)
_NEXT = re.compile(r"\s*[A-Za-z_][\w.-]{0,63}:\s*\{", re.ASCII)
_CALLED = re.compile(r"([A-Za-z_][\w.]{0,63})\(", re.ASCII)
_WORD = re.compile(r"[A-Za-z_][\w-]{0,63}")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w{0,63}", re.ASCII)
_OLD_EDITOR = frozenset(
    """
    open edit create insert append goto scroll_up scroll_down search_dir search_file find_file filemap submit exit_cost
    exit_format exit_context
    """.split()  # noqa: SIM905
)
"""Commands of SWE-agent's first interface, which take their paths as words."""
_MOVE_CHARACTERS = 40
"""A short action is one move of a game and its own act; a longer text is what somebody wrote."""


def read_call(action: str) -> Call:
    """The call that an action is."""
    text = action.strip()
    if _NOTHING.fullmatch(text):
        return Call("", "", form="none")
    start = action.index(text[0])
    for read in (_tagged, _named, _called, _command_line):
        if (call := read(action, start)) is not None:
            return call
    return web.read_action(text) or worlds.read_action(text) or _fenced(action) or _bare(start, text)


def _tagged(action: str, _: int) -> Call | None:
    """`<function=NAME><parameter=KEY>value</parameter></function>`, whatever the agent said before it."""
    match = _TAGGED.search(action) if "<function=" in action else None
    return _make(match[1], read_tags(action, match.end())) if match else None


def _named(action: str, start: int) -> Call | None:
    """`tool: {json}` or `tool: text`."""
    match = _NAMED.match(action, start)
    if match is None:
        return None
    tool, body = match[1], match.end()
    if action.startswith("{", body):
        return _json(tool, action, body, r"\s*")
    if tool not in SHELLS | THINKERS and (fenced := _fenced(action)) is not None:  # `THOUGHT: ...` and a block of shell
        return fenced
    rest: Range = (body, max(body, len(action.rstrip())))
    return _make(tool, Arguments({"text": action[slice(*rest)]}, {"text": rest}, rest[1]))


def _called(action: str, start: int) -> Call | None:
    """`name({json})`, or `name(anything)`."""
    match = _CALLED.match(action, start)
    if match is None:
        return None
    if action.startswith("{", match.end()):
        return _json(match[1], action, match.end(), r"\s*\)\s*")
    inside = action[match.end() :].rstrip().removesuffix(")")
    return _make(match[1], Arguments({"text": inside} if inside else {}, {}, len(action)))


def _json(tool: str, action: str, body: int, after: str) -> Call:
    arguments = read_object(action, body)
    if arguments is not None and re.compile(after).fullmatch(action, arguments.end):
        return _make(tool, arguments)
    if arguments is not None and _NEXT.match(action, arguments.end):
        # Several calls in one step: the first is what the row tells, and which one the answer speaks for is unknown.
        return evolve(_make(tool, arguments), form="text")
    return Call(tool, "", form=_form(tool))


def _command_line(action: str, start: int) -> Call | None:
    """`str_replace_editor view /a.py --view_range 1 50`: an editor call in a shell's quoting."""
    tool = action[start:].split(None, 1)[0] if action[start] in "sf" else ""
    if tool not in EDITORS:
        return None
    options: dict[str, list[str]] = {}
    values: dict[str, Any] = {}
    places: dict[str, Range] = {}
    name = ""
    for index, word in enumerate(shell_words(action, start + len(tool))):
        if index < 2 and not word.text.startswith("--"):
            values["path" if index else "command"] = word.text
            places["path" if index else "command"] = word.place
        elif word.text.startswith("--") and not word.quoted:
            name = word.text[2:]
            options[name] = []
        elif name:
            options[name].append(word.text)
    values |= {key: " ".join(words) for key, words in options.items()}
    return _make(tool, Arguments(values, places, len(action)))


def _fenced(action: str) -> Call | None:
    """The first fenced block of shell in what a model wrote (mini-swe-agent)."""
    match = _FENCED.search(action) if "```" in action and action.count("```") > 1 else None
    return _shell(BARE_SHELL, match[1], {}, match.span(1)) if match else None


def _bare(start: int, text: str) -> Call:
    """A command of the shell or of an old editor, a move, or prose."""
    word = _WORD.match(text)
    tool = word[0] if word else ""
    if tool not in _OLD_EDITOR and shell.looks_like_shell(text):
        return _shell(BARE_SHELL, text, {}, (start, start + len(text)))
    rest = text[len(tool) :].strip()
    if tool in _OLD_EDITOR:
        arguments = {"text": rest} if rest else {}
        named = () if tool in ("insert", "append", "edit") else shell.paths(f"{tool} {rest}")
        return Call(tool, tool, arguments, targets=named, path=named[0] if named else "", form="text")
    short = len(text) <= _MOVE_CHARACTERS and "\n" not in text
    if not tool:  # a move that is no word, such as ((0,1), (0,2))
        tool, rest = text[:_MOVE_CHARACTERS], ""
    return Call(tool, text if short else tool, targets=(rest,) if short and rest else (), form="move")


def _form(tool: str) -> Form:
    if tool in EDITORS:
        return "editor"
    if tool in SHELLS:
        return "shell"
    return "sql" if "sql" in tool.lower().split("_") else "tool"


def _make(tool: str, arguments: Arguments) -> Call:
    """The call of a named tool with arguments that could be read."""
    values = arguments.values
    form = _form(tool)
    if form == "shell":
        key = next((key for key in ("command", "cmd", "text") if isinstance(values.get(key), str)), "")
        place = arguments.places.get(key, (0, 0))
        return _shell(tool, str(values.get(key, "")), values, place)
    if form == "sql":
        query = next((value for value in values.values() if isinstance(value, str)), "")
        return Call(tool, sql.keyword(query), values, query, targets=sql.tables(query), form="sql")
    command = values.get("command")
    act = command if isinstance(command, str) and _IDENTIFIER.fullmatch(command) else tool
    keys = ("path",) if form == "editor" else FILES
    path = next((values[key] for key in keys if isinstance(values.get(key), str)), "")
    if form == "editor":
        targets: tuple[str, ...] = (path,) if path else ()
        act = act if act != tool else ""
    else:
        targets = () if tool in THINKERS else _resources(values)
    return Call(tool, act, values, path=path, targets=targets, places=arguments.places, form=form)


def _shell(tool: str, command: str, values: Mapping[str, Any], place: Range) -> Call:
    typed = str(values.get("is_input", "")).lower() == "true" or not command.strip() or command.strip().startswith("C-")
    act = "input" if typed else shell.program(command)
    targets = () if typed else shell.paths(command)
    return Call(
        tool, act, values or {"command": command}, command, targets=targets, places={"command": place}, form="shell"
    )


def _resources(values: Mapping[str, Any]) -> tuple[str, ...]:
    named = (values[key] for key in RESOURCES if key in values)
    return tuple(
        dict.fromkeys(value[:TARGET_CHARACTERS] for value in named if isinstance(value, str) and value.strip())
    )
