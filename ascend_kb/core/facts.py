"""Facts of a log: error codes, names of interfaces, operators, options, files, versions, hardware, tools."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.linekinds import WEIGHTS, LineKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascend_kb.core.loglines import Line

MOST_FACTS = 400


class FactKind(str, Enum):
    """What a fact is."""

    CODE = "code"
    API = "api"
    OPERATOR = "operator"
    OPTION = "option"
    NAME = "name"
    FUNCTION = "function"
    FILE = "file"
    MESSAGE = "message"
    VERSION = "version"
    HARDWARE = "hardware"
    TOOL = "tool"
    ISSUE = "issue"
    URL = "url"


class Fact(NamedTuple):
    """A fact and where it stands: characters ``start`` to ``end`` of the cleaned log, in line ``line`` (from 1).

    ``weight`` says how much the line tells that it stands in, from 0 to 3.
    """

    kind: FactKind
    text: str
    line: int
    start: int
    end: int
    weight: float


TOOLS = (
    "msprof", "msopprof", "mssanitizer", "msopgen", "msopst", "msopcom", "msprobe", "msdebug", "mskpp", "mskl",
    "msfmktransplt", "msleaks", "msmemscope", "msmonitor", "msprechecker", "mstx", "mstt", "msit", "biuperf",
    "simulator", "advisor", "pytorch_analyse", "pytorch_gpu2npu", "gpu2npu", "tensorboard", "npu-smi", "atc",
    "torchair", "torch_npu", "op-plugin", "op_plugin", "mindie", "vllm", "vllm-ascend", "mindspeed", "mindspore",
    "triton-ascend", "triton", "ascendc", "catlass", "hccl_test", "mindstudio",
)  # fmt: skip
_TOOL = "|".join(sorted(map(re.escape, TOOLS), key=len, reverse=True))
_PRODUCTS = (
    "CANN|torch_npu|torch-npu|torch|python|driver|firmware|mindspore|vllm(?:-ascend)?|triton(?:-ascend)?|msopcom"
    "|op-plugin|cuda|gcc|numpy|mindstudio|mindie"
)
_SUFFIXES = "py|cc|cpp|c|hpp|h|json|yaml|yml|sh|asc|csv|so|md|om|onnx|whl|run|txt|toml|cmake|log"
_FACT = re.compile(
    rf"""
    (?P<url>https?://[^\s<>"'，。）)]{{4,300}})
  | (?P<issue>(?<![\w/#])(?:[A-Za-z][\w.-]{{1,40}}[#!][1-9]\d{{0,6}}|[#!][1-9]\d{{1,6}}(?=\s|$|[,.;)])))
  | (?P<version>(?i:(?<![\w./-])(?:{_PRODUCTS})(?:\s+version)?\s*[:=@\s-]{{0,3}}v?)
      \d{{1,4}}(?:\.\w{{1,12}}){{1,4}}(?:\+\w{{1,20}})?)
  | (?P<code>\bERR\d{{5}}\b|\bE[A-Z]\d{{4}}\b|\bE\d{{5}}\b|\[Errno\s\d{{1,3}}\]
      |\bE(?:NOENT|ACCES|PERM|NOSPC|NOMEM|AGAIN|INVAL|PIPE)\b
      |\bSIG(?:SEGV|ABRT|BUS|KILL|TERM|FPE)\b
      |(?i:(?<=\bret\s)|(?<=\bret:\s)|(?<=\bret=)|(?<=\bret:)
       |(?<=code\s)|(?<=code:\s)|(?<=code=)|(?<=code:)|(?<=code\sis\s)|(?<=result\s=\s))
       (?:0x[0-9a-fA-F]{{2,8}}|-?\d{{3,10}})\b)
  | (?P<bare>(?<![\w.:-])(?:107\d{{3}}|207\d{{3}}|507\d{{3}}|561\d{{3}}|16100\d|14500\d|500\d{{3}}|361001)(?![\w.:]))
  | (?P<hardware>\bAscend\s?\d{{3}}[A-Z]?\d?(?:_\d{{2,4}})?\b|\b910_\d{{2,4}}\b|\b(?:910[BC]|310P|310B)\d?\b
      |\bAtlas\s\d{{3}}\w*(?:\s(?:A\d|T\d|I\d))?\b|\bA[235](?=\s(?:box|server|device|series)|\s?[机服训推]))
  | (?P<tool>(?i:(?<![\w./-])(?:{_TOOL})(?![\w-]|\.\w)))
  | (?P<file>(?:(?<![\w.])/|\b)(?:[\w.@~+-]+/){{0,20}}[\w.@+-]{{1,80}}\.(?:{_SUFFIXES})\b(?!\())
  | (?P<api>\b(?:acl(?:nn|rt|op|mdl|tdt|prof|dvpp|blas)?[A-Z]|hccl_?[A-Z]|Hccl[A-Z]
      |rt[A-Z]|npu_[a-z]|mstx_?[A-Z]|torch_npu\.)\w{{2,}}(?:\.\w+){{0,6}})
  | (?P<option>(?<![\w-])--[a-z][\w-]{{1,40}}|\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?==)
      |\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+){{1,8}}\b)
  | (?P<function>\b[a-z][a-z0-9]*(?:_[a-z0-9]+){{1,10}}(?=\()|\b[A-Za-z]\w+::\w+(?:::\w+)*)
  | (?P<operator>\b[A-Z][a-z]+(?:[A-Z][a-z0-9]+)+(?:V\d)?\b|\b\d{{1,3}}_[A-Z][a-z]\w{{2,60}}\b)
  | (?P<name>\b[a-z][a-z0-9]*(?:_[a-z0-9]+){{1,10}}\b)
  | (?P<message>(?<!\w)(?:"[^"\n]{{4,160}}"|'[^'\n]{{4,160}}'|`[^`\n]{{3,160}}`|“[^”\n]{{3,160}}”|「[^」\n]{{3,160}}」))
    """,
    re.VERBOSE,
)
_INSIDE = re.compile(r"FUNC:(?P<function>\w+)|FILE:(?P<file>[\w./-]+)")
_SENTENCE = re.compile(r"\w\s\w|[\u3400-\u9fff]{2}")
_SAID = (LineKind.TELLING, LineKind.REMARK, LineKind.BOILERPLATE)


def extract(lines: Iterable[Line]) -> list[Fact]:
    """Return the facts of some lines, each once, from the line that tells most; the most telling first.

    Boilerplate gives its codes only.
    """
    found: dict[tuple[FactKind, str], Fact] = {}
    for line in lines:
        for fact in _of_line(line, WEIGHTS[line.kind]):
            if line.kind is LineKind.BOILERPLATE and fact.kind is not FactKind.CODE:
                continue
            key = fact.kind, fact.text.lower()
            known = found.get(key)
            if (known is None and len(found) < MOST_FACTS) or (known is not None and known.weight < fact.weight):
                found[key] = fact
    return sorted(found.values(), key=lambda fact: (-fact.weight, fact.start))


def _of_line(line: Line, weight: float) -> Iterator[Fact]:
    for pattern in (_FACT, _INSIDE):
        for match in pattern.finditer(line.text):
            group = str(match.lastgroup)
            if group == "bare" and line.kind not in _SAID:
                continue
            kind = FactKind.CODE if group == "bare" else FactKind(group)
            start, end = match.span(group)
            if kind is FactKind.MESSAGE:
                start, end = start + 1, end - 1
                inner = line._replace(text=line.text[start:end], start=line.start + start, body=0)
                yield from _of_line(inner, weight)
            text = line.text[start:end]
            if _is_worth(kind, text, line):
                yield Fact(kind, text, line.number, line.start + start, line.start + end, weight)


def _is_worth(kind: FactKind, text: str, line: Line) -> bool:
    if kind is FactKind.MESSAGE:
        return bool(_SENTENCE.search(text))
    if kind is FactKind.FILE:
        return "npu" in text or (not (line.kind is LineKind.FRAME and "site-packages" in text) and text != "torch.onnx")
    return kind is not FactKind.OPERATOR or not text.endswith(("Error", "Exception", "Warning"))


MEANINGS: dict[str, tuple[str, str]] = {
    "ERR00100": ("torch_npu（PTA）调用 ACL 接口失败", "torch_npu (PTA): a call of an ACL interface failed"),
    "ERR01003": ("算子（OPS）不支持该特性", "operator (OPS): feature not supported"),
    "ERR02200": ("分布式（DIST）调用 HCCL 失败", "distributed (DIST): a call of HCCL failed"),
    "EZ9999": ("CANN 内部错误，真正的原因在它后面的文字里", "CANN inner error; the cause stands in the text behind it"),
    "EZ1001": ("算子参数校验失败", "an operator's argument check failed"),
    "EZ3002": ("算子类型不支持", "operator type not supported"),
    "EZ9903": ("算子下发失败", "launching an operator failed"),
    "EE1001": ("运行时参数无效", "invalid runtime argument"),
    "EE9999": ("运行时内部错误", "inner error of the runtime"),
    "EL0004": ("设备内存申请失败", "device memory could not be allocated"),
    "EI0002": ("集合通信等待超时", "collective communication timed out"),
    "EI0006": ("集合通信建链超时", "connecting the communication links timed out"),
    "EH9999": ("AI CPU / Host 内部错误", "inner error of AI CPU or host"),
    "100000": ("ACL：参数无效", "ACL: invalid argument"),
    "107000": ("运行时：参数无效", "runtime: invalid argument"),
    "107001": ("运行时：device id 无效", "runtime: invalid device id"),
    "107002": ("运行时：当前线程没有 context", "runtime: no context on this thread"),
    "107003": ("运行时：stream 不属于当前 context", "runtime: the stream is not in the current context"),
    "107020": ("运行时：内存类型或标志错误", "runtime: wrong memory type or flag"),
    "207000": ("运行时：该特性不支持", "runtime: feature not supported"),
    "207001": ("运行时：内存申请失败", "runtime: memory could not be allocated"),
    "207018": ("运行时：设备内存不足", "runtime: out of device memory"),
    "500000": ("ACL：内部错误", "ACL: inner error"),
    "507011": ("运行时：模型执行失败", "runtime: executing a model failed"),
    "507014": ("AI Core 执行超时", "AI Core timed out"),
    "507015": ("AI Core 执行异常", "AI Core exception"),
    "507018": ("AI CPU 执行异常", "AI CPU exception"),
    "507033": ("运行时：启动设备失败", "runtime: starting the device failed"),
    "507034": ("向量核执行超时", "vector core timed out"),
    "507035": ("向量核执行异常（多为越界访问）", "vector core exception (mostly an access out of range)"),
    "507899": ("驱动返回内部错误", "the driver returned an inner error"),
    "561002": ("aclnn：tiling 失败", "aclnn: tiling failed"),
    "561003": ("aclnn：找不到算子 kernel", "aclnn: kernel not found"),
    "561103": ("aclnn：内部校验失败，原因在 CANN 日志的文字里", "aclnn: an inner check failed, see the CANN log"),
    "161001": ("aclnn：必选参数为空指针", "aclnn: a required argument is a null pointer"),
    "161002": ("aclnn：参数校验不过", "aclnn: an argument was rejected"),
    "[Errno 2]": ("文件或目录不存在", "no such file or directory"),
    "[Errno 13]": ("没有权限", "permission denied"),
    "[Errno 28]": ("磁盘满", "no space left on the device"),
    "SIGSEGV": ("段错误", "segmentation fault"),
    "SIGABRT": ("进程自行中止", "the process aborted itself"),
    "SIGKILL": ("进程被杀，常因内存不足", "the process was killed, often for lack of memory"),
}  # fmt: skip


def meaning(code: str) -> tuple[str, str]:
    """Return what a well-known code means, in Chinese and English; two empty strings for others."""
    return MEANINGS.get(code.strip("()"), ("", ""))
