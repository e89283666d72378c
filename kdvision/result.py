"""What a photo came to: the values that reports, batches and programs are given."""

from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Self

from msgspec import Meta, Struct, field
from msgspec.structs import force_setattr, replace

from kdvision.corrections import SheetPlace, kingdom_name
from kdvision.errors import ExitCode, NoKingdomError, SentenceError, UsageError
from kdvision.reading import (
    UNREPORTED,
    Alternative,
    CellText,
    Colour,
    Doubt,
    DoubtCode,
    ReadDomino,
)
from kdvision.rules.kingdom import Kingdom, Position
from kdvision.rules.legality import Problem, keeps_rules
from kdvision.rules.rules import Centre
from kdvision.rules.scoring import Bonus, ScoreSheet, Territory
from kdvision.sentences import ENGLISH, Sentence, join_sentences

if TYPE_CHECKING:
    from PIL.Image import Image

#: Names the form of the JSON; it changes when a field changes its meaning.
SCHEMA = "kdscore/1"
#: The longer side of an overlay in pixels, if the photo has as many.
OVERLAY_SIDE = 1600

#: Probability of its total below which a kingdom cannot be scored. Below a twentieth, the total and
#: the four alternatives that are named have less than a quarter together: the true total would be
#: none of them three times out of four.
SCORED_FROM = 0.05

#: px. No photo is so large that a kingdom in it lies farther away than this.
_FAR = 1e5
_PixelNumber = Annotated[float, Meta(ge=-_FAR, le=_FAR)]
#: x and y in pixels of the upright photo, from the outer corner of its top left pixel.
Pixel = tuple[_PixelNumber, _PixelNumber]


class Status(StrEnum):
    """How a photo ended."""

    SURE = "sure"
    DOUBTFUL = "doubtful"
    NO_KINGDOM = "no-kingdom"
    UNREADABLE = "unreadable"

    @property
    def exit_code(self) -> ExitCode:
        """The exit code that this status asks for."""
        return ExitCode[self.name]


class ReadSquare(Struct, frozen=True):
    """One place of the kingdom as it was read.

    Attributes:
        at: Its (row, col) in the kingdom.
        text: The cell, as in a kingdom line.
        probability: That it is this cell.
        center: Its middle in pixels (x, y) of the upright photo; None where there is no photo.
        candidates: The cells that it looked most like beside `text`, the likeliest first.
    """

    at: Position
    text: CellText
    probability: float
    center: Pixel | None
    candidates: tuple[CellText, ...] = ()


class KingdomResult(Struct, frozen=True, kw_only=True, dict=True):
    """One kingdom of a photo, scored. `of_sheet` makes one.

    Places are counted in its box, (row, col) from the top left.

    Attributes:
        line: Its kingdom line, trimmed to its bounding box; JSON calls it `kingdom`.
        score: Its total.
        status: Whether the total is sure.
        probability: That the total is right.
        colour: That of the castle; None where it cannot be told.
        colour_probability: That the colour is right; 0 without one.
        alternatives: The further totals that it may have.
        size: The side of the box that the game is played in, 5 or 7.
        corners: Those of its box: top left, top right, bottom right, bottom left, in pixels (x, y)
            of the upright photo; empty without photo.
        squares: The places of its box as they were read; empty without photo.
        territories: Its territories, most points first.
        bonuses: The bonuses, in play or not.
        legal: Whether it keeps the rules; None where nobody can know.
        problems: What it breaks, whatever its score.
        dominoes: The pairs of squares that may be one domino, in reading order; those with a
            probability of 1 are one in every cutting of the kingdom.
        doubts: Why a doubtful total may be wrong, or what is said beside a sure one.
        fixes: The places that settle a doubtful total, in the kingdom or beside it, each with what
            most probably lies there.
        seen: The kingdom line before the deck corrected it; None where both agree.
        origin: The place of the sheet that lies at the top left of the box; corrections that move
            the box leave every place its name.
    """

    line: str = field(name="kingdom")
    score: int
    status: Status
    probability: float
    colour: Colour | None = None
    colour_probability: float = 0.0
    alternatives: tuple[Alternative, ...] = ()
    size: int
    corners: tuple[Pixel, ...] = ()
    squares: tuple[ReadSquare, ...] = ()
    territories: tuple[Territory, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    legal: bool | None = None
    problems: tuple[Problem, ...] = ()
    dominoes: tuple[ReadDomino, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    fixes: tuple[tuple[Position, CellText], ...] = ()
    seen: str | None = None
    origin: SheetPlace = SheetPlace((0, 0))

    @classmethod
    def of_sheet(
        cls, sheet: ScoreSheet, problems: Sequence[Problem] = (), **fields: Any
    ) -> "KingdomResult":
        """Make a result of a score sheet and its problems; `fields` are all other fields."""
        return cls(**_rules_fields(sheet, problems), **fields)

    def with_sheet(self, sheet: ScoreSheet, problems: Sequence[Problem]) -> "KingdomResult":
        """Return the result with another score sheet and its problems."""
        return replace(self, **_rules_fields(sheet, problems))

    @cached_property
    def kingdom(self) -> Kingdom:
        """The kingdom as it was read; `str()` of it is the kingdom line."""
        return Kingdom.parse(self.line)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the kingdom and its score sheet."""
        return self.sheet._repr_html_()

    @cached_property
    def sheet(self) -> ScoreSheet:
        """The score sheet."""
        centres = [bonus.centre for bonus in self.bonuses if bonus.centre]
        centre = (centres or [Centre.BOX])[0]
        return ScoreSheet(self.kingdom, self.size, self.territories, self.bonuses, centre)

    def on_sheet(self, at: Position) -> SheetPlace:
        """Return the place of the sheet for one that is counted in the kingdom's box."""
        return SheetPlace((at[0] + self.origin[0], at[1] + self.origin[1]))

    @property
    def scored(self) -> bool:
        """Whether the total is likely enough to be written down."""
        return self.status is Status.SURE or self.probability >= SCORED_FROM

    @property
    def doubt(self) -> Doubt | None:
        """Why the total is doubtful; None when it is sure."""
        if self.status is Status.SURE:
            return None
        return next(iter(self.doubts), Doubt(DoubtCode.UNCERTAIN_SQUARES))

    @property
    def reason(self) -> str:
        """Why the total is doubtful, in an English sentence; empty when it is sure."""
        if self.doubt is None:
            return ""
        return self.doubt.message

    def __repr__(self) -> str:
        return f"<KingdomResult {self.score}, {self.status.value}, {self.line}>"


def _rules_fields(sheet: ScoreSheet, problems: Sequence[Problem]) -> dict[str, Any]:
    """Return the fields of a `KingdomResult` that come from the rules."""
    return {
        "line": str(sheet.kingdom),
        "score": sheet.total,
        "size": sheet.size,
        "territories": sheet.territories,
        "bonuses": sheet.bonuses,
        "legal": keeps_rules(problems),
        "problems": tuple(problems),
    }


class PhotoResult(Struct, frozen=True, dict=True, tag_field="schema", tag=SCHEMA):
    """What a photo came to.

    Attributes:
        photo: What the photo is called.
        status: How it ended.
        reasons: Why there is doubt or nothing to score, without the name of the photo; empty when
            sure.
        kingdoms: Its kingdoms, in the reading order of their castles.
        size: (width, height) of the upright photo in pixels.
        message: What the reasons say in English; see `why` for other languages.
        left_out: Notes on what else in the photo may be a kingdom, region by region.
    """

    photo: str
    status: Status
    reasons: tuple[Sentence, ...] = ()
    kingdoms: tuple[KingdomResult, ...] = ()
    size: tuple[int, int] = (0, 0)
    message: str = ""
    left_out: tuple[Doubt, ...] = ()

    def __post_init__(self) -> None:
        force_setattr(self, "message", self.why())

    @classmethod
    def of_error(cls, name: str, error: SentenceError) -> Self:
        """Return the result of a photo that is unreadable or shows no kingdom."""
        status = Status.UNREADABLE
        if isinstance(error, NoKingdomError):
            status = Status.NO_KINGDOM
        return cls(name, status, error.reasons)

    @classmethod
    def of_kingdoms(
        cls,
        name: str,
        kingdoms: Sequence[KingdomResult],
        *,
        left_out: Sequence[Doubt] = (),
        count: int | None = None,
        size: tuple[int, int] = (0, 0),
    ) -> Self:
        """Return the result of a photo that shows kingdoms.

        It is in doubt where one of them is, and where something was left out that may be one.

        Args:
            name: The name of the photo.
            kingdoms: Its kingdoms.
            left_out: Notes on what else may be one.
            count: How many kingdoms the photo shows, where a person says so: then nothing else is
                one.
            size: (width, height) of the upright photo in pixels.
        """
        notes: list[Doubt] = []
        if count is not None and count != len(kingdoms):
            fields: dict[str, str | int] = {"found": len(kingdoms), "n": count}
            notes.append(Doubt(DoubtCode.OTHER_COUNT, fields=fields))
        if count != len(kingdoms):
            for note in left_out:
                if note not in notes:
                    notes.append(note)
        doubts = [note for note in notes if note.code in UNREPORTED]
        for kingdom in kingdoms:
            if kingdom.doubt:
                # The first doubt of a kingdom stands for all.
                doubts.insert(0, kingdom.doubt)
                break
        reasons = tuple(dict.fromkeys(doubt.sentence for doubt in doubts))
        status = Status.DOUBTFUL if doubts else Status.SURE
        return cls(name, status, reasons, tuple(kingdoms), size, left_out=tuple(notes))

    def with_source(self, source: Any) -> Self:
        """Keep what the photo can be opened from again, beside the fields; return the result."""
        self.__dict__["source"] = source
        return self

    @property
    def source(self) -> Any:
        """What the photo can be opened from again; None after a copy, or in another process."""
        return self.__dict__.get("source")

    def why(self, language: str = ENGLISH) -> str:
        """Why there is doubt or nothing to score; empty when sure."""
        return join_sentences(self.reasons, language)

    @property
    def misses_kingdoms(self) -> bool:
        """Whether something was left out that may be a kingdom."""
        return any(note.code in UNREPORTED for note in self.left_out)

    @property
    def named(self) -> dict[str, KingdomResult]:
        """The kingdoms by their names: A, B, C."""
        return {kingdom_name(index): kingdom for index, kingdom in enumerate(self.kingdoms)}

    def to_json(self) -> str:
        """Return the object of the photo as JSON (`kdscore/1`), on one line."""
        from kdvision import to_json

        return to_json(self)

    def to_image(self, photo: Any = None, *, side: int = OVERLAY_SIDE) -> "Image":
        """Draw what was read over the photo, as a picture of Pillow.

        Args:
            photo: The photo, as for `score_photo`; None opens the one that was scored.
            side: The longer side in pixels, if the photo has as many.

        Raises:
            UsageError: The photo is not known any more.
            UnreadablePhotoError: It cannot be read any more.
        """
        from PIL.Image import fromarray

        from kdvision import draw_overlay

        if photo is None:
            photo = self.source
        if photo is None:
            raise UsageError(
                "This result does not know its photo.", "Give it: result.to_image(photo)."
            )
        return fromarray(draw_overlay(photo, self, side=side))

    def __repr__(self) -> str:
        scores = ", ".join(str(kingdom.score) for kingdom in self.kingdoms) or "no kingdom"
        return f"<PhotoResult {self.photo!r}: {scores}, {self.status.value}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the overlay, where the photo is at hand, and the sheets."""
        from kdvision import to_html

        return to_html(self)


def check_result(result: object) -> PhotoResult:
    """Return a result; for anything else raise the UsageError that says so."""
    if not isinstance(result, PhotoResult):
        raise UsageError(f"{type(result).__name__} is no result.", "Give what score_photo gave.")
    return result
