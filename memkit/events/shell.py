"""A shell command read as text: the program it runs first, and the paths it names. Nothing is run or expanded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from memkit.events.arguments import unquote

TARGETS = 40
"""Paths of one command that are kept; a longer list is a listing, not a target."""
WORDS = 5_000
"""Words and operators of one command that are read, here-documents not counted."""
EXTENSIONS = frozenset(
    """
    bash bat c cc cfg cjs conf cpp css csv cu cxx db diff env go gz h hpp htm html in ini ipynb java jinja js json jsonl
    jsx kt lock log lua md mjs mk out parquet patch pdf php pkl pl png po pony proto py pyc pyi pyx r rb rs rst scala sh
    so sql sqlite svg swift tar tex toml traj ts tsv tsx txt whl xml yaml yml zip zsh
    """.split()  # noqa: SIM905
)
"""Endings by which a word without a slash is taken for a file."""
PROGRAMS = frozenset(
    """
    alias apt apt-get awk basename bash black bundle bzip2 cargo cat cd chmod chown cmake cmp comm conda coverage cp
    curl cut date dd df diff dirname docker du echo egrep env exit export expr fgrep file find flake8 for g++ gcc
    git go grep gunzip gzip head hostname if java javac jq kill killall less ln ls make md5sum mkdir mktemp more mv
    mvn mypy nl node nohup npm npx od patch perl pip pip3 pkill popd ps pushd pwd pylint pytest python python2
    python3 pyenv read realpath rg rm rmdir rsync ruby ruff sed seq set sh sha256sum sleep sort source sqlite3 stat
    strings sudo tail tar tee test time timeout touch tox tr tree true type uname uniq unset unzip uv wc wget which
    while xargs yarn zcat zip
    """.split()  # noqa: SIM905
)
"""First words by which an action without a tool name is taken for a shell command."""

_TOKEN = re.compile(
    r"""
    (?P<space> [ \t\r\f\v]++ | \\\r?\n )
    | (?P<comment> (?<![^\s;&|()]) \#[^\n]*+ )
    | (?P<here> <<-?[ \t]*+ (?P<quote>['"]?) (?P<tag>[\w.-]++) (?P=quote) )
    | (?P<redirect> \d*+ (?: &>>? | >> | [<>]& | <<< | [<>] ) )
    | (?P<end> && | \|\|? | [;&\n()] )
    | (?P<word> (?: [^\s"'\\;&|()<>] | \\. | '[^']*+' | "(?:[^"\\]|\\.)*+" | ["'\\] )++ )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=", re.ASCII)
_PATH = re.compile(r"(?:~|\.{1,2})?(?:/?[\w.+@-]++)*+/?")
_SUBSTITUTION = re.compile(r"[sy]/[^/]*/[^/]*/[a-z]*", re.ASCII)
_OPERATORS = re.compile(r"&&|\|\||\s\|\s|\s\d?>>?\s?[\w./&]|\$\(|;\s|^\s*#|^\s*[A-Za-z_]\w*=\S", re.MULTILINE)


def looks_like_shell(text: str) -> bool:
    """Whether an action without a tool name is a shell command: a known program first, a path, or an operator."""
    words = text[:200].split(None, 1)
    if not words:
        return False
    return words[0] in PROGRAMS or words[0].startswith(("./", "/", "~/")) or bool(_OPERATORS.search(text[:2000]))


def program(command: str) -> str:
    """The program of the first simple command after `cd` and assignments, without its folder; `cd` when none follows.

    Empty when the command has no word.
    """
    found = ""
    for words in _simple_commands(command):
        name = unquote(words[0]).rstrip("/").rpartition("/")[2]
        if name != "cd":
            return name
        found = name
    return found


def paths(command: str) -> tuple[str, ...]:
    """The paths a command names, in order and once each, conservatively.

    A path is absolute, or has a slash, or ends like a file (`EXTENSIONS`). Folders that `cd` only passes through,
    options, patterns, here-documents and addresses on the net are none; of `a.py::test` it is `a.py`.
    """
    found: dict[str, None] = {}
    passed: dict[str, None] = {}
    name = ""
    for words in _simple_commands(command):
        name = unquote(words[0])
        for word in words if "/" in name else words[1:]:
            path = unquote(word).partition("::")[0]
            if _is_path(path, strict=name == "git"):
                (passed if name == "cd" else found)[path] = None
        if len(found) >= TARGETS:
            break
    return tuple(passed if name == "cd" and not found else found)[:TARGETS]


def _simple_commands(command: str) -> Iterator[list[str]]:
    """The words of each simple command as written, without leading assignments; targets of redirections included."""
    words: list[str] = []
    for token in islice(_tokens(command), WORDS):
        if token is None:
            if words:
                yield words
                words = []
        elif words or not (_ASSIGNMENT.match(token) or token in ("{", "}", "!")):
            words.append(token)
    if words:
        yield words


def _tokens(command: str) -> Iterator[str | None]:
    """Words, and None where a simple command ends."""
    at, tags = 0, list[str]()
    while at < len(command):
        match = _TOKEN.match(command, at)
        if match is None:  # a character no shell knows
            at += 1
            continue
        at = match.end()
        kind = match.lastgroup
        if match["here"]:
            tags.append(match["tag"])
        elif kind == "word":
            yield match[0]
        elif kind == "end":
            yield None
            if match[0] == "\n" and tags:
                at = _after_documents(command, at - 1, tags)
                tags = []


def _after_documents(command: str, at: int, tags: list[str]) -> int:
    """Where the here-documents that begin at the line break `at` end; the end of the text when one is not closed."""
    for tag in tags:
        while True:
            at = command.find("\n" + tag, at)
            if at < 0:
                return len(command)
            at += 1 + len(tag)
            if command[at : at + 2].strip(" \t\r")[:1] in ("", "\n"):
                break
    return at


def _is_path(word: str, *, strict: bool) -> bool:
    if not word or len(word) > 400 or word[0] == "-" or _PATH.fullmatch(word) is None:
        return False
    if word.startswith(("/dev/null", "//")) or _SUBSTITUTION.fullmatch(word):
        return False
    stem, dot, ending = word.rpartition("/")[2].rpartition(".")
    if dot and stem and ending.lower() in EXTENSIONS:
        return True
    return "/" in word and not (strict and not word.startswith(("/", "./", "../", "~/")))
