"""What a kingdom could still reach, as text or JSON."""

import json

from kdvision.errors import UsageError
from kdvision.rules.game.best import best_end
from kdvision.rules.scoring import ScoreSheet

#: Names the form of the JSON; it changes when a field changes its meaning.
SCHEMA = "kdscore-best/1"


def best_report(sheet: ScoreSheet, *, as_json: bool = False) -> str:
    """The most that a kingdom could still reach with the dominoes of the box that it has not used.

    Raises:
        UsageError: The kingdom cannot be laid further: it is no kingdom of the box, or too large.
    """
    try:
        found = best_end(
            sheet.kingdom,
            sheet.size,
            harmony=sheet.harmony.counted,
            middle_kingdom=sheet.middle_kingdom.counted,
            centre=sheet.centre,
        )
    except ValueError as error:
        raise UsageError(
            f"What the kingdom could reach cannot be computed: {error}", "Correct its squares."
        ) from None
    if as_json:
        return json.dumps(
            {
                "schema": SCHEMA,
                "kingdom": str(found.kingdom),
                "score": found.total,
                "dominoes": found.dominoes,
                "exact": found.exact,
            }
        )
    laid = "1 more domino" if found.dominoes == 1 else f"{found.dominoes} more dominoes"
    how = "The most that it can reach" if found.exact else "It can reach at least"
    return f"{how}: {found.total} points, with {laid}:\n{found.kingdom}\n"
