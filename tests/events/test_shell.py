"""What a shell command names, without running it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.events.shell import TARGETS, looks_like_shell, paths, program

COMMANDS = [
    ("python run.py", "python", ("run.py",)),
    ("cd /w/x && A=1 B='2 3' /usr/bin/python3 -m pytest tests/", "python3", ("/usr/bin/python3", "tests/")),
    ("cd /w/x", "cd", ("/w/x",)),
    ("cd /w/x; ls", "ls", ()),
    ("# first\n\ncat a.txt | head -3 > /tmp/out.log", "cat", ("a.txt", "/tmp/out.log")),
    ("cat <<'EOF' > b.py\nopen('/etc/x.py')\nEOF\nrm c.py", "cat", ("b.py", "c.py")),
    ("cat <<EOF\n/never/closed.py", "cat", ()),
    ("sed -i 's/a/b/g' src/m.c 2>/dev/null", "sed", ("src/m.c",)),
    ("sed s/a/b/ m.c", "sed", ("m.c",)),
    ("find . -name '*.py' | xargs grep x/", "find", ("x/",)),
    ("git checkout origin/main -- src/a.py", "git", ("src/a.py",)),
    ("curl https://a.example/x.html", "curl", ()),
    ("python -c \"import a; a.b('/x y')\"", "python", ()),
    ("(./build.sh --out=/x) && echo done", "build.sh", ("./build.sh",)),
    ("pytest a/test_b.py::T::test_c django.core 3.10", "pytest", ("a/test_b.py",)),
    ("", "", ()),
    ("A=1", "", ()),
]


@pytest.mark.parametrize(("command", "name", "named"), COMMANDS, ids=[row[0][:30] for row in COMMANDS])
def test_commands(command: str, name: str, named: tuple[str, ...]) -> None:
    """The program after `cd` and assignments, and only what surely is a path."""
    assert (name, named) == (program(command), paths(command))


def test_paths_are_bounded() -> None:
    """A listing of files is no list of targets."""
    assert TARGETS == len(paths("ls " + " ".join(f"f{n}.py" for n in range(500))))


@pytest.mark.parametrize("text", ["ls -F", "cd /w && make", "./run", "X=1 foo", "foo > out.txt", "# note\nfoo"])
def test_shell_without_a_name(text: str) -> None:
    """A bare command is known by its program, its path or an operator."""
    assert looks_like_shell(text)


@pytest.mark.parametrize("text", ["", "left", "Make Wood Pickaxe", "swap the candies at row 5, col 4"])
def test_moves_are_no_shell(text: str) -> None:
    """A move of a game is no command."""
    assert not looks_like_shell(text)


@given(st.text() | st.text(st.sampled_from("ab/. '\"\\\n;|&<>(){}#=$-")))
def test_any_text(command: str) -> None:
    """No text raises, and every path named stands in the command once its quotes are gone."""
    program(command)
    plain = "".join(sign for sign in command if sign not in "'\"\\\n")
    assert all(path in plain for path in paths(command))
