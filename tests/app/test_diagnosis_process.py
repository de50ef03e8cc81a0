"""The process that diagnoses for the window: what it says about every kind of log, and that it never stays behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ascend_kb.app import diagnosis_process
from ascend_kb.app.diagnosis_process import (
    Answer,
    Frames,
    Log,
    LogError,
    command,
    introduction,
    is_binary,
    request,
    told,
    unpacked,
)
from ascend_kb.app.library import Library
from ascend_kb.core import i18n
from ascend_kb.core.diagnosis import Band
from ascend_kb.core.errors import KBError
from tests.conftest import BUNDLE, ROOT
from tests.unprivileged import obeying

if TYPE_CHECKING:
    from collections.abc import Callable

SIGNED = "[ERROR] RegisterAscendBinary failed, api: aclrtBinaryLoadFromData, ret 500000\n[ERROR] launch failed\n"
UNKNOWN = "make: *** [Makefile:12: all] Error 2\n"


def started(knowledge: Path = BUNDLE, *, is_obeying: bool = False) -> subprocess.Popen[bytes]:
    arguments, folder = command()
    arguments = obeying(arguments) if is_obeying else arguments
    process = subprocess.Popen(
        arguments, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    process.stdin.write(introduction(knowledge))
    process.stdin.flush()
    return process


def said(log: Log, knowledge: Path = BUNDLE, *, is_obeying: bool = False) -> list[tuple[str, bytes]]:
    """What a process says about a log."""
    with started(knowledge, is_obeying=is_obeying) as process:
        output, complaints = process.communicate(request(log) + log.data, timeout=60)
    assert complaints == b""
    assert process.returncode == 0
    return list(Frames().feed(output))


def answer(log: Log, knowledge: Path = BUNDLE) -> Answer:
    kind, content = said(log, knowledge)[-1]
    assert kind == "answer", content
    return unpacked(content)


def refusal(log: Log, knowledge: Path = BUNDLE, *, is_obeying: bool = False) -> KBError:
    kind, content = said(log, knowledge, is_obeying=is_obeying)[-1]
    assert kind in ("unreadable", "error")
    return told(kind, content)


def file(tmp_path: Path, content: bytes, name: str = "my.log") -> Log:
    path = tmp_path / name
    path.write_bytes(content)
    return Log(path=path)


# --- what the two say to each other ----------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [1, 2, 7, 1000])
def test_frames_are_put_together_whatever_the_pieces(step: int) -> None:
    sent = b"progress 5\n1/100answer 3\na\nberror 0\n"
    frames = Frames()
    got = [frame for i in range(0, len(sent), step) for frame in frames.feed(sent[i : i + step])]
    assert got == [("progress", b"1/100"), ("answer", b"a\nb"), ("error", b"")]


def test_what_is_no_frame_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"unpack|invalid"):
        list(Frames().feed(b"Python says hello\n"))


def test_there_must_be_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(KBError) as caught:
        command()
    assert "command line" in caught.value.hint


def test_a_frozen_program_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert command()[0] == [sys.executable, diagnosis_process.OPTION]


def test_progress_comes_first_and_only_grows() -> None:
    frames = said(Log(data=SIGNED.encode() * 50))
    steps = [tuple(map(int, content.split(b"/"))) for kind, content in frames if kind == "progress"]
    assert [kind for kind, _ in frames].count("answer") == 1
    known = [done for done, total in steps if total]
    assert known == sorted(known)
    assert known[-1] == 1000


# --- answers ---------------------------------------------------------------------------------------------------------


def test_a_pasted_text_is_diagnosed() -> None:
    found = answer(Log(data=SIGNED.encode()))
    assert found.diagnosis.band is Band.SIGNATURE
    assert str(found.diagnosis.matches[0].key) == "msopcom#54"
    assert found.diagnosis.text == ""
    assert found.excerpt.pieces[0].text == SIGNED.rstrip("\n")
    assert found.size == len(SIGNED)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_every_encoding_is_read_and_named(tmp_path: Path, encoding: str) -> None:
    text = "错误: 算子注册失败\r\n\x1b[31m" + SIGNED
    found = answer(file(tmp_path, text.encode(encoding)))
    assert found.diagnosis.encoding == encoding.removesuffix("-sig")
    assert found.excerpt.pieces[0].text.split("\n")[:2] == ["错误: 算子注册失败", SIGNED.split("\n", maxsplit=1)[0]]


def test_a_log_may_begin_with_nul_and_hold_some(tmp_path: Path) -> None:
    found = answer(file(tmp_path, bytes(100_000) + SIGNED.encode().replace(b" launch", b"\0 launch")))
    assert found.excerpt.pieces[0].text == SIGNED.rstrip("\n")


def test_a_log_over_the_limit_is_read_in_parts(tmp_path: Path) -> None:
    found = answer(file(tmp_path, b"nothing to see\n" * 1_400_000 + SIGNED.encode()))
    assert found.diagnosis.cut
    assert found.size == 15 * 1_400_000 + len(SIGNED)
    assert str(found.diagnosis.matches[0].key) == "msopcom#54"


def test_the_draft_is_made_in_both_languages() -> None:
    found = answer(Log(data=UNKNOWN.encode()))
    assert found.diagnosis.band is Band.NONE
    assert found.diagnosis.draft is not None
    assert found.diagnosis.draft.zh != found.diagnosis.draft.en


def test_another_knowledge_file_is_asked(build_kb: Callable[..., Path], source_texts: dict[str, str]) -> None:
    card = "cards/msopcom/54.md"
    other = build_kb({card: re.sub("(?m)^  zh: .*", "  zh: 换了标题", source_texts[card], count=1)}, "own #%41?.sqlite")
    assert answer(Log(data=SIGNED.encode()), other).diagnosis.matches[0].title.zh == "换了标题"


# --- what cannot be diagnosed ----------------------------------------------------------------------------------------


def test_files_that_cannot_be_read_are_named_with_what_to_do(tmp_path: Path) -> None:
    for log, message in [
        (Log(path=tmp_path / "gone.log"), "does not exist"),
        (Log(path=tmp_path), "is a folder"),
        (Log(path=Path(os.devnull)), "is not a file"),
        (file(tmp_path, b"SQLite format 3\0" + bytes(100), "kb.log"), "is a database"),
        (file(tmp_path, b"PK\3\4" + os.urandom(100), "zip.log"), "is packed"),
        (file(tmp_path, b"\x7fELF\2\1\1\0\0\3\0>" + bytes(4000), "core"), "holds no text"),
        (file(tmp_path, b"", "empty.log"), "is empty"),
        (file(tmp_path, b"\xef\xbb\xbf\r\n \x1b[0m", "blank.log"), "is empty"),
    ]:
        error = refusal(log)
        assert isinstance(error, LogError)
        assert error.message.startswith(str(log.path)), error.message
        assert message in error.message
        assert error.hint


def test_nothing_pasted_is_said() -> None:
    assert refusal(Log(data=b" \n")).message == "The pasted text is empty"


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    log = file(tmp_path, SIGNED.encode())
    assert log.path is not None
    log.path.chmod(0)
    error = refusal(log, is_obeying=True)
    assert "may not be read by you" in error.message


def test_the_language_of_the_window_is_spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(i18n._state, "language", "zh")
    assert refusal(Log(path=tmp_path)).message == f"{tmp_path} 是文件夹。"


def test_damaged_knowledge_is_no_fault_of_the_log(own_copy: Path) -> None:
    with own_copy.open("r+b") as damaged:
        damaged.seek(4096)
        damaged.write(bytes(own_copy.stat().st_size - 4096))
    error = refusal(Log(data=SIGNED.encode()), own_copy)
    assert not isinstance(error, LogError)
    assert str(own_copy) in error.message


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"plain text\n", False), ("错误信息\n".encode("gb18030") * 9, False), ("错误".encode()[:5], False),
        ("error\n".encode("utf-16-le"), False), (bytes(4096), False), (bytes(100) + b"text", False),
        (b"\x1b[31mred\x1b[0m\r\n", False), ("caf\xe9 d\xe9j\xe0 vu".encode("latin-1"), False), (b"", False),
        (b"\x7fELF\2\1\1\0\0\3\0>" + bytes(60), True), (bytes(range(256)) * 4, True),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\b\6", True),
    ],
)  # fmt: skip
def test_text_is_told_from_what_is_none(head: bytes, expected: bool) -> None:
    assert is_binary(head) is expected


# --- the process itself ----------------------------------------------------------------------------------------------


def test_the_process_ends_with_the_window_whatever_it_does(tmp_path: Path) -> None:
    waiting = started()
    assert waiting.stdin is not None
    waiting.stdin.close()
    reading = started()
    assert reading.stdin is not None
    assert reading.stdout is not None
    reading.stdin.write(request(file(tmp_path, SIGNED.encode() * 200_000)))
    reading.stdin.flush()
    assert reading.stdout.readline()  # it has begun
    reading.stdout.close()
    assert waiting.wait(30) == 0
    assert reading.wait(30) == 1
    for process in (waiting, reading):
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None and not stream.closed:
                stream.close()


def test_a_folder_of_logs_holds_no_modules_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit('taken over')")
    monkeypatch.chdir(tmp_path)
    assert answer(Log(data=SIGNED.encode())).diagnosis.band is Band.SIGNATURE
    relative = Log(path=Path("here.log"))
    (tmp_path / "here.log").write_text(SIGNED)
    assert answer(relative).diagnosis.band is Band.SIGNATURE


def test_a_private_copy_of_the_knowledge_is_shared_with_the_window(own_copy: Path) -> None:
    Path(f"{own_copy}-wal").write_bytes(b"left over")
    library = Library(own_copy)
    assert library.place != own_copy
    assert answer(Log(data=SIGNED.encode()), library.place).diagnosis.band is Band.SIGNATURE
    library.close()


def test_qt_is_not_loaded() -> None:
    code = (
        "import sys; from ascend_kb.app.diagnosis_process import serve; assert serve() == 0;"
        "print('PySide6' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, input=introduction(BUNDLE) + request(Log()) + b"error: x", timeout=60,
        capture_output=True, check=True,
    )  # fmt: skip
    assert b"False" in done.stderr + done.stdout


def test_its_own_option_is_no_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ascend_kb", diagnosis_process.OPTION, "x"], cwd=ROOT, capture_output=True, check=False
    )
    assert done.returncode == 2
