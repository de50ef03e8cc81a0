"""What a line of a log is for, judged by itself: what went wrong, what somebody says about it, what every run prints.

A line is first freed of what its writer puts before it (rank, process, time, level), then judged by the rest.
"""

from __future__ import annotations

import re
from enum import Enum

JUDGED = 400  # characters of a line that decide its kind


class LineKind(str, Enum):
    """What a line is for."""

    TELLING = "telling"  # says what went wrong
    REMARK = "remark"  # what the person says about it
    COMMAND = "command"  # what was typed
    MESSAGE = "message"  # other output
    FRAME = "frame"  # a place in a stack
    INFO = "info"  # a healthy report
    BOILERPLATE = "boilerplate"  # stands around every error
    NOISE = "noise"  # progress, access logs, training steps


WEIGHTS = {
    LineKind.TELLING: 3.0,
    LineKind.REMARK: 2.6,
    LineKind.COMMAND: 1.4,
    LineKind.MESSAGE: 1.6,
    LineKind.FRAME: 0.8,
    LineKind.INFO: 0.9,
    LineKind.BOILERPLATE: 0.0,
    LineKind.NOISE: 0.0,
}  # how much a name or a word counts that stands in such a line


_PREFIX = re.compile(
    r"""\s*(?:
    \[rank\s?\d+\]:?
  | \((?:[\w.-]+\s)?(?:pid=\d+|ip=[\d.]+)[^()]{0,80}\)
  | \[?PID:?\s?\d+\]?(?=[\s\]:])
  | \[?\d{4}[-/]\d\d[-/]\d\d[T\s_-]{1,2}\d\d:\d\d(?::\d\d)?(?:[.,:]\d+)*(?:Z|\s?[+-]\d\d:?\d\d)?\]?
  | \d\d-\d\d\s\d\d:\d\d:\d\d(?:[.,]\d+)?
  | \[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?
  | \[\s{0,6}\d+\.\d{3,}\]
  | [\[(<]?\b(?P<level>ERROR|ERR|CRITICAL|FATAL|WARNING|WARN|NOTICE|INFO|DEBUG|EVENT|TRACE|OPLOG)\b\s?[\])>]?:?(?!\w)
  | (?P<module>[A-Z][A-Z0-9_]+)\(\d+,[^()]{0,80}\):
  | \[[\w./-]+\.(?:cc|cpp|c|py|h|hpp|ts|go):\d+\](?:\s?\d{2,8}\b)?
  | [\w.-]{1,40}\s{1,4}\|(?=\s)
  | \[\w{1,24}\](?=\s?\[(?:PID|ERROR|WARN|INFO))
  | \#\d+:
  | ={4,}(?!=*$)
  | E\s{2,}
    )""",
    re.VERBOSE,
)
_PLOG = re.compile(r"^\s*\[(?:INFO|DEBUG|EVENT|TRACE)\s?\]\s*[A-Z][A-Z0-9_]+\(\d+,")
_NOISE = re.compile(
    r"""\d%\|[^|]*\|\s*\S+            # progress bar
  | \d%\s*\|\s*\d+/\d+\s\[
  | ^\[\s*\d+%\]\s(?:Building|Linking|Built|Generating)
  | "(?:GET|POST|PUT|HEAD|DELETE|OPTIONS)\s[^"]*"\s\d{3}\b   # access log
  | \bstep\s*[:=]?\s*\d+\b.*\b(?:loss|lr|ppl)\b
  | \b(?:loss|gnorm|grad\snorm|lr)\b\s*[:=]?\s*[\d.]+.*\b(?:lr|gnorm|grad.norm|ms/step|it/s|tokens)\b
  | ^\s*[-=_*~.+|\s#]{4,}$
  | ^\s*\[?\s*\d+%\]?\s*$
  | \[[\d:]+<[\d:?]+,\s
  """,
    re.VERBOSE,
)
_BOILERPLATE = re.compile(
    r"""^(?:\s*
    (?:Traceback|TraceBack|\[TraceBack\])\s*\(most\srecent\scall\slast\)
  | During\shandling\sof\sthe\sabove
  | The\sabove\sexception\swas\sthe\sdirect
  | (?:E[A-Z]\d{4}:\s)?Inner\sError!?[.!]*\s*$
  | PTA\scall\sacl\sapi\sfailed\.?$
  | Kernel\sRun\sfailed\.?$
  | (?:Solution|Possible\sCause|Cause|Action):\s(?:N/A|\s*$)
  | Rectify\sthe\sfault\sbased
  | Aborted(?:\s\(core\sdumped\))?$
  | Return\scode:\s\d+$
  | usage:\s
  | (?:exit|return)\s(?:code|status)\s?[:=]?\s?\d+$
  | ASCEND_LAUNCH_BLOCKING=1
  | Since\sthe\soperator\sis\scalled\sasynchronously
  | .*\bbuild/CMakeFiles/torch_npu\.dir/compiler_depend\.ts:\d+\s*$
  | .{0,60}\brun\swith\sTORCH_SHOW_CPP_STACKTRACES
  | Set\sTORCH_LOGS=
  | \d+\s(?:passed|failed)\b.{0,60}\sin\s[\d.]+s
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_FRAME = re.compile(
    r"""^\s*(?:File\s"[^"]+",\sline\s\d+
  | \#\d+\s+0x[0-9a-f]+
  | frame\s\#\d+
  | at\s[\w.$<>:/]+[(:]\d*
  | /\S+\.(?:py|cc|cpp|c|h)[:(]\d+
  | \[?<0x[0-9a-f]+>
  | Exception\sraised\sfrom\s
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_COMMAND = re.compile(r"^\s*(?:\$|>>>|\.\.\.\s|In\s\[\d+\]:|PS\s\S+>|\[?[\w.-]+@[\w.-]+[:\s][^\s$#]*\]?\s?[$#])\s*\S")
_COMMENT = re.compile(r"^\s*(?:#(?!\d+[\s:]|include|define|!)|//|--\s(?=\w+\s\w+\s)|>\s)|^\s*\$\s*#")
_HAN = re.compile(r"[\u3400-\u9fff]")
_ERROR = re.compile(
    r"""error|fail(?!\w*[=:]\s?0\b)|fatal|exception|\babort|mismatch|illegal|\binvalid|unsupported|\bnot\s(?:be\s)?support
  | denied|permision|cannot|can't|could\snot|unable|\bmissing\b|\bnot\s(?:be\s)?found|no\ssuch|segmentation|sigsegv
  | core\sdumped|time[d]?\s?out|overflow|\bnan\b|\bcrash|\bpanic|\bbad\s|\brefused|\bwrong|corrupt|\bexceed|out\sof
  | must\sbe|should\sbe|can\snot|\bnot\s(?:match|allowed|exported|hooked|in\s|implemented|detected|expected)|undefined
  | unexpected|conflict|\bskipped\b|unknown|violat|unrecognized|no\s\w+\s(?:module|kernel|device|data|record)|\bwarn
  | incompatible|inconsistent|\bstop(?:ped|ping)\b|\bunused\b|\bkilled\b|\bdropped\b|\blost\b|\bempty\b
  | \bdiffer(?:s|ent)|\bE[A-Z]\d{4}\b|\bERR\d{5}
  | 报错|失败|错误|异常|无法|不能|误报|找不到|越界|超时|不支持|不一致|崩溃|缺失|未找到|拒绝|中断|警告|告警|丢失""",
    re.VERBOSE | re.IGNORECASE,
)
_HEALTHY = re.compile(
    r"\b(?:0|no) (?:errors?|fail\w*|warnings?)\b|error[_ ]?(?:count|num)?[=:]\s?0\b|\bPASS(?:ED)?\b", re.IGNORECASE
)
_SENTENCE = re.compile(
    r"\b(?:I|I'm|I've|my|our|we|you|why|how|what|which|is there|anyone|please|thanks|same script|expected|suspect)\b"
    r"|[?？]\s*$|\?\?|(?:^|\s)(?:the|this|that|it|but|only|both|each|after|when|as soon as|always|without)\s",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(r"^\s*(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Unsupported|Warning|Interrupt)\b\s*:?")
# Cheap tests for what the patterns above may find: most lines of a large log hold none of it.
_HINTS = (
    "error", "fail", "fatal", "exception", "abort", "mismatch", "illegal", "invalid", "support",
    "denied", "permision", "cannot", "can't", "could not", "unable", "missing", "not be",
    "not found", "no such", "segm", "sigsegv", "dumped", "time out", "timed out", "timeout",
    "overflow", "nan", "crash", "panic", "bad ", "refused", "wrong", "corrupt", "exceed",
    "out of", "must be", "should be", "can not", "not ", "undefined", "unexpected", "conflict",
    "skipped", "unknown", "violat", "unrecognized", "no ", "warn", "incompat", "inconsist",
    "stop", "unused", "kill", "drop", "lost", "empty", "differ", "ez", "ee", "ei", "eh", "el",
    "ek", "err", "报错", "失败", "错误", "异常", "无法", "不能", "误报", "找不到", "越界", "超时", "不支持", "不一致",
    "崩溃", "缺失", "未找到", "拒绝", "中断", "警告", "告警", "丢失",
)  # fmt: skip
_NOISY = ("%", '"', "step", "loss", "norm", "<")


def judge(text: str) -> tuple[LineKind, int]:
    """Return the kind of a line and where its text begins behind rank, process, time and level."""
    head = text[:JUDGED]
    if _PLOG.match(head):
        return LineKind.NOISE, 0
    body, level = _prefix(head)
    rest = head[body:]
    if not any(map(str.isalnum, rest)) or (any(sign in head for sign in _NOISY) and _is_noise(head, rest)):
        return LineKind.NOISE, body
    return _kind(head, rest, level), body


def _is_noise(head: str, rest: str) -> bool:
    return bool(_NOISE.search(rest) or (rest is not head and _NOISE.search(head)))


def _reports_error(rest: str) -> bool:
    lower = rest.lower()
    return any(hint in lower for hint in _HINTS) and bool(_ERROR.search(rest)) and not _HEALTHY.search(rest)


def _kind(head: str, rest: str, level: str) -> LineKind:  # noqa: PLR0911  (one line for each kind)
    if _BOILERPLATE.match(rest):
        return LineKind.BOILERPLATE
    if _FRAME.match(rest):
        return LineKind.FRAME
    if level in ("INFO", "DEBUG", "EVENT", "TRACE", "OPLOG", "NOTICE"):
        return LineKind.INFO
    if _COMMENT.match(head):
        return LineKind.REMARK
    if _COMMAND.match(head):
        return LineKind.COMMAND
    if level in ("ERROR", "ERR", "CRITICAL", "FATAL") or _EXCEPTION.match(rest):
        return LineKind.TELLING
    if not level and _is_remark(rest):
        return LineKind.REMARK
    return LineKind.TELLING if _reports_error(rest) else LineKind.MESSAGE


def _is_remark(rest: str) -> bool:
    if _HAN.search(rest):
        return not re.match(r"\s*\[|\s*\w+=", rest)
    words = re.findall(r"(?<!\S)[A-Za-z][a-z']*[,.?!;:]*(?!\S)", rest)
    return len(words) >= 5 and len(words) * 2 >= len(rest.split()) and bool(_SENTENCE.search(rest))


def _prefix(head: str) -> tuple[int, str]:
    """Return where the text of a line begins and the level that is named before it."""
    position, level = 0, ""
    for _ in range(8):
        found = _PREFIX.match(head, position)
        if found is None or found.end() == position:
            break
        level = found["level"] or level
        position = found.end()
    while position < len(head) and head[position] in " \t:|":
        position += 1
    return position, level
