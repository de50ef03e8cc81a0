"""Objects of several hosts' JSON into one form of issue: ``gh issue list --json``, and the REST lists of four hosts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ascend_kb.core.imported import Complaint
from ascend_kb.core.keys import REPO_NAME
from ascend_kb.sources.decoding import CONTROL

if TYPE_CHECKING:
    from ascend_kb.sources.exports.values import Found
    from ascend_kb.sources.faults import Faults

MOST_TEXT = 200_000  # characters of one body or comment
MOST_COMMENTS = 500
_ADDRESS = re.compile(
    rf"https?://[^/\s]{{1,200}}/(?:api/v\d/)?(?:repos/)?(?P<owner>{REPO_NAME})/(?P<repo>{REPO_NAME})(?:/-)?"
    r"(?:/(?P<kind>issues|pulls?|merge_requests)(?:/(?P<number>[0-9A-Z]{1,20}))?)?(?:[/?#].*)?",
    re.ASCII,
)
_MAINTAINERS = frozenset(
    ("OWNER", "MEMBER", "COLLABORATOR", "MAINTAINER", "DEVELOPER", "ADMIN", "COMMITTER", "ASSIGNEE")
)
_OPEN = ("open", "opened", "progressing", "reopened")


class Comment(NamedTuple):
    """A comment by the role of who wrote it (see ``rules.people.ROLES``)."""

    role: str
    day: str
    text: str


class RawIssue(NamedTuple):
    """An issue as an export has it. ``answer`` stands in tables only; ``roles`` are those of account names."""

    line: int
    owner: str
    repo: str
    number: int
    title: str
    body: str
    url: str = ""
    is_open: bool = False
    reason: str = ""
    labels: tuple[str, ...] = ()
    created: str = ""
    comments: tuple[Comment, ...] = ()
    answer: str = ""
    roles: tuple[tuple[str, str], ...] = ()
    changes: tuple[str, ...] = ()  # addresses of pull requests that closed it


class Reader:
    """Reads objects into issues; ``repo`` is ``owner/name`` for those that do not say where they belong."""

    def __init__(self, repo: str, faults: Faults) -> None:
        self._owner, _, self._repo = repo.rpartition("/")
        self._faults = faults
        self.pull_requests = 0

    def read(self, found: Found) -> RawIssue | None:
        """Return an issue, or None with a fault noted."""
        line, value = found
        if not isinstance(value, dict):
            self._faults.add(Complaint.NOT_AN_ISSUE, line, why="it is no object")
            return None
        title = self._text(value, line, "title")
        url = _first_text(value, "html_url", "web_url", "url")
        place = _ADDRESS.fullmatch(url) or _ADDRESS.fullmatch(_first_text(value, "repository_url", "url"))
        if (
            value.get("pull_request")
            or value.get("isPullRequest")
            or (place and (place["kind"] or "")[:4] in ("pull", "merg"))
        ):
            self.pull_requests += 1
            return None
        if not title:
            self._faults.add(Complaint.NOT_AN_ISSUE, line, why="it has no title")
            return None
        owner, repo = self._place(value, place)
        number = self._number(value, line)
        if not number:
            return None
        if not repo:
            self._faults.add(Complaint.NO_REPO, line, hint="name the repository (owner/name) for the whole file")
            return None
        author = _login(value.get("author") or value.get("user"))
        roles = {author: "reporter"} if author else {}
        comments = self._comments(value, line, author, roles)
        return RawIssue(
            line=line,
            owner=owner,
            repo=repo,
            number=number,
            title=title[:2000],
            body=self._text(value, line, "body", "description"),
            url=url if url.startswith("http") else "",
            is_open=_first_text(value, "state").lower() in _OPEN,
            reason=_first_text(value, "stateReason", "state_reason").lower(),
            labels=_labels(value.get("labels")),
            created=_day(_first_text(value, "createdAt", "created_at")),
            comments=comments,
            roles=tuple(roles.items()),
            changes=_closers(value.get("closedByPullRequestsReferences")),
        )

    def _text(self, value: dict[str, Any], line: int, *names: str) -> str:
        name = next((n for n in names if value.get(n) is not None), "")
        text = value.get(name)
        if text is None:
            return ""
        if not isinstance(text, str):
            self._faults.add(Complaint.FIELD_WRONG, line, name=name, found=type(text).__name__, needed="a text")
            return ""
        if len(text) > MOST_TEXT:
            self._faults.add(Complaint.TOO_LONG, line, name, limit=MOST_TEXT)
        return _clean(text)

    def _place(self, value: dict[str, Any], place: re.Match[str] | None) -> tuple[str, str]:
        if place is not None:
            return place["owner"], place["repo"]
        given = value.get("repository")
        full = ""
        if isinstance(given, dict):
            full = _first_text(given, "nameWithOwner", "full_name", "path_with_namespace")
        elif isinstance(given, str):
            full = given
        owner, _, repo = full.rpartition("/")
        if re.fullmatch(REPO_NAME, repo, re.ASCII):
            return owner.rpartition("/")[2] or self._owner, repo
        return self._owner, self._repo

    def _number(self, value: dict[str, Any], line: int) -> int:
        given = value.get("number", value.get("iid"))
        text = str(given) if isinstance(given, (int, str)) and not isinstance(given, bool) else ""
        if re.fullmatch(r"[1-9][0-9]{0,9}", text):
            return int(text)
        number = value.get("id")
        if re.fullmatch(r"I[0-9A-Z]{3,12}", text) and isinstance(number, int) and 0 < number < 10**10:
            self._faults.add(Complaint.NUMBER_REPLACED, line, text=text, number=number)
            return number
        self._faults.add(Complaint.NO_NUMBER, line, text=text[:40])
        return 0

    def _comments(self, value: dict[str, Any], line: int, author: str, roles: dict[str, str]) -> tuple[Comment, ...]:
        given: list[Any] = next(
            (value[n] for n in ("comments", "comments_list", "notes") if isinstance(value.get(n), list)), []
        )
        if len(given) > MOST_COMMENTS:
            self._faults.add(Complaint.TOO_MANY, line, "comments", limit=MOST_COMMENTS)
        found = []
        for comment in given[:MOST_COMMENTS]:
            if not isinstance(comment, dict) or comment.get("system") is True:
                continue
            text = self._text(comment, line, "body", "note", "content")
            if not text:
                continue
            name = _login(comment.get("author") or comment.get("user"))
            said = _first_text(comment, "authorAssociation", "author_association", "member_role").upper()
            role = "reporter" if name and name == author else "maintainer" if said in _MAINTAINERS else "user"
            if name and roles.get(name, "user") == "user":
                roles[name] = role
            found.append(Comment(role, _day(_first_text(comment, "createdAt", "created_at")), text))
        return tuple(found)


def _clean(text: str) -> str:
    text = CONTROL.sub("", text[:MOST_TEXT].replace("\r\n", "\n").replace("\0", ""))
    return text.encode("utf-8", "replace").decode("utf-8").strip()  # JSON can hold halves of characters


def _first_text(value: dict[str, Any], *names: str) -> str:
    return next((text for name in names if isinstance(text := value.get(name), str) and text), "")[:2000]


def _login(value: object) -> str:
    if isinstance(value, dict):
        return _first_text(value, "login", "username", "name").lower()
    return value.lower()[:100] if isinstance(value, str) else ""


def _labels(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(filter(None, (part.strip() for part in value[:2000].split(","))))
    if not isinstance(value, list):
        return ()
    names = [v if isinstance(v, str) else _first_text(v, "name", "title") if isinstance(v, dict) else "" for v in value]
    return tuple(name[:100] for name in names[:50] if name)


def _day(text: str) -> str:
    return text[:10] if re.match(r"\d{4}-\d\d-\d\d", text, re.ASCII) else ""


def _closers(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(filter(None, (_first_text(v, "url", "html_url") for v in value[:20] if isinstance(v, dict))))
