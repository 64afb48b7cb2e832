"""Make the virtual environment and install memkit into it: `python3 scripts/install.py VENV [EXTRA]`.

uv does the work where it can be had, with the indexes and constraints that pip is configured with
(uv does not read pip's configuration); pip itself does otherwise.
"""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)
SOURCES = ("env", "install", "global")
"""Where pip takes a setting from, the strongest first."""
LISTS = ("extra-index-url", "find-links", "constraint", "trusted-host")


def main(folder: Path, extra: str) -> int:
    """Install, and return the exit code of the installer."""
    if sys.version_info < OLDEST:
        print(f"memkit needs Python {'.'.join(map(str, OLDEST))} or later; run make with PYTHON=/path/to/it")
        return 2
    python = folder / "bin" / "python"
    if not python.exists():
        try:
            venv.create(folder, symlinks=True, with_pip=True)
        except subprocess.CalledProcessError:
            shutil.rmtree(folder)
            print("this Python cannot make virtual environments; on Debian and Ubuntu: apt-get install python3-venv")
            return 2
    what = ["-c", str(ROOT / "constraints.txt"), "-e", f"{ROOT}[{extra}]" if extra else str(ROOT)]
    if call(python, "-m", "pip", "install", "-qq", "uv") == 0:
        settings = uv_arguments(subprocess.check_output([python, "-m", "pip", "config", "list"], text=True))
        if call(python, "-m", "uv", "pip", "install", "--quiet", "--python", python, *settings, *what) == 0:
            return 0
    return call(python, "-m", "pip", "install", "--quiet", *what)


def call(*command: object) -> int:
    """Run a command and return its exit code."""
    return subprocess.call([str(part) for part in command])


def uv_arguments(listing: str) -> list[str]:
    """The settings in what `pip config list` prints, as uv's arguments."""
    settings: dict[tuple[str, str], str] = {}
    for line in listing.splitlines():
        name, _, value = line.partition("=")
        source, _, key = name.rpartition(".")
        settings[source.strip(":"), key] = ast.literal_eval(value)
    # pip takes the best version of all indexes.
    arguments = ["--index-strategy", "unsafe-best-match"]
    for key in ("index-url", *LISTS):
        value = next((settings[source, key] for source in SOURCES if (source, key) in settings), "")
        for word in value.split():
            arguments += [f"--{'allow-insecure-host' if key == 'trusted-host' else key}", word]
    return arguments


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""))
