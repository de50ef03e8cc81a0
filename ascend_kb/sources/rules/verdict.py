"""How an issue ended and how well its answer is backed, by the words of question and answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascend_kb.core.card import Ground
from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import ChangeState, Evidence, GroundKind, Outcome, Role

if TYPE_CHECKING:
    from ascend_kb.core.card import Change

_FLAGS = re.IGNORECASE
_DOCS = re.compile(r"文档|资料|README|指南|documentation|\bdocs?\b", _FLAGS)
_DOCS_FIXED = re.compile(
    r"资料Owner|资料[^，。]{0,8}(?:修订|更正|更新)|(?:修订|纠正|更正)[^，。]{0,6}文档|docs? (?:fixed|corrected)", _FLAGS
)
# Tried in turn where no change of the card's own repository was merged.
_RULES = (
    (Outcome.OUT_OF_SCOPE, (
        r"职责边界|不归本?仓|应属[^，。]{0,30}工具|应向[^，。]{0,30}反馈|并无[^，。]{0,40}功能|out of scope"
    )),
    (Outcome.PLANNED, r"仍在开发|开发中|等待后续|排期|将在后续版本支持|on the roadmap|\bplanned\b"),
    (Outcome.KNOWN_DEFECT, r"为工具缺陷|已知缺陷|工具缺陷|将做[^，。]{0,8}(?:bugfix|修复)|known (?:defect|bug|issue)"),
    (Outcome.BY_DESIGN, r"设计预期|设计如此|符合预期|非缺陷设计|by design|works as intended"),
    (Outcome.FIXED_UPSTREAM, (
        r"上游[^。]{0,40}(?:支持|修复|合入)|已在\s?[A-Za-z_]+\s?[\d.]+\w*\s?中?修复|fixed upstream"
    )),
    (Outcome.WORKAROUND, r"手动改|规避|chmod|放宽|可手动|临时方案|atol取|work-?around"),
    (Outcome.UNSUPPORTED, r"暂不支持|不支持|不会支持|not supported|unsupported|won't fix|wontfix"),
    (Outcome.FIXED, r"已修复|确认修复|修复后关闭|修改分布方式|包含预期字段|推断随[^，。]{0,20}修复|\bfixed\b"),
)  # fmt: skip
_OUTCOMES = tuple((outcome, re.compile(pattern, _FLAGS)) for outcome, pattern in _RULES)

_UNVERIFIED = re.compile(r"未核实|未经核实|unverified", _FLAGS)
_INFERRED = re.compile(r"推断|未显式引用|无显式(?:issue)?[ ]?(?:引用|关联)|\binferred\b", _FLAGS)
_EXPLICIT = re.compile(
    r"(?<!未)(?<!无)(?:显式(?:关联|引用|链接)|正文(?:链接|标注|引用))|\bexplicitly (?:cites|links|references)", _FLAGS
)
_OFFICIAL = re.compile(r"官方|维护者|评论确认|资料Owner|maintainer|\bofficial", _FLAGS)
_KINDS = (
    (GroundKind.NONE_FOUND, re.compile(r"未检索到|未核实|未见|not found|unverified", _FLAGS)),
    (GroundKind.SAME_AUTHOR, re.compile(r"作者|提出者|same author", _FLAGS)),
    (GroundKind.CAUSE_MATCH, re.compile(r"根因|方案与|root cause", _FLAGS)),
    (GroundKind.TEXT_MATCH, re.compile(r"复现|正文|逐字一致|描述|text match", _FLAGS)),
    (GroundKind.TITLE_MATCH, re.compile(r"标题|title", _FLAGS)),
    (GroundKind.TIMING, re.compile(r"时间|同日|分钟后|timing", _FLAGS)),
)
_REASON = re.compile(
    r"[（(](?:推断关联|系|推断)?[:：]?([^（）()]{2,200})[)）]|(?:推断关联|关联系|判定为)[^。]{0,200}|未核实[^。]{0,100}"
)
_SENTENCE = re.compile(r"[^。\n]+")


def outcome(title: str, answer: str, changes: tuple[Change, ...]) -> Outcome:
    """Return how an issue ended, as far as the words tell."""
    own = [c for c in changes if c.role is not Role.UPSTREAM and c.state is ChangeState.MERGED]
    if any(c.role is not Role.FOLLOW_UP for c in own):
        is_docs = _DOCS.search(title) or any(_DOCS.search(c.title) for c in own) or _DOCS_FIXED.search(answer)
        return Outcome.DOCS_CORRECTED if is_docs and _is_about_docs(title, own) else Outcome.FIXED
    return next((found for found, pattern in _OUTCOMES if pattern.search(answer)), Outcome.ANSWERED)


def is_docs(title: str) -> bool:
    """Whether a problem is one of documents, so that its changes are documents too."""
    return _DOCS.search(title) is not None and re.search(r"文档加载|doc加载|doc load", title, _FLAGS) is None


def _is_about_docs(title: str, own: list[Change]) -> bool:
    return is_docs(title) or all(c.role is Role.DOCS for c in own)


def evidence(text: str, others: Evidence) -> Evidence:
    """Return how well an answer is backed; ``others`` where it does not say."""
    for found, pattern in (
        (Evidence.UNVERIFIED, _UNVERIFIED),
        (Evidence.INFERRED, _INFERRED),
        (Evidence.EXPLICIT, _EXPLICIT),
        (Evidence.OFFICIAL, _OFFICIAL),
    ):
        if pattern.search(text):
            return found
    return others


def grounds(answer: str, value: Evidence, sentence: str, zh: bool) -> tuple[Ground, ...]:
    """Return why an answer is believed; ``sentence`` is what the closing notes say of it, or empty."""
    found: list[Ground] = []
    wanted = {Evidence.INFERRED: _INFERRED, Evidence.UNVERIFIED: _UNVERIFIED, Evidence.EXPLICIT: _EXPLICIT}.get(
        value, _OFFICIAL
    )
    for said in _SENTENCE.findall(answer):
        hit = wanted.search(said)
        if hit is None:
            continue
        part = _around(said, hit)
        found.append(Ground(_kind(part, value), value, Bilingual(part, "") if zh else Bilingual("", part)))
        break
    if not found and value in (Evidence.INFERRED, Evidence.UNVERIFIED):
        text = sentence[:500] or answer[:200]
        found.append(Ground(GroundKind.SOURCE_NOTE, value, Bilingual(text, "") if zh else Bilingual("", text)))
    return tuple(found)


def _around(sentence: str, hit: re.Match[str]) -> str:
    """Return the bracket that a hit stands in, or the part of its sentence between semicolons."""
    opened = max(sentence.rfind("（", 0, hit.start()), sentence.rfind("(", 0, hit.start()))
    closed = min((at for m in "）)" if (at := sentence.find(m, hit.end())) >= 0), default=-1)
    if opened >= 0 and closed >= 0 and not re.search(r"[）)]", sentence[opened : hit.start()]):
        return sentence[opened + 1 : closed].strip()
    start = max(sentence.rfind(m, 0, hit.start()) for m in "；;") + 1
    end = min((at for m in "；;" if (at := sentence.find(m, hit.end())) >= 0), default=len(sentence))
    return sentence[start:end].strip()[:400]


def _kind(text: str, value: Evidence) -> GroundKind:
    if value is Evidence.EXPLICIT:
        return GroundKind.EXPLICIT_REFERENCE
    if value is Evidence.OFFICIAL:
        return GroundKind.MAINTAINER_STATEMENT
    return next((kind for kind, pattern in _KINDS if pattern.search(text)), GroundKind.SOURCE_NOTE)
