"""The wheel holds all that the program needs and runs outside the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SOAK = os.environ.get("ASCEND_KB_SOAK") == "1"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A freshly built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The console script in an empty environment into which the wheel was installed."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    command = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # The full form fetches the dependencies, too; the short one borrows those of the test environment.
    command += [str(wheel)] if SOAK else ["--no-deps", str(wheel)]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    return folder / "bin" / "ascend-kb"


def run(program: Path, cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "DISPLAY", "WAYLAND"))}
    environment |= {"QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"}
    if not SOAK:
        environment["PYTHONPATH"] = sysconfig.get_paths()["purelib"]
    return subprocess.run(
        [str(program), *arguments], cwd=cwd, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_the_wheel_holds_knowledge_resources_and_licence(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "ascend_kb/bundle/data/kb.sqlite" in names
    assert "ascend_kb/bundle/data/kb.rendered.json" in names
    assert "ascend_kb/bundle/resources/translations/zh/LC_MESSAGES/ascend_kb.mo" in names
    assert "ascend_kb/bundle/resources/manual/en.md" in names
    assert any(name.endswith("LICENSE") for name in names)
    assert not any(name.startswith(("tests/", "data/", "docs/")) for name in names)


def test_the_installed_program_reads_its_own_bundle(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, "search", "mallochost", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["key"] == "msopcom#20"
    assert run(program, tmp_path, "check").stdout == "ok\n"


def test_the_installed_window_opens(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, "--exit-when-ready")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ready ")
    assert done.stdout.endswith(" 50\n")


_DIAGNOSIS = """
import subprocess
from ascend_kb.app.diagnosis_process import Frames, Log, command, introduction, request, unpacked
from ascend_kb.app.library import default_knowledge
arguments, folder = command()
sent = introduction(default_knowledge()) + request(Log()) + b"RegisterAscendBinary failed, aclrtBinaryLoadFromData"
done = subprocess.run(arguments, cwd=folder, input=sent, capture_output=True, check=True, timeout=60)
assert done.stderr == b"", done.stderr
print(unpacked(list(Frames().feed(done.stdout))[-1][1]).diagnosis.matches[0].key)
"""


def test_the_installed_window_can_start_its_diagnosis(program: Path, tmp_path: Path) -> None:
    done = run(program.with_name("python"), tmp_path, "-c", _DIAGNOSIS)
    assert done.stdout == "msopcom#54\n", done.stderr
