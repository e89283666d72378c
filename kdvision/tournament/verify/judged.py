"""Claims judged: lines that name one photo together, and what cannot be at once."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from kdvision.columns import Acceptance, origin_name
from kdvision.report.wording import problem_text
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.problem import Code
from kdvision.rules.standings import result_of
from kdvision.tournament.duplicates import Clash, Found
from kdvision.tournament.lines import Job, SheetLine
from kdvision.tournament.owners import claims_alone
from kdvision.tournament.sheets import Row, Sheet
from kdvision.tournament.verify.checked import Checked, Read
from kdvision.tournament.verify.ownership import ClaimLine, judge_photo
from kdvision.tournament.verify.verdict import Judgement
from kdvision.tournament.verify.verdicts import Verdict


class SheetClaim(Struct, frozen=True):
    """A line of a sheet that can be checked.

    Attributes:
        row: The line.
        job: Its photo, as the line names it.
        accepted: What a person settled; None where nothing was.
    """

    row: Row
    job: Job
    accepted: Acceptance | None = None

    @property
    def entry(self) -> SheetLine:
        """What the line says of its kingdom."""
        return self.job.entries[0]

    @property
    def claimed(self) -> int:
        """The total."""
        assert self.entry.claimed is not None
        return self.entry.claimed

    @property
    def name(self) -> str:
        """What messages call the line: `line 4 (Anna)`."""
        player = self.entry.who.get("player")
        return f"line {self.row.line}{f' ({player})' if player else ''}"


def checked_photo(
    sheet: Sheet, claims: Sequence[SheetClaim], keys: Sequence[str], photos: Sequence[PhotoResult]
) -> list[Checked]:
    """The claims of all lines that name one photo, checked.

    Args:
        sheet: Where they stand.
        claims: The claims.
        keys: For each, what finds its full result.
        photos: For each, what was read of the photo by the rules of its line.
    """
    lines = [
        ClaimLine(claim.claimed, photo, claim.entry.letter, claim.name)
        for claim, photo in zip(claims, photos, strict=True)
    ]
    return [
        _checked_line(sheet, claim, key, photo, judgement)
        for claim, key, photo, judgement in zip(
            claims, keys, photos, judge_photo(lines), strict=True
        )
    ]


def _checked_line(
    sheet: Sheet, claim: SheetClaim, key: str, photo: PhotoResult, judgement: Judgement
) -> Checked:
    player = claim.entry.who.get("player") or claim.job.name
    checked = Checked(
        claim.row,
        sheet.where(claim.row),
        judgement.verdict,
        judgement.message,
        claim.job,
        claim.claimed,
        photo.status,
        read_of(judgement.kingdom, player) if judgement.kingdom else None,
        judgement.difference,
        key,
        judgement.letter,
        explanations=judgement.explanations,
    )
    return settled_line(checked, claim.accepted) if claim.accepted else checked


def settled_line(line: Checked, accepted: Acceptance) -> Checked:
    """A line with what a person accepted."""
    try:
        total = accepted.settle(line.claimed, line.read.total if line.read else None)
    except ValueError as error:
        return replace(line, verdict=Verdict.BAD_LINE, message=str(error))
    message = accepted.sentence(total)
    if line.message:
        message = f"{message}; without that: {line.message}"
    return replace(line, verdict=Verdict.SETTLED, message=message, settled=total)


def read_of(kingdom: KingdomResult, player: str) -> Read:
    """Return of a kingdom what tables need."""
    others = kingdom.alternatives if kingdom.status is not Status.SURE else ()
    return Read(
        kingdom.sheet.total,
        kingdom.probability,
        str(kingdom.sheet.kingdom),
        (kingdom.sheet.total, *(one.score for one in others)),
        result_of(player, kingdom.sheet),
        kingdom.status,
        origin_name(kingdom),
        _broken(kingdom),
    )


def _broken(kingdom: KingdomResult) -> str:
    """Which domino breaks the joining rule, in a sentence; empty where none does for sure."""
    said = (
        problem_text(kingdom, one)
        for one in kingdom.problems
        if one.code in (Code.NO_ORDER, Code.BROKEN_DOMINO)
    )
    return next(said, "") if kingdom.status is Status.SURE else ""


def broken_notes(lines: Sequence[Checked]) -> list[str]:
    """The lines whose kingdom breaks the joining rule, whatever their claim."""
    return [f"{line.name}: {line.read.broken}" for line in lines if line.read and line.read.broken]


def owners_notes(lines: Sequence[Checked]) -> list[str]:
    """What nobody can see where only claims say whose kingdom is whose."""
    photos = {
        line.job.name
        for line in lines
        if line.job
        and not line.job.entries[0].letter
        and line.verdict is Verdict.AGREES
        # Of several kingdoms one has its letter, and none is kept where several have the total.
        and (line.letter or line.read is None)
    }
    return claims_alone(len(photos))


# ---------------------------------------------------------------------- what cannot be at once


def found_of(line: Checked, digest: str, picture: str, boxes: int) -> Found:
    """What a line has, to be held against the others.

    Args:
        line: A line that is no bad one.
        digest: Names the bytes of its photo.
        picture: The fingerprint of what it shows; may be empty.
        boxes: The boxes that the dominoes of its game come from.
    """
    assert line.job is not None
    entry = line.job.entries[0]
    return Found(
        line.name,
        line.job.name,
        entry.who.get("player", ""),
        (entry.who.get("round", ""), entry.who.get("game", "")),
        line.read.laid if line.read else None,
        line.read is not None and line.read.status is Status.SURE,
        digest,
        picture,
        boxes,
    )


def with_clashes(lines: Sequence[Checked], found: Sequence[Clash]) -> list[Checked]:
    """Lines that cannot all be right do not agree, where different players handed them in."""
    texts: dict[int, list[str]] = {}
    for clash in found:
        for index in clash.lines:
            texts.setdefault(index, []).append(clash.message)
    return [
        replace(line, verdict=Verdict.CANNOT_TELL, message=" ".join(texts[index]))
        if index in texts and line.verdict is Verdict.AGREES and line.player
        else line
        for index, line in enumerate(lines)
    ]
