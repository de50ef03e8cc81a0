"""Which lines of a log tell what went wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_kb.core.linekinds import WEIGHTS, LineKind, judge
from ascend_kb.core.loglines import Line, lines, settle
from ascend_kb.core.logtext import clean
from tests.pace import loops

KINDS = {
    "[ERROR] RUNTIME(1,python3):2026-08-19-18:05:59.656.910 [args.cc:288] para size 8 mismatch": LineKind.TELLING,
    "RuntimeError: call aclnnLayerNorm failed": LineKind.TELLING,
    "(EngineCore_DP0 pid=791) ERROR 01-28 10:21:54 [core.py:708] engine start aborted": LineKind.TELLING,
    "====== ERROR: illegal write of size 512": LineKind.TELLING,
    "算子执行失败": LineKind.REMARK,
    "for the yaml it tells me the reason, what is wrong with those two files??": LineKind.REMARK,
    "# demo.cpp:49 fills the buffers, so they are used": LineKind.REMARK,
    "$ msopprof python3 a.py": LineKind.COMMAND,
    ">>> import torch": LineKind.COMMAND,
    "root@node17:/ws# ls": LineKind.COMMAND,
    '  File "/a/b.py", line 3, in f': LineKind.FRAME,
    "#00  0x7f0b39d68eb0 in ?? () from libc.so.6": LineKind.FRAME,
    "[PID: 1] 2026-03-11-09:02:41.118 [INFO ] kernel symbol: scale": LineKind.INFO,
    "[rank0]: Traceback (most recent call last):": LineKind.BOILERPLATE,
    "EZ9999: Inner Error!": LineKind.BOILERPLATE,
    "        Rectify the fault based on the error information in the ascend log.": LineKind.BOILERPLATE,
    "[INFO] HCCL(301341,add):2026-06-03-10:11:05.094.389 [topo.cc:1365] rank table parsed": LineKind.NOISE,
    "fill:  16%|█         | 100/600 [05:00<25:00,  1.19it/s]": LineKind.NOISE,
    'INFO:     10.31.2.44:36475 - "GET /health HTTP/1.1" 200 OK': LineKind.NOISE,
    "[rank0]: 2026-07-01 20:40:00,344 step 0 | loss 9.12 | lr 3.00e-04": LineKind.NOISE,
    "[ 20%] Building CXX object utils/log.cpp.o": LineKind.NOISE,
    "=====": LineKind.NOISE,
    "WARNING 08-20 16:01:13 block_size set to 128": LineKind.MESSAGE,
    "2 warnings, 0 errors": LineKind.MESSAGE,
}


def kept(text: str) -> list[Line]:
    return settle(list(lines(text)))


@pytest.mark.parametrize("text", KINDS)
def test_kinds_of_lines(text: str) -> None:
    assert judge(text)[0] is KINDS[text]


def test_what_stands_before_the_text_is_no_part_of_the_message() -> None:
    [line] = kept("(EngineCore_DP0 pid=791) ERROR 01-28 10:21:54 [core.py:708] engine start aborted")
    assert line.message == "engine start aborted"


@given(st.text(max_size=300))
def test_every_line_stands_where_it_says(text: str) -> None:
    text = clean(text)
    rows = text.split("\n")
    for line in kept(text):
        assert text[line.start : line.start + len(line.text)] == line.text
        assert line.text in rows[line.number - 1]
        assert 0 <= line.body <= len(line.text)
        assert line.kind in WEIGHTS


def test_numbers_and_places_hold_beyond_a_chunk() -> None:
    text = (
        "x" * 150_000 + "\n" + "".join(f"row {chr(97 + i % 26) * (i % 90)}\n" for i in range(5_000)) + "the end failed"
    )
    last = kept(text)[-1]
    assert last.text == "the end failed"
    assert last.number == text.count("\n") + 1
    assert text[last.start :] == "the end failed"


def test_lines_that_differ_in_numbers_stand_once() -> None:
    assert [line.number for line in kept("read 12 failed at 0x7f01\nread 345 failed at 0x9a22\nwrite failed")] == [1, 3]


def test_a_failure_that_the_log_calls_harmless_is_boilerplate() -> None:
    text = (
        "Traceback (most recent call last):\n"
        '  File "a.py", line 12, in try_import\n    mod = __import__(name)\n'
        "ModuleNotFoundError: No module named 'apex'\n"
        "WARNING: apex is optional, continuing with the native implementation\n"
        "RuntimeError: the real one"
    )
    assert [line.text for line in kept(text) if WEIGHTS[line.kind]] == ["RuntimeError: the real one"]


def test_code_below_a_place_belongs_to_it() -> None:
    found = kept('  File "/w/a.py", line 1, in f\n    raise ValueError(wrong)\nValueError: wrong')
    assert [line.kind for line in found] == [LineKind.FRAME, LineKind.FRAME, LineKind.TELLING]


def test_remarks_at_the_end_of_a_command_stand_alone() -> None:
    found = kept("$ msprobe graph compare a.json   # npu has four ranks, bench one")
    assert [(line.kind, line.text.strip()) for line in found] == [
        (LineKind.COMMAND, "$ msprobe graph compare a.json"),
        (LineKind.REMARK, "npu has four ranks, bench one"),
    ]


def test_an_error_that_a_remark_reports_stands_alone() -> None:
    found = kept("I installed it and it is fine, but import gives ModuleNotFoundError: No module named 'torchair'")
    assert [line.kind for line in found] == [LineKind.REMARK, LineKind.TELLING]
    assert found[1].text == "ModuleNotFoundError: No module named 'torchair'"


@pytest.mark.parametrize(
    "row",
    [
        "a b c d e\n",
        "[ERROR] failed {}\n",
        "abcdef" * 99 + "{}\n",
        "0a" * 99 + "g{}\n",
        '"' * 200 + "\n",
        "(pid=" * 40 + "\n",
        "a_" * 99 + "\n",
        "  " * 99 + "x\n",
    ],
)
def test_time_grows_with_the_length_only(row: str) -> None:
    rows = [row.format(chr(97 + i % 26) * (i % 40)) for i in range(4_000)]
    short, long = "".join(rows[:1_000]), "".join(rows)
    assert loops(lambda: kept(long)) < 8 * loops(lambda: kept(short)) + 2


def test_one_endless_line_takes_time_by_its_length() -> None:
    short, long = "a(x= " * 20_000, "a(x= " * 80_000
    assert loops(lambda: kept(long)) < 8 * loops(lambda: kept(short)) + 2


def test_reading_can_be_stopped() -> None:
    def stop(_done: int, _total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        list(lines("a", stop))
