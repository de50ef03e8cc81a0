"""Issues of an export into draft cards, each when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from ascend_kb.core.card import Card, Change, Ground
from ascend_kb.core.imported import DraftCard, Provenance
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import (
    ChangeState,
    Evidence,
    GroundKind,
    Outcome,
    Relation,
    Role,
    SectionId,
)
from ascend_kb.sources.owners import OWNER
from ascend_kb.sources.rules import prose, verdict
from ascend_kb.sources.rules.changes import Context, read_changes
from ascend_kb.sources.rules.entities import read_entities, read_tags
from ascend_kb.sources.rules.people import ROLES, without_names
from ascend_kb.sources.rules.versions import read_versions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascend_kb.core.card import Tag
    from ascend_kb.core.language import Language
    from ascend_kb.sources.exports.issues import RawIssue

_REFUSED = ("not_planned", "not planned", "wontfix")
RECOGNISED = (
    "summary", "outcome", "evidence", "sections", "grounds", "changes", "versions", "hardware", "tags", "entities",
)  # fmt: skip


class Source(NamedTuple):
    """The file that issues come from, the day of its import, and what the open knowledge tells of repositories."""

    file: str
    date: str
    sha256: str
    owners: Mapping[str, str]  # owner/name by lower-case name
    tags: tuple[Tag, ...]


class IssueDrafts(Sequence[DraftCard]):
    """The draft cards of an export. A draft is made anew at each access: keep what is to be corrected."""

    def __init__(self, issues: Sequence[RawIssue], source: Source) -> None:
        self._issues = issues
        self._source = source

    def __len__(self) -> int:
        return len(self._issues)

    @overload
    def __getitem__(self, index: int) -> DraftCard: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[DraftCard]: ...
    def __getitem__(self, index: int | slice) -> DraftCard | Sequence[DraftCard]:
        if isinstance(index, slice):
            return IssueDrafts(self._issues[index], self._source)
        return self._draft(self._issues[index])

    def _draft(self, issue: RawIssue) -> DraftCard:
        tongue = prose.language(f"{issue.title}\n{issue.body[:2000]}")
        roles = dict(issue.roles)
        title = without_names(issue.title, tongue, roles)
        reply = without_names(issue.answer or _reply(issue), tongue, roles)
        key = CardKey(issue.repo, issue.number)
        where = owner_path(issue, self._source.owners)
        context = Context(where, lambda name: self._source.owners.get(name.lower(), ""), 0, verdict.is_docs(title))
        said = issue.answer or "\n".join(comment.text for comment in issue.comments)
        changes = _with_closers(read_changes(said, context), issue)
        affected, fixed = read_versions(f"{title}\n{issue.body[:5000]}", reply, issue.repo)
        text = f"{title}\n{issue.body}\n{reply}"
        tags, hardware = read_tags(" ".join([text, *issue.labels]), self._source.tags)
        value, grounds = _basis(issue, reply, tongue)
        card = Card(
            key=key,
            owner=where.partition("/")[0],
            title=_in(tongue, title),
            summary=_in(tongue, prose.summary(title, reply) if reply else title),
            outcome=_outcome(issue, title, reply, changes),
            evidence=value,
            sections={tongue: _sections(issue, title, reply, tongue, roles)},
            grounds=grounds,
            changes=changes,
            affected=affected,
            fixed=fixed,
            hardware=hardware,
            tags=tags,
            entities=read_entities(text),
        )
        origin = Provenance(self._source.file, issue.line, self._source.date, self._source.sha256)
        return DraftCard(card, origin, f"{title}\n\n{issue.body}\n\n{issue.answer}".strip(), RECOGNISED, issue.url)


def owner_path(issue: RawIssue, owners: Mapping[str, str]) -> str:
    """Return ``owner/name`` of an issue's repository: as the file says, else as the open knowledge does."""
    if issue.owner:
        return f"{issue.owner}/{issue.repo}"
    return owners.get(issue.repo.lower()) or f"{OWNER}/{issue.repo}"


def _reply(issue: RawIssue) -> str:
    """Return the comment that answers: the last of a maintainer, else the last that is not the reporter's."""
    for roles in (("maintainer",), ("user",)):
        for comment in reversed(issue.comments):
            if comment.role in roles:
                return comment.text
    return ""


def _outcome(issue: RawIssue, title: str, reply: str, changes: tuple[Change, ...]) -> Outcome:
    found = verdict.outcome(title, reply, changes)
    if found is not Outcome.ANSWERED:
        return found
    labels = {label.lower() for label in issue.labels}
    if issue.reason in _REFUSED or "wontfix" in labels:
        return Outcome.UNSUPPORTED
    return Outcome.KNOWN_DEFECT if issue.is_open and any("bug" in label for label in labels) else found


def _basis(issue: RawIssue, reply: str, tongue: Language) -> tuple[Evidence, tuple[Ground, ...]]:
    is_official = any(comment.role == "maintainer" for comment in issue.comments)
    value = verdict.evidence(reply, Evidence.OFFICIAL if is_official else Evidence.UNVERIFIED)
    if is_official and value is Evidence.OFFICIAL:
        return value, ()
    if not reply:
        return value, (Ground(GroundKind.NONE_FOUND, value, Bilingual("没有答复", "There is no reply")),)
    if not issue.answer and value is Evidence.UNVERIFIED:
        text = Bilingual("答复者不是维护者", "Whoever replied is not known as a maintainer")
        return value, (Ground(GroundKind.SOURCE_NOTE, value, text),)
    return value, verdict.grounds(reply, value, "", tongue == "zh")


def _with_closers(changes: tuple[Change, ...], issue: RawIssue) -> tuple[Change, ...]:
    known = {(change.repo, change.number) for change in changes}
    closers = [c for url in issue.changes for c in read_changes(url, Context("", lambda _name: ""))]
    return changes + tuple(
        c._replace(relation=Relation.EXPLICIT, role=Role.FIX, state=ChangeState.UNKNOWN)
        for c in closers
        if (c.repo, c.number) not in known
    )


def _sections(
    issue: RawIssue, title: str, reply: str, tongue: Language, roles: Mapping[str, str]
) -> dict[SectionId, str]:
    body = without_names(issue.body, tongue, roles)
    made = prose.sections(title, reply, is_markdown=not issue.answer) if reply else {}
    made[SectionId.SYMPTOM] = body or prose.markdown(title)
    if len(issue.comments) > 1:
        made[SectionId.EVIDENCE] = "\n\n".join(
            f"**{ROLES[comment.role][tongue == 'en']}{' ' * bool(comment.day)}{comment.day}**\n\n"
            + without_names(comment.text, tongue, roles)
            for comment in issue.comments
        )
    return made


def _in(tongue: Language, text: str) -> Bilingual:
    return Bilingual(text, "") if tongue == "zh" else Bilingual("", text)
