"""Results made by hand, for the tests of reports and of the command line."""

from msgspec.structs import replace

from kdvision.reading import Alternative, Doubt, DoubtCode
from kdvision.result import KingdomResult, PhotoResult, ReadSquare, Status
from kdvision.rules.kingdom import Kingdom, Position, cell_text
from kdvision.rules.legality import problems
from kdvision.rules.rules import Centre, Rules
from kdvision.rules.scoring import score
from kdvision.sentences import Sentence

#: The worked example of the publisher, 23 points (RULES 2.5).
EXAMPLE = "C W1 G G G/W W G2 - -/S L1 L F -/S L L L1 -/M2 - - - -"
#: A full 5x5 with the castle in its centre: both bonuses are earned (RULES 6).
FULL = "M2 M2 S S2 S/W M2 S W W1/W1 M C W1 G/W M3 M1 W1 F/W W W W1 L"
FULL_TOTAL = 123

CORNERS = ((120.0, 80.0), (620.0, 95.0), (600.0, 560.0), (100.0, 540.0))


def plain(text: str) -> tuple[Sentence, ...]:
    """The reasons of a photo for which one text stands; none for an empty one."""
    return (Sentence.plain(text),) if text else ()


def read_kingdom(
    line: str = EXAMPLE,
    status: Status = Status.SURE,
    probability: float = 0.996,
    *,
    alternatives: tuple[Alternative, ...] = (),
    unsure: dict[Position, float] | None = None,
    harmony: bool = False,
    middle_kingdom: bool = False,
    doubts: tuple[DoubtCode, ...] = (),
    seen: str | None = None,
    corners: tuple[tuple[float, float], ...] = CORNERS,
    origin: Position = (0, 0),
    centre: Centre = Centre.BOX,
) -> KingdomResult:
    """A kingdom that was read from a photo."""
    kingdom = Kingdom.parse(line)
    sheet = score(kingdom, Rules(None, harmony, middle_kingdom, centre))
    squares = tuple(
        ReadSquare(at, cell_text(cell), (unsure or {}).get(at, 0.99), (10.0 * at[1], 20.0 * at[0]))
        for at, cell in kingdom.cells()
    )
    return KingdomResult.of_sheet(
        sheet,
        problems(kingdom, sheet.size, origin=origin),
        status=status,
        probability=probability,
        squares=squares,
        corners=corners,
        alternatives=alternatives,
        doubts=tuple(map(Doubt, doubts)),
        seen=seen,
        origin=origin,
    )


DARK = Doubt(DoubtCode.DARK)
#: 23, or 28 if the lake at b3 has two crowns.
DOUBTFUL = read_kingdom(
    status=Status.DOUBTFUL,
    probability=0.81,
    alternatives=(
        Alternative(28, 0.123, (((2, 1), "L2"),)),
        Alternative(22, 0.04, (((2, 3), "-"), ((4, 0), "M1"))),
        Alternative(20, 0.004, (((0, 1), "W"),)),
    ),
    unsure={(3, 3): 0.6},
)
PHOTO = PhotoResult("table.jpg", Status.SURE, (), (read_kingdom(),), (800, 600))
DOUBTFUL_PHOTO = PhotoResult(
    "dark.jpg", Status.DOUBTFUL, (DARK.sentence,), (replace(DOUBTFUL, doubts=(DARK,)),), (800, 600)
)
TWO_KINGDOMS = PhotoResult(
    "two.jpg",
    Status.DOUBTFUL,
    (DARK.sentence,),
    (read_kingdom("C F1 W", corners=((10, 10), (160, 10), (160, 60), (10, 60))), DOUBTFUL),
    (800, 600),
)
ILLEGAL = PhotoResult("odd.jpg", Status.SURE, (), (read_kingdom("C W1 G G"),), (800, 600))
NOTHING = PhotoResult(
    "empty.jpg", Status.NO_KINGDOM, plain("No kingdom was found."), (), (800, 600)
)
