"""An answer cut into the sections of a card, as Markdown; its language and its summary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascend_kb.core.fences import find_fences
from ascend_kb.core.vocabulary import SectionId

if TYPE_CHECKING:
    from ascend_kb.core.language import Language

_HAN = re.compile("[\u3400-\u9fff]")
_SENTENCE = re.compile(r"[^。\n]*(?:。[”』」）)]?|\n|\Z)")
_RULES = (
    (SectionId.EVIDENCE, re.compile(r"推断关联|未核实|KG佐证|KG含|KG可|未显式引用|注意：|逐字一致|社区部署skill")),
    (SectionId.RECIPE, re.compile(
        r"建议|推荐|升级(?!不)|可手动|chmod|即可|指引|请先|需从|应从|可直接|规避|改为业务|upgrade|please|run ",
        re.IGNORECASE,
    )),
    (SectionId.CAUSE, re.compile(r"根因|原因|系因|由于|硬编码于|误判|限死|root cause|because", re.IGNORECASE)),
)  # fmt: skip
# What Markdown would take for a mark: such words become code, so that they stay as they are and are found as they are.
_WORD = re.compile(r"[!-~]+")
_RISKY = re.compile(r"[*_<>\[\]\\{}|~]")
_SPAN = re.compile(r"(?<!`)(`{1,3})(?!`)[^`\n]{1,2000}(?<!`)\1(?!`)")
_LINE_MARK = re.compile(r"^( {0,3}(?:[0-9]{1,9}(?=[.)] )|(?=[-+] |#|-+[ \t]*$|(?<=\n)=+[ \t]*$)))", re.MULTILINE)
_TRIM = ".,;:!?)('\""
MOST_SUMMARY = 300


def language(text: str) -> Language:
    """Return the language of a text: Chinese where a tenth of its letters is."""
    sample = text[:5000]
    return "zh" if len(_HAN.findall(sample)) * 10 >= len(sample.replace(" ", "")) else "en"


def markdown(text: str) -> str:
    """Return plain text as Markdown that shows the same: words with marks become code, marks of lines are escaped."""
    if find_fences(text):
        return text
    parts, at = [], 0
    for found in _SPAN.finditer(text):
        parts += [_safe(text[at : found.start()]), found[0]]
        at = found.end()
    return _LINE_MARK.sub(r"\1\\", "".join([*parts, _safe(text[at:])]))


def _safe(text: str) -> str:
    return _WORD.sub(_as_code, text.replace("\\", "\\\\") if "\\" in text else text)


def _as_code(found: re.Match[str]) -> str:
    word = found[0]
    if _RISKY.search(word) is None or "`" in word or (word.startswith("\\") and len(word) < 4):
        return word
    lead = len(word) - len(word.lstrip("('\""))
    tail = len(word.rstrip(_TRIM)) if word.rstrip(_TRIM) else len(word)
    inner = word[lead:tail].replace("\\\\", "\\")
    return f"{word[:lead]}`{inner}`{word[tail:]}" if inner else word


def sections(title: str, answer: str, *, is_markdown: bool) -> dict[SectionId, str]:
    """Cut an answer into sections by its sentences; no sentence is lost, and none stands twice but as a recipe.

    Without a sentence that says what to do, the whole answer but its evidence is the recipe.
    """
    keep = (lambda text: text) if is_markdown else markdown
    if is_markdown and ("\n" in answer or "```" in answer):
        return {SectionId.SYMPTOM: title, SectionId.FIX: answer, SectionId.RECIPE: answer}
    placed = [(_section(sentence), sentence) for sentence in _sentences(answer)]
    made = {SectionId.SYMPTOM: keep(title)}
    glue = "\n" if "\n" in answer else ""
    for section in (SectionId.CAUSE, SectionId.FIX, SectionId.EVIDENCE):
        if said := [sentence for place, sentence in placed if place is section]:
            made[section] = keep(glue.join(said))
    steps = [sentence for place, sentence in placed if place is SectionId.RECIPE]
    steps = steps or [sentence for place, sentence in placed if place is not SectionId.EVIDENCE]
    made[SectionId.RECIPE] = "\n".join(f"{n}. {keep(s)}" for n, s in enumerate(steps or [answer.strip()], 1))
    return made


def _section(sentence: str) -> SectionId:
    return next((section for section, pattern in _RULES if pattern.search(sentence)), SectionId.FIX)


def _sentences(text: str) -> list[str]:
    return [part for found in _SENTENCE.findall(text) if (part := found.strip())]


def summary(title: str, answer: str) -> str:
    """Return the sentence of an answer that names the cause, else the first one, else the title."""
    sentences = _sentences(answer[:2000])
    first = next((s for s in sentences if _section(s) is SectionId.CAUSE), sentences[0] if sentences else title)
    return first if len(first) <= MOST_SUMMARY else first[: MOST_SUMMARY - 1] + "…"
