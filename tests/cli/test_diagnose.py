"""``diagnose`` and ``evaluate`` as commands."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest

from ascend_kb.cli import diagnose as verb
from tests.cli.calling import ROOT, call

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = ROOT / "tests" / "data" / "sample.log"
EXAM = ROOT / "tests" / "data" / "exam.jsonl"
UNKNOWN = b"[ERROR] call aclnnLayerNorm failed, ret 507035, dtype of /home/wangwu/a.py\n"


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    """Standard input, as a pipe."""
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(raw))
    return raw


def test_a_file_leads_to_its_card() -> None:
    result = call("diagnose", str(SAMPLE))
    assert (result.status, result.err) == (0, "")
    assert "msopcom#54" in result.lines[0]
    made = call("diagnose", str(SAMPLE), "--format", "json").json
    assert made["band"] in ("signature", "likely")
    assert made["matches"][0]["key"] == "msopcom#54"
    assert made["matches"][0]["why"]


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_standard_input_is_read(piped: io.BytesIO, arguments: list[str]) -> None:
    piped.write(SAMPLE.read_bytes())
    piped.seek(0)
    assert call("diagnose", *arguments).status == 0


def test_standard_input_that_is_a_terminal_is_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", terminal)
    result = call("diagnose")
    assert result.status == 2
    assert "cmd 2>&1 | ascend-kb diagnose" in result.err


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_no_card_explains_is_said_and_a_draft_offered(tmp_path: Path, language: str) -> None:
    (tmp_path / "log").write_bytes(UNKNOWN)
    result = call("diagnose", str(tmp_path / "log"), "--lang", language)
    assert result.status == 1
    assert result.lines[0].startswith({"zh": "没有可信的匹配", "en": "No confident match"}[language])
    assert "507035" in result.out
    assert "wangwu" not in result.out.split("```")[1]


def test_an_empty_log_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "log").touch()
    assert call("diagnose", str(tmp_path / "log"), "--format", "json").json["band"] == "none"


@pytest.mark.parametrize("command", ["diagnose", "evaluate"])
@pytest.mark.parametrize("name", ["missing", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, command: str, name: str) -> None:
    result = call(command, str(tmp_path / name))
    assert result.status == 2
    assert result.err.startswith(f"error: {tmp_path / name} cannot be read")
    assert "\nhint: " in result.err


def test_a_larger_log_is_cut_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verb, "gather", lambda blocks: (b"".join(blocks), True))
    (tmp_path / "log").write_bytes(UNKNOWN)
    result = call("diagnose", str(tmp_path / "log"), "--format", "json")
    assert result.err.startswith("notice: the log is larger than 20 MB")
    assert result.json["cut"] is True


@pytest.mark.parametrize("mode", ["search", "diagnose"])
def test_an_exam_is_measured(mode: str) -> None:
    result = call("evaluate", str(EXAM), "--mode", mode, "--format", "json")
    assert (result.status, result.err) == (0, "")
    made = result.json
    assert made["total"] == 3
    assert made["kinds"]["log"]["p1"] == 1.0
    assert [miss["id"] for miss in made["misses"]] == ["e3"]


def test_an_exam_as_a_table() -> None:
    result = call("evaluate", str(EXAM), "--mode", "diagnose")
    assert result.status == 0
    assert result.lines[0].split() == ["kind", "n", "p1", "r3", "mrr", "refused"]
    assert result.lines[1].split()[:2] == ["all", "3"]
    assert result.lines[-1].startswith("miss e3: expected mstt#1, found ")


def test_a_bad_line_of_an_exam_is_named(tmp_path: Path) -> None:
    path = tmp_path / "exam.jsonl"
    path.write_text(json.dumps({"text": "a", "expected": []}) + "\nnonsense\n", "utf-8")
    result = call("evaluate", str(path))
    assert result.status == 2
    assert "line 2" in result.err
