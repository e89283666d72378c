"""Hand counts that are wrong, each by one mistake."""

from kdvision.rules.scoring import ScoreSheet
from kdvision.tournament.mistakes import Explanation, Mistake, list_mistakes

#: Mistakes of writing a total down, not of counting.
WRITING = {mistake for mistake in Mistake if mistake.startswith("digit")}


def wrong_claims(sheets: list[ScoreSheet]) -> list[tuple[int, Explanation]]:
    """Two wrong claims for each kind of mistake, on kingdoms of their own: those that cost most."""
    used: set[int] = set()
    claims: list[tuple[int, Explanation]] = []
    for kind in Mistake:
        made = [
            (number, mistake)
            for number, sheet in enumerate(sheets)
            for mistake in list_mistakes(sheet)
            if mistake.mistake is kind
        ]
        made.sort(key=lambda claim: -abs(claim[1].difference))
        for number, mistake in made:
            if number not in used and sum(claim.mistake is kind for _, claim in claims) < 2:
                used.add(number)
                claims.append((number, mistake))
    return claims
