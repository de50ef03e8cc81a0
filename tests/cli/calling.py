"""Two ways to call the command line: in this process, and as a program of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ascend_kb.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent.parent
READING = (
    ["search", "内存"],
    ["search", "--repo", "msc", "--format", "json"],
    ["show", "msc#57"],
    ["show", "msc#57", "--format", "json"],
    ["recipe", "msc#57", "--form", "html"],
    ["repos"],
    ["guide"],
    ["themes"],
    ["check"],
    ["diagnose", str(ROOT / "tests" / "data" / "sample.log")],
    ["evaluate", str(ROOT / "tests" / "data" / "exam.jsonl")],
    ["--version"],
    ["--help"],
)  # every command that only reads


@dataclass(frozen=True)
class Result:
    """How a call ended: exit status, the bytes of standard output, the text of standard error."""

    status: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        """Standard output as text."""
        return self.raw.decode("utf-8")

    @property
    def lines(self) -> list[str]:
        """The lines of standard output."""
        return self.out.splitlines()

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.raw)

    @property
    def keys(self) -> list[str]:
        """The keys of the rows that a search printed as JSON."""
        return [row["key"] for row in self.json]


def _no_window(_path: Path | None, _exit_when_ready: bool) -> int:
    pytest.fail("a window was asked for")


def call(*arguments: str, window: Callable[[Path | None, bool], int] = _no_window) -> Result:
    """Call the command line in this process, over streams that can hold ASCII only until it says otherwise."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    err = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    with redirect_stdout(out), redirect_stderr(err):
        status = run(list(arguments), window)
    out.flush()
    err.flush()
    raw, messages = (stream.buffer.getvalue() for stream in (out, err))
    return Result(status, raw, messages.decode("utf-8"))


def environment(changes: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """Return the environment of a program: ours with some changes, buffered output, None removes a variable."""
    wanted: dict[str, str | None] = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": None, **(changes or {})}
    return {name: value for name, value in wanted.items() if value is not None}


def command(before: str = "") -> list[str]:
    """Return the start of a command that runs the program, after some Python code."""
    if not before:
        return [sys.executable, "-m", "ascend_kb"]
    code = f"{before}\nimport runpy\nrunpy.run_module('ascend_kb', run_name='__main__')"
    return [sys.executable, "-c", code]


def program(
    *arguments: str | bytes,
    before: str = "",
    env: Mapping[str, str | None] | None = None,
    stdout: int = subprocess.PIPE,
) -> Result:
    """Run the program in a process of its own, after some Python code."""
    ended = subprocess.run(
        [*command(before), *arguments],
        env=environment(env),
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    return Result(ended.returncode, ended.stdout or b"", ended.stderr.decode("utf-8"))


_IN_A_CHILD = """
import contextlib, io, json, os, sys
from ascend_kb.cli.main import run

def call(arguments):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(arguments, None)
    return status, out.getvalue(), err.getvalue()

before, commands = json.loads(sys.argv[1])
for arguments in before:  # the interpreter may lie where only root can read: all modules are loaded now
    assert call(arguments)[0] == 0, arguments
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
print(json.dumps([call(arguments) for arguments in commands]))
"""


def without_rights(before: Sequence[Sequence[str]], commands: Sequence[Sequence[str]], home: Path) -> list[Result]:
    """Run commands as a user who owns nothing, after some that succeed and need the same modules."""
    ended = subprocess.run(
        [sys.executable, "-c", _IN_A_CHILD, json.dumps([before, commands])],
        env=environment({"ASCEND_KB_HOME": str(home)}),
        capture_output=True,
        check=True,
    )
    return [Result(status, out.encode(), err) for status, out, err in json.loads(ended.stdout)]
