"""Which photos show the same kingdoms, and which of their kingdoms is which."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from kdvision.photo.photo import Photo
from kdvision.pipeline.evidence import (
    KingdomEvidence,
    Moment,
    PhotoEvidence,
    evidence_of,
    laid_on,
    merged,
    names_of,
)
from kdvision.pipeline.reader import Seen, Sight
from kdvision.pipeline.trust import Trust
from kdvision.reading import Doubt, DoubtCode
from kdvision.result import NAMES_BETWEEN


class PhotoTable(Struct, frozen=True, eq=False):
    """Kingdoms of photos that fit together, each with all that these show of it."""

    kingdoms: tuple[KingdomEvidence, ...]
    photos: tuple[str, ...]

    def with_photo(self, name: str, shown: Sequence[PhotoEvidence]) -> "PhotoTable | None":
        """The table with the kingdoms of one more photo; None where the photo does not fit.

        Kingdoms may be missing in the photo, or be new in it. Where both are so, they may be the
        same, seen differently.
        """
        overlays = [
            (overlay, index, number)
            for index, known in enumerate(self.kingdoms)
            for number, one in enumerate(shown)
            if (overlay := laid_on(known, one)) is not None and overlay.is_like
        ]
        joined, missing = list(self.kingdoms), {*range(len(self.kingdoms))}
        new = [*range(len(shown))]
        for overlay, index, number in sorted(overlays, key=lambda one: -one[0].gain):
            if index not in missing or number not in new:
                continue
            if not overlay.is_same:
                return None
            joined[index] = joined[index].with_photo(overlay)
            missing.remove(index)
            new.remove(number)
        if len(missing) == len(joined) or (missing and new):
            return None
        more = (KingdomEvidence((shown[number],)) for number in new)
        return PhotoTable((*joined, *more), (*self.photos, name))


def tables_of(
    photos: Mapping[str, Photo], sights: Mapping[str, Sight], trust: Trust
) -> list[PhotoTable]:
    """Lay the kingdoms of several photos on each other.

    Args:
        photos: By their names.
        sights: The kingdoms that they show.
        trust: Tells what the signs of a photo cost.

    Returns:
        One table where the photos show the same kingdoms, in whatever order they are given. A photo
        that contradicts all before, or shows none of their kingdoms, begins a table of its own.
    """
    sizes = {name: (photo.width, photo.height) for name, photo in photos.items()}
    waiting = {
        name: [evidence_of(name, sizes[name], one, trust) for one in sight.kingdoms]
        for name, sight in sights.items()
    }
    tables: list[PhotoTable] = []
    while waiting:
        first = next(iter(waiting))
        table = PhotoTable(tuple(KingdomEvidence((one,)) for one in waiting.pop(first)), (first,))
        photos_before = 0
        while photos_before < len(table.photos):  # what joins it may lead to others
            photos_before = len(table.photos)
            for name in [*waiting]:
                joined = table.with_photo(name, waiting[name])
                if joined is not None:
                    table = joined
                    del waiting[name]
        tables.append(table)
    return tables


def with_growth(tables: Sequence[PhotoTable]) -> PhotoTable:
    """The first of several tables with what the others show of its kingdoms at other moments."""
    table, *others = tables
    kingdoms, photos = [], [*table.photos]
    for known in table.kingdoms:
        joined = known
        for photo in (photo for other in others for one in other.kingdoms for photo in one.photos):
            overlays = [laid_on(known, photo, moment) for moment in Moment]
            fitting = [one for one in overlays if one is not None and one.is_same]
            if fitting and photo.photo not in {one.photo for one in joined.photos}:
                joined = joined.with_photo(max(fitting, key=lambda one: one.gain))
        photos += [one.photo for one in joined.photos if one.photo not in photos]
        kingdoms.append(joined)
    return PhotoTable(tuple(kingdoms), tuple(photos))


def readings_of(tables: Sequence[PhotoTable], blank: Sequence[str]) -> list[list[Seen]]:
    """The merged readings of every table, with what is to be said of the photos.

    Args:
        tables: As from `tables_of`.
        blank: The names of photos that show no kingdom.
    """
    said = [Doubt(DoubtCode.PHOTO_WITHOUT_KINGDOM, fields={"photo": name}) for name in blank]
    if len(tables) > 1:
        fields = {"photos": names_of(NAMES_BETWEEN.join(table.photos) for table in tables)}
        said.append(Doubt(DoubtCode.PHOTOS_DIFFER, 1 / len(tables), fields=fields))
    return [[merged(kingdom, said) for kingdom in table.kingdoms] for table in tables]
