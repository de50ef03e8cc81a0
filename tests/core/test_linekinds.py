"""A line of a log judged by itself: its kind, and where its text begins. More kinds stand in test_loglines."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.core.linekinds import _HINTS, JUDGED, WEIGHTS, LineKind, _reports_error, judge
from tests.pace import loops

SOME = settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
SIGNS = "[](){}|:#=%<>$'\"/\\-.,?! \t0123456789aEeRrOo误报INFOERROR"

PREFIXES = {
    "[rank0]: ": "",
    "[rank 12]: ": "",
    "(RayWorkerWrapper pid=123, ip=10.0.0.1) ": "",
    "[PID: 77] ": "",
    "2026-07-05 08:15:33,092 ": "",
    "2026/07/05 08:15:33 ": "",
    "[2026-07-05T08:15:33.092Z] ": "",
    "2026-07-05-08:15:33.092.116 ": "",
    "07-05 08:15:33 ": "",
    "08:15:33.092 ": "",
    "[  12.345678] ": "",
    "[ERROR] ": "telling",
    "ERROR: ": "telling",
    "<WARN> ": "",
    "(CRITICAL) ": "telling",
    "[INFO] ": "info",
    "DEBUG ": "info",
    "RUNTIME(301,python3): ": "",
    "[stream.cc:1191] ": "",
    "[stream.cc:1191] 30123 ": "",
    "worker-3 | ": "",
    "====== ": "",
    "E   ": "",
    "#7: ": "",
    "[rank3]: 2026-07-05 08:15:33 [ERROR] [core.py:708] ": "telling",
}


@pytest.mark.parametrize("prefix", PREFIXES)
def test_what_a_writer_puts_before_the_text_is_no_part_of_it(prefix: str) -> None:
    kind, body = judge(prefix + "tensor layout: 3 branches")
    assert body == len(prefix)
    assert kind is (LineKind(PREFIXES[prefix]) if PREFIXES[prefix] else LineKind.MESSAGE)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("aclnnIndex does not support int8", LineKind.TELLING),
        ("FAILED tests/test_ops.py::test_iou", LineKind.TELLING),
        ("torch._dynamo.exc.Unsupported: call_method", LineKind.TELLING),
        ("UserWarning: flag has no effect", LineKind.TELLING),
        ("./build.sh: line 12: npu-smi: command not found", LineKind.TELLING),
        ("ModuleNotFoundError", LineKind.TELLING),
        ("0 errors, 3 files", LineKind.MESSAGE),
        ("error_count=0", LineKind.MESSAGE),
        ("test_iou PASSED without error", LineKind.MESSAGE),
        ("3 failed, 46 passed in 12.4s", LineKind.BOILERPLATE),
        ("Aborted (core dumped)", LineKind.BOILERPLATE),
        ("exit status 1", LineKind.BOILERPLATE),
        ("During handling of the above exception, another exception occurred:", LineKind.BOILERPLATE),
        ("frame #4: c10::Error::Error() + 0x57", LineKind.FRAME),
        ("at com.acme.Main.run(Main.java:12)", LineKind.FRAME),
        ("/usr/local/Ascend/a.py:12: in forward", LineKind.FRAME),
        ("我只开了其中一个开关，就没有问题", LineKind.REMARK),
        ("why does it only happen on the second card?", LineKind.REMARK),
        ("// 这里已经赋过值", LineKind.REMARK),
        ("[user@host ~]$ python3 a.py", LineKind.COMMAND),
        ("PS C:\\> dir", LineKind.COMMAND),
        ("100%|██████████| 5/5 [00:01<00:00]", LineKind.NOISE),
        ("epoch 1 step 20 loss: 3.1 lr: 0.1", LineKind.NOISE),
        ("----------", LineKind.NOISE),
        ("", LineKind.NOISE),
        (" \t", LineKind.NOISE),
        ("?!", LineKind.NOISE),
    ],
)
def test_the_kind_of_a_line(text: str, kind: LineKind) -> None:
    assert judge(text)[0] is kind


def test_every_kind_has_a_weight_and_errors_weigh_most() -> None:
    assert set(WEIGHTS) == set(LineKind)
    assert max(WEIGHTS.values()) == WEIGHTS[LineKind.TELLING]
    assert WEIGHTS[LineKind.NOISE] == WEIGHTS[LineKind.BOILERPLATE] == 0


ALARMS = """
    Error failed Fatal exception abort mismatch illegal invalid unsupported denied cannot can't unable missing
    segmentation SIGSEGV timeout overflow nan crash panic refused wrong corrupt exceed undefined unexpected conflict
    skipped unknown violates unrecognized warning incompatible inconsistent stopped unused killed dropped lost empty
    differs EZ9999 ERR00100 报错 失败 错误 异常 无法 误报 越界 超时 不支持 崩溃 缺失 拒绝 告警 丢失
"""


@pytest.mark.parametrize("word", ALARMS.split())
def test_the_cheap_test_passes_over_no_word_that_tells(word: str) -> None:
    assert _reports_error(f"x: {word} here"), word
    assert any(hint in word.lower() for hint in _HINTS)


@SOME
@given(st.text(max_size=80) | st.text(SIGNS, max_size=80))
def test_every_line_has_a_kind_and_its_text_begins_inside(text: str) -> None:
    kind, body = judge(text)
    assert kind in LineKind
    assert 0 <= body <= len(text)
    assert judge(text) == (kind, body)


@SOME
@given(st.text(SIGNS, max_size=60), st.text(max_size=40))
def test_only_the_beginning_of_a_line_decides(text: str, more: str) -> None:
    line = text + "x" * JUDGED
    assert judge(line) == judge(line + more)


@pytest.mark.parametrize("piece", ["[", "(pid=", "a ", "0:", "%|", '"GET ', "E ", "#1:", "=" * 6, "loss ", "[1] "])
def test_a_line_is_judged_quickly_whatever_stands_in_it(piece: str) -> None:
    line = piece * 400
    assert loops(lambda: [judge(line + str(i)) for i in range(2_000)]) < 60
