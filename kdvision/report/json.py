"""Results as JSON (`kdscore/1`), its schema, and back.

One object per photo, on one line. The records below are the form: what is written, what is read
and the schema come from them. `from_json` rebuilds a result that makes the same report;
probabilities are rounded to six digits and pixels to two.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal, Self, TypeAlias, cast

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from kdvision.errors import UsageError
from kdvision.reading import Alternative, Colour, Doubt, DoubtCode, ReadDomino
from kdvision.report.wording import corrections
from kdvision.result import KingdomResult, PhotoResult, ReadSquare, Status, checked_result
from kdvision.rules.kingdom import CASTLE, Kingdom, NotationError, Position, cell_text, parse_cell
from kdvision.rules.legality import Code, Problem, Severity, verdict
from kdvision.rules.scoring import BONUS_CODES, Bonus, Centre, InPlay, ScoreSheet, score
from kdvision.rules.terrain import Square, Terrain
from kdvision.sentences import Sentence, joined, text_of
from kdvision.slips.slip import Mark, Slip, SlipCode

#: Names the form; it changes when a field changes its meaning.
SCHEMA: Literal["kdscore/1"] = "kdscore/1"

Json = dict[str, Any]


def _says(description: str) -> Meta:
    """What the schema says of a field."""
    return Meta(description=description)


Count: TypeAlias = Annotated[int, Meta(ge=0)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Face: TypeAlias = Literal[
    "wheat", "forest", "lake", "grassland", "swamp", "mine", "castle", "empty"
]
SureOrDoubtful: TypeAlias = Literal["sure", "doubtful"]
Size: TypeAlias = Literal[5, 7]
Cell: TypeAlias = Annotated[
    Position, _says("row and column from the top left of the kingdom, counted from 0")
]
Pixel: TypeAlias = Annotated[
    tuple[float, float],
    Meta(
        description="x and y in pixels of the upright photo, from the outer corner of its top "
        "left pixel"
    ),
]


class SquareObject(Struct, kw_only=True):
    """What lies, or would have to lie, on a place."""

    row: int
    col: int
    terrain: Face
    crowns: Annotated[int, Meta(ge=0, le=3)]

    @classmethod
    def of(cls, place: Position, text: str, **more: Any) -> Self:
        """The object of a place and its cell text; `more` are fields of a subclass."""
        cell = parse_cell(text)
        face: tuple[Any, int] = ("castle" if cell is CASTLE else "empty", 0)
        if isinstance(cell, Square):
            face = cell.terrain.value, cell.crowns
        return cls(row=place[0], col=place[1], terrain=face[0], crowns=face[1], **more)

    def read(self) -> tuple[Position, str]:
        """The place, and what lies there as in a kingdom line."""
        others = {"castle": str(CASTLE), "empty": cell_text(None)}
        text = others.get(self.terrain) or str(Square(Terrain(self.terrain), self.crowns))
        return (self.row, self.col), _checked(text)


class ReadSquareObject(SquareObject, kw_only=True):
    """One place of the kingdom as it was read."""

    probability: Share
    center: Pixel | None
    others: Annotated[
        tuple[str, ...],
        Meta(
            description="What the place looked most like beside this, the likeliest first, as in "
            "a kingdom line"
        ),
    ] = ()


class AlternativeObject(Struct):
    """Another score, no likelier than that of the kingdom."""

    score: Count
    probability: Share
    squares: Annotated[tuple[SquareObject, ...], _says("What would have to lie there instead")]


class TerritoryObject(Struct):
    """Squares of one terrain that are joined by edges."""

    terrain: Terrain
    squares: Count
    crowns: Count
    points: Count
    cells: tuple[Cell, ...]


class BonusObject(Struct, kw_only=True):
    """A bonus of a variant."""

    earned: Annotated[bool, _says("Whether the kingdom earns it")]
    points: Annotated[
        Count, _says("What it adds to the score: 0 where it is not in play or earned")
    ]
    worth: Annotated[Count, _says("What it pays where it is in play and earned")] = 0
    counted: Annotated[bool, _says("Whether it is in play")]
    note: Annotated[str, _says("Why it is earned or not")]
    centre: Annotated[
        Centre | UnsetType,
        _says("What the castle must be the centre of, where that is not the box"),
    ] = UNSET

    @classmethod
    def of(cls, bonus: Bonus) -> Self:
        """The object of a bonus."""
        return cls(
            earned=bonus.earned,
            points=bonus.counted_points,
            worth=bonus.points,
            counted=bonus.counted,
            note=text_of(bonus),
            centre=bonus.centre if bonus.centre is Centre.FRAME else UNSET,
        )


class ProblemObject(Struct):
    """One thing that the kingdom breaks."""

    code: str
    severity: Severity
    message: str
    cells: tuple[Cell, ...]
    fields: Annotated[
        dict[str, str | int], _says("What its sentence is filled with, in any language")
    ] = {}
    variant: Annotated[str, _says("Which of the sentences of its code is meant")] = ""

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """The object of a problem."""
        own = {"code": problem.code.value, "fields": dict(problem.fields)}
        return cls(**_shared(problem, cls) | own | {"message": text_of(problem)})

    def read(self) -> Problem:
        """The problem; where its fields do not give its sentence, with the sentence as it is."""
        told = Problem(Code(self.code), self.cells, self.fields, self.variant)
        with suppress(KeyError, RecursionError):
            if text_of(told) == self.message:
                return told
        return Problem(told.code, told.cells, {"sentence": self.message})


class DoubtObject(Struct):
    """A warning as a program reads it: its kind, what its sentence names, and where."""

    code: str
    fields: dict[str, str | int]
    cells: tuple[Cell, ...]


class SlipObject(Struct, kw_only=True):
    """A slip of paper in the photo; its numbers have names in the event's file."""

    event: str
    round: Count
    table: Count
    player: Count
    claimed: Annotated[Count | None, _says("The total that is marked; null where unclear")]
    bonuses: Annotated[tuple[str, ...], _says("The bonuses marked as in play")] = ()
    marks: Annotated[tuple[Mark, ...], _says("The marked bubbles; those of bonuses have digit 1")]
    unclear: Annotated[str, _says("Why the total is unclear, by the code of a sentence")] = ""
    place: Annotated[str, _says("The column that is unclear")] = ""
    probability: Annotated[Share, _says("That the marks are those that were made")]
    corners: Annotated[tuple[Pixel, ...], _says("Clockwise from the corner above the name")]
    code_px: Annotated[float, _says("Side of the code in pixels")] = 0.0
    kingdom: Annotated[int | None, _says("Index of the kingdom beside it; null for none")] = None
    kingdom_is_sure: Annotated[bool, _says("False where another may be its kingdom")] = True

    @classmethod
    def of(cls, slip: Slip) -> Self:
        """The object of a slip."""
        return cls(**_shared(slip, cls), **msgspec.structs.asdict(slip.code))

    def read(self) -> Slip:
        """The slip."""
        code = SlipCode(self.event, self.round, self.table, self.player)
        return Slip(code=code, **_shared(self, Slip))


class KingdomObject(Struct, kw_only=True):
    """One kingdom of the photo, scored."""

    kingdom: Annotated[str, _says("The kingdom line: C W1 G/W W -")]
    score: Annotated[Count, _says("The total: the points of all territories and bonuses")]
    scored: Annotated[bool, _says("False where no total is likely enough to be named")] = True
    status: SureOrDoubtful
    probability: Annotated[Share, _says("That the score is right")]
    alternatives: tuple[AlternativeObject, ...]
    size: Size
    corners: Annotated[
        tuple[Pixel, ...],
        Meta(
            max_length=4, description="Of its box, clockwise from the top left; none without photo"
        ),
    ]
    colour: Annotated[Colour | None, _says("Of its castle; null where it cannot be told")] = None
    colour_probability: Annotated[Share, _says("That the colour is right")] = 0.0
    origin: Annotated[Position, _says("How the top left place is named: [0, -1] is z1")] = (0, 0)
    squares: tuple[ReadSquareObject, ...]
    territories: tuple[TerritoryObject, ...]
    bonuses: Annotated[
        dict[str, BonusObject],
        Meta(
            description="The bonuses by option, in play or not",
            extra_json_schema={"required": [*BONUS_CODES]},
        ),
    ]
    legal: Annotated[bool | None, _says("Whether it keeps the rules; null where nobody can know")]
    problems: tuple[ProblemObject, ...]
    dominoes: Annotated[tuple[ReadDomino, ...], _says("What is or may be one domino")] = ()
    warnings: Annotated[tuple[str, ...], _says("What to know of the reading")] = ()
    warning_codes: Annotated[tuple[str, ...], _says("The kind of each warning")] = ()
    doubts: Annotated[tuple[DoubtObject, ...], _says("The warnings, for any language")] = ()
    seen: Annotated[str | None, _says("The line before the deck corrected it, if it did")] = None
    corrections: Annotated[tuple[str, ...], _says("What the deck corrected")] = ()
    slip: Annotated[SlipObject | None, _says("The slip beside it; null if none")] = None


class PhotoObject(Struct, kw_only=True):
    """What kdscore --json prints of one photo. Readers ignore fields that they do not know."""

    schema: Literal["kdscore/1"]
    photo: Annotated[str, _says("The name of the photo as it was given")]
    photo_size: Annotated[tuple[Count, Count], _says("Upright, in pixels: width, height")] = (0, 0)
    status: Status
    message: Annotated[str, _says("Why there is doubt or nothing to score; empty when sure")]
    reasons: Annotated[tuple[Sentence, ...], _says("The message, for any language")] = ()
    kingdoms: Annotated[tuple[KingdomObject, ...], _says("By their castles: A, B, C")]
    slips: Annotated[tuple[SlipObject, ...], _says("The slips of paper in the photo")] = ()


def schema() -> Json:
    """The JSON Schema of the object of one photo."""
    _, parts = msgspec.json.schema_components([PhotoObject], ref_template="#/$defs/{name}")
    form = {**parts.pop(PhotoObject.__name__), "title": SCHEMA, "$defs": parts}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **form}


# ---------------------------------------------------------------------- writing


def to_json(result: PhotoResult) -> str:
    """The object of one photo, on one line and in ASCII.

    Raises:
        UsageError: It is no result.
    """
    return json.dumps(to_object(checked_result(result)))


def to_object(result: PhotoResult) -> Json:
    """The object of one photo, as dictionaries and lists."""
    photo = PhotoObject(
        **_shared(result, PhotoObject)
        | {
            "schema": SCHEMA,
            "photo_size": result.size,
            "kingdoms": tuple(
                _kingdom_object(kingdom, result.slip_of(index))
                for index, kingdom in enumerate(result.kingdoms)
            ),
            "slips": tuple(map(SlipObject.of, result.slips)),
        }
    )
    return dict(_rounded(msgspec.to_builtins(photo)))


def _shared(record: object, kind: type[Struct]) -> dict[str, Any]:
    """The values of a record for the fields of that name of another kind of record."""
    names = (name for name in kind.__struct_fields__ if hasattr(record, name))
    return {name: getattr(record, name) for name in names}


def _kingdom_object(result: KingdomResult, slip: Slip | None) -> KingdomObject:
    own = {
        "kingdom": str(result.kingdom),
        "alternatives": tuple(
            AlternativeObject(
                one.score, one.probability, tuple(SquareObject.of(*at) for at in one.squares)
            )
            for one in result.alternatives
        ),
        "squares": tuple(_square_object(one) for one in result.squares),
        "territories": msgspec.convert(
            result.territories, tuple[TerritoryObject, ...], from_attributes=True
        ),
        "bonuses": {bonus.code: BonusObject.of(bonus) for bonus in result.sheet.bonuses},
        "legal": verdict(result.problems),
        "problems": tuple(map(ProblemObject.of, result.problems)),
        "warnings": tuple(one.message for one in result.warnings),
        "warning_codes": tuple(one.code.value for one in result.warnings),
        "doubts": tuple(
            DoubtObject(one.code.value, dict(one.fields), one.cells) for one in result.warnings
        ),
        "corrections": tuple(corrections(result)),
        "slip": SlipObject.of(slip) if slip else None,
    }
    return KingdomObject(**_shared(result, KingdomObject) | own)


def _square_object(square: ReadSquare) -> ReadSquareObject:
    return ReadSquareObject.of(square.at, square.text, **_shared(square, ReadSquareObject))


def _rounded(data: Any, digits: int = 6) -> Any:
    """Builtins with their numbers rounded."""
    if isinstance(data, dict):
        pixels = ("corners", "center")
        return {name: _rounded(one, 2 if name in pixels else 6) for name, one in data.items()}
    if isinstance(data, list | tuple):
        return [_rounded(one, digits) for one in data]
    return round(data, digits) if isinstance(data, float) else data


# ---------------------------------------------------------------------- reading


def from_json(text: str) -> list[PhotoResult]:
    """Rebuild results from their objects, one after the other, on a line each or not.

    Raises:
        UsageError: The text is not of this form.
    """
    if not isinstance(text, str):
        raise _wrong(f"it is {type(text).__name__}, and no text")
    decoder = json.JSONDecoder()
    results, at = [], 0
    text = text.strip()
    while at < len(text):
        try:
            data, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise _wrong(f"it is no JSON ({error})") from None
        results.append(from_object(data))
        while text[at : at + 1].isspace():
            at += 1
    return results


def from_object(data: Any) -> PhotoResult:
    """Rebuild a result from dictionaries and lists.

    Raises:
        UsageError: They are not of this form.
    """
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise _wrong(f'its "schema" is not "{SCHEMA}"')
    try:
        photo = msgspec.convert(data, PhotoObject)
        kingdoms = tuple(_kingdom_result(kingdom) for kingdom in photo.kingdoms)
        own = {
            "kingdoms": kingdoms,
            "reasons": _reasons(photo, kingdoms),
            "size": photo.photo_size,
            "slips": tuple(slip.read() for slip in photo.slips),
        }
        if any(slip.kingdom not in (None, *range(len(kingdoms))) for slip in photo.slips):
            raise ValueError("a slip lies beside a kingdom that is not there")
        return PhotoResult(**_shared(photo, PhotoResult) | own)
    except (NotationError, ValueError) as error:
        raise _wrong(str(error).rstrip(".")) from None


def _reasons(photo: PhotoObject, kingdoms: Sequence[KingdomResult]) -> tuple[Sentence, ...]:
    """Why there is doubt: as it was written, or, as version 1.0.0 wrote text, what kingdoms say."""
    if photo.reasons and _can_say(*photo.reasons):
        return photo.reasons
    told = (doubt for one in kingdoms for doubt in (one.doubt, *one.warnings) if doubt)
    doubts = {doubt.message: doubt for doubt in told}
    said = sorted((text for text in doubts if text in photo.message), key=photo.message.index)
    if said and " ".join(said) == photo.message:
        return tuple(doubts[text].sentence for text in said)
    return (Sentence.plain(photo.message),) if photo.message else ()


def _can_say(*sentences: Sentence) -> bool:
    with suppress(KeyError, RecursionError):
        return bool(joined(sentences))
    return False


def _wrong(reason: str) -> UsageError:
    shown = "".join(letter for letter in reason if letter.isprintable())[:200]
    return UsageError(
        f"This is no result of kdscore: {shown}.", "Give one line that kdscore --json printed."
    )


def _kingdom_result(data: KingdomObject) -> KingdomResult:
    own = {
        "sheet": _sheet(data),
        "status": Status(data.status),
        "squares": tuple(
            ReadSquare(
                *one.read(),
                probability=one.probability,
                center=one.center,
                others=tuple(map(_checked, one.others)),
            )
            for one in data.squares
        ),
        "alternatives": tuple(
            Alternative(one.score, one.probability, tuple(square.read() for square in one.squares))
            for one in data.alternatives
        ),
        "warnings": tuple(_warnings(data)),
        "seen": None if data.seen is None else str(Kingdom.parse(data.seen)),
        "problems": tuple(problem.read() for problem in data.problems),
    }
    return KingdomResult(**_shared(data, KingdomResult) | own)


def _sheet(data: KingdomObject) -> ScoreSheet:
    """The kingdom scored again by its rules."""
    counted = {code: one.counted for code, one in data.bonuses.items() if code in BONUS_CODES}
    centres = (bonus.centre for bonus in data.bonuses.values() if bonus.centre)
    centre = next(centres, Centre.BOX)
    in_play = cast(InPlay, {**counted, "centre": centre})
    return score(Kingdom.parse(data.kingdom), data.size, **in_play)


def _checked(text: str) -> str:
    """A cell as a kingdom line writes it."""
    return cell_text(parse_cell(text))


def _warnings(data: KingdomObject) -> Iterator[Doubt]:
    """The warnings: by code and fields, else, as kdscore once wrote them, as sentences."""
    if data.doubts:
        pairs = zip(data.doubts, data.warnings, strict=True)
        yield from (_doubt(one, said) for one, said in pairs)
        return
    codes = data.warning_codes or (DoubtCode.SENTENCE,) * len(data.warnings)
    for said, code in zip(data.warnings, codes, strict=True):
        yield _doubt(DoubtObject(code, {"sentence": said}, ()), said)


def _doubt(data: DoubtObject, said: str) -> Doubt:
    """A warning; where its fields do not give a sentence, with the sentence that it had."""
    known = DoubtCode(data.code) if data.code in set(DoubtCode) else DoubtCode.SENTENCE
    doubt = Doubt(known, cells=data.cells, fields=data.fields)
    return doubt if _can_say(doubt.sentence) else replace(doubt, fields={"sentence": said})
