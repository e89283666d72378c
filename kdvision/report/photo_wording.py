"""What is said of a whole photo, where it shows several kingdoms."""

from kdvision.reading import LEFT_OUT
from kdvision.report.wording import kingdom_names, total_text
from kdvision.result import KingdomResult, PhotoResult, Status


def closing_line(result: PhotoResult) -> str:
    """All totals of a photo with several kingdoms: `Totals: A 24, B 38 (not sure)`."""
    if len(result.kingdoms) < 2:
        return ""
    parts = [
        f"{name} {total_text(one) if one.scored else 'cannot be scored'}"
        f"{' (not sure)' if one.scored and one.status is not Status.SURE else ''}"
        for name, one in zip(kingdom_names(result), result.kingdoms, strict=True)
    ]
    return f"Totals: {', '.join(parts)}"


def message_of(photo: PhotoResult, result: KingdomResult) -> str:
    """Why a kingdom of a photo is doubtful, in a sentence."""
    return photo.message if len(photo.kingdoms) == 1 else result.reason


def photo_notes(photo: PhotoResult) -> list[str]:
    """What is said once of a photo with several kingdoms: what no sheet of them says."""
    if len(photo.kingdoms) < 2:
        return []
    left_out = {
        warning.message
        for kingdom in photo.kingdoms
        for warning in kingdom.warnings
        if warning.code in LEFT_OUT
    }
    rest = photo.message
    for sentence in (*left_out, *(kingdom.reason for kingdom in photo.kingdoms)):
        rest = rest.replace(sentence, "") if sentence else rest
    return [*([rest.strip()] if rest.strip() else []), *sorted(left_out)]
