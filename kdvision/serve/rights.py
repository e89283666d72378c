"""Who may say what of a game: at a family's table everybody, in a tournament the organiser."""

from starlette.requests import Request

from kdvision.serve.evening import GameView
from kdvision.serve.evenings import Evenings
from kdvision.serve.guard import check_game, device_of, viewer_of
from kdvision.serve.log import Accepted, AnySaid, Claimed, Named, RulesChosen
from kdvision.serve.refusals import Refusal


def check_right(request: Request, view: GameView, said: AnySaid, *, own: bool = False) -> None:
    """See that a request may say something of a game, or take it back.

    Args:
        request: The request.
        view: The game.
        said: What is said or taken back.
        own: Whether the same phone said it, where it is taken back.

    Raises:
        Refusal: 403 for what only the organiser may say, and for games of others; 409 for names
            that the sheet has, and for claims once totals are out.
    """
    check_game(request, view.game.id)
    if view.game.place is None:
        return
    if isinstance(said, Named):
        raise Refusal(409, "sheet-names")
    if viewer_of(request).is_organiser:
        return
    if isinstance(said, Claimed) and not view.waits_for_claims:
        raise Refusal(409, "claim-stands")
    if isinstance(said, RulesChosen):
        raise Refusal(403, "organiser-only")
    if isinstance(said, Accepted) and not own:
        # A table accepts what its own photo shows for sure.
        verdict = view.seats[said.colour].verdict
        if not verdict.is_sure or said.total != verdict.score:
            raise Refusal(403, "organiser-only")


def say(request: Request, evenings: Evenings, game: str, *said: AnySaid) -> list[int]:
    """Say something of a game, as far as a request may; return the ids of its entries.

    Raises:
        Refusal: As `check_right`; nothing is said then.
    """
    entries = []
    with evenings.changing():
        for each in said:
            check_right(request, evenings.game(game), each)
            entries += evenings.say(game, each, device_of(request))
    return entries
