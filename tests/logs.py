"""Logs for tests: one for each band, and what they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_kb.app.diagnosing import diagnose
from ascend_kb.app.diagnosis_process import Answer
from ascend_kb.core.diagnosis import Choice, Question
from ascend_kb.core.excerpt import excerpt
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual

if TYPE_CHECKING:
    from ascend_kb.app.library import Library

SIGNED = (  # the signature of msopcom#54
    "[INFO] start\n[ERROR] RegisterAscendBinary failed, api: aclrtBinaryLoadFromData, ret 500000\n"
    "[ERROR] launch failed\n"
)
LIKELY = "GetKernelType prints MIX for an asc operator without __vector__, instrumentation then fails\n"  # msopcom#25
RELATED = "[ERROR] aclrtMallocHost failed, size 137438953472, out of memory\n"  # reminds of msopcom#20
GUIDED = "[ERROR] TORCH_CHECK of npu_something rejects the new mode of the plugin\n"  # one row of the guide is near
UNKNOWN = "[ERROR] 10.1.2.3 wangwu: aclrtSynchronizeStream failed, ret 507035\n"


def answer(library: Library, text: str) -> Answer:
    """Return what the diagnosis process makes of a log."""
    found = diagnose(library, text)
    return Answer(found._replace(text=""), excerpt(found.text, []), len(text.encode()))


def asking(library: Library) -> Answer:
    """Return an answer with a question that tells two cards apart."""
    choices = (
        Choice(CardKey("msopcom", 54), Bilingual("注册失败", "it fails to <register>")),
        Choice(CardKey("msopcom", 60), Bilingual("别的", "something else")),
    )
    question = Question("507035", Bilingual("还看到哪一种？", "Which of these do you see?"), choices)
    found = answer(library, UNKNOWN)
    return found._replace(diagnosis=found.diagnosis._replace(question=question))
