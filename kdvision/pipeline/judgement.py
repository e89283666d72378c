"""The stage of judging: what is reported of a kingdom, and whether its total is sure.

The photo decides what is doubted. A doubt about places ends when a person has given every one of
them, and not before; after that the total is sure, whatever the box says.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import FixPlace, SheetPlace, kingdom_name, locate_fixes
from kdvision.decoding.posterior import Decoded
from kdvision.pipeline.corrections import correct, is_of_the_box
from kdvision.pipeline.decoded import DecodedKingdom
from kdvision.pipeline.suggestions import find_unclear
from kdvision.pipeline.trust import PIPELINE, Trust
from kdvision.reading import BOX_DOUBTS, Doubt, DoubtCode, open_doubts
from kdvision.rules.kingdom import neighbours
from kdvision.rules.rules import Rules


class Assessment(Struct, frozen=True):
    """How far the total of a kingdom can be trusted.

    Attributes:
        decoded: The kingdom, with the probability that its total is right.
        sure: Whether the total is sure.
        doubts: Why it is not, or what is said beside it, by places of the sheet.
        suggested: Places that a person has to give for a sure total; none where it is sure, and
            where only another photo helps.
    """

    decoded: Decoded
    sure: bool
    doubts: tuple[Doubt, ...] = ()
    suggested: tuple[SheetPlace, ...] = ()


def judge_kingdoms(
    kingdoms: Sequence[DecodedKingdom],
    fixes: Mapping[FixPlace, str],
    rules: Rules,
    trust: Trust,
    photo: str,
) -> list[tuple[DecodedKingdom, Assessment]]:
    """Correct and assess the kingdoms of one photo.

    Args:
        kingdoms: As they are decoded.
        fixes: What a person says of their places, or of places beside them.
        rules: What the game is played by.
        trust: How far a total can be trusted.
        photo: The name of the photo, for messages.

    Raises:
        UsageError: A fix names no place, or could be in any of several kingdoms.
    """
    plain = [assess(kingdom, rules, trust) for kingdom in kingdoms]
    if not fixes:
        return list(zip(kingdoms, plain, strict=True))
    given = locate_fixes(fixes, [kingdom.trimmed for kingdom in kingdoms], photo)
    judged = []
    for index, corrected in enumerate(correct(kingdoms, given, rules)):
        name = kingdom_name(index) if len(kingdoms) > 1 else ""
        assessed = reassess(kingdoms[index], plain[index], corrected, rules, trust, name)
        judged.append((corrected, assessed))
    return judged


def assess(kingdom: DecodedKingdom, rules: Rules, trust: Trust) -> Assessment:
    """Assess a kingdom as the photo shows it, before a person has said anything.

    Args:
        kingdom: The kingdom.
        rules: What the game is played by.
        trust: How far a total can be trusted.
    """
    doubts = kingdom.doubts
    decoded = trust.apply(kingdom.decoded, doubts)
    named = trust.name(doubts, doubtful=False)
    if decoded.probability >= trust.sure_from and not _places_of(named):
        return Assessment(decoded, True, tuple(named))
    return _ask(kingdom, decoded, rules, trust)


def _ask(kingdom: DecodedKingdom, decoded: Decoded, rules: Rules, trust: Trust) -> Assessment:
    """Assess a doubtful kingdom: with the places that settle it, where there are such."""
    doubts = kingdom.doubts
    named = trust.name(doubts, doubtful=True)
    # Places settle nothing where a doubt is about the photo as a whole.
    unclear = None
    if not any(map(_is_about_the_photo, named)):
        unclear = find_unclear(kingdom, doubts, _places_of(named), trust, rules)
    if unclear is None:
        named = named or [Doubt(DoubtCode.UNCERTAIN_SQUARES)]
        return Assessment(decoded, False, tuple(named))
    # Once these places are given it does not matter that some kingdoms were not tried.
    named = [doubt for doubt in named if doubt.code is not DoubtCode.NOT_ALL_TRIED]
    if unclear:
        named.append(Doubt(DoubtCode.UNCERTAIN_SQUARES, float(len(unclear)), unclear))
    return Assessment(decoded, False, tuple(named), tuple(sorted(_places_of(named))))


def _is_about_the_photo(doubt: Doubt) -> bool:
    """Return whether a doubt is about no place, so that only another photo settles it."""
    return not doubt.places and doubt.code is not DoubtCode.NOT_ALL_TRIED


def _places_of(doubts: Iterable[Doubt]) -> frozenset[SheetPlace]:
    """Return the places of the sheet that doubts are about."""
    places: set[SheetPlace] = set()
    for doubt in doubts:
        places.update(map(SheetPlace, doubt.places))
    return frozenset(places)


# ---------------------------------------------------------------------- what a person gave


def reassess(
    plain: DecodedKingdom,
    before: Assessment,
    kingdom: DecodedKingdom,
    rules: Rules,
    trust: Trust,
    name: str = "",
) -> Assessment:
    """Assess a kingdom of which a person has given squares.

    Args:
        plain: The kingdom as the photo shows it.
        before: How it was assessed.
        kingdom: The kingdom with the squares that are given, here or in a kingdom beside it.
        rules: What the game is played by.
        trust: How far a total can be trusted.
        name: What the kingdom is called, where the photo shows several.
    """
    # How likely the total is with the squares that are given.
    doubts = kingdom.doubts
    open_share = 1.0
    if not any(map(_is_about_the_photo, trust.name(doubts, doubtful=True))):
        open_share = plain.measure_open_share(kingdom.correction.keys())
    decoded = trust.apply(kingdom.decoded, doubts, open_share)
    is_likely = decoded.probability >= trust.sure_from
    # What was sure stays so, unless the box cannot hold these squares or they make it unlikely.
    contradiction = _find_contradiction(plain, before, kingdom, name)
    contradictions = [] if contradiction is None else [contradiction]
    if before.sure:
        left = open_doubts(contradictions, kingdom.correction)
        if left:
            return Assessment(decoded, False, tuple(left), _line_of(left))
        if contradictions or is_likely:
            return _settled(decoded, before.doubts, trust)
        return _ask(kingdom, decoded, rules, trust)
    # What was doubtful becomes sure once no doubt is left: that squares are unclear, and not
    # which, is none that a person could settle.
    left = open_doubts([*contradictions, *before.doubts], kingdom.correction)
    named = [doubt for doubt in left if doubt.places or not _is_vague(doubt)]
    if not named and (before.suggested or is_likely):
        return _settled(decoded, (), trust)
    if before.suggested and all(doubt.places for doubt in named):
        return Assessment(decoded, False, tuple(left), _line_of(named))
    return Assessment(decoded, False, tuple(left))


def _is_vague(doubt: Doubt) -> bool:
    """Return whether a doubt says no more than that the probability is low."""
    return doubt.code in (DoubtCode.UNCERTAIN_SQUARES, DoubtCode.NOT_ALL_TRIED)


def _line_of(doubts: Sequence[Doubt]) -> tuple[SheetPlace, ...]:
    """Return the places of doubts; none where they are too many to be compared one by one."""
    places = _places_of(doubts)
    if len(places) > PIPELINE.max_suggested:
        return ()
    return tuple(sorted(places))


def _settled(decoded: Decoded, doubts: Sequence[Doubt], trust: Trust) -> Assessment:
    """Assess a kingdom that a person has gone through: it is sure, whatever the box says."""
    probability = max(decoded.probability, trust.sure_from)
    return Assessment(replace(decoded, probability=probability), True, tuple(doubts))


def _find_contradiction(
    plain: DecodedKingdom, before: Assessment, kingdom: DecodedKingdom, name: str
) -> Doubt | None:
    """Return the doubt that comes of squares which a person gave, if the box cannot hold them.

    It is about the squares that were changed although nothing doubted them, and those around. Where
    nothing was changed so, it is what the box says: half a domino is left, or there is too much of
    something together with the kingdoms beside this one.
    """
    if is_of_the_box(kingdom.decoded) or not is_of_the_box(plain.decoded):
        return None
    doubted = _places_of(before.doubts)
    changed = []
    for at, text in sorted(kingdom.correction.items()):
        if at not in doubted and text != plain.text(at):
            changed.append(at)
    if not changed:
        of_the_box = next(doubt for doubt in kingdom.doubts if doubt.code in BOX_DOUBTS)
        # The squares that a person gave may be of another edition; half a domino is of none.
        if kingdom.correction and of_the_box.code is not DoubtCode.NO_BOX:
            return None
        return of_the_box
    places = set(changed)
    for at in changed:
        places.update(filter(kingdom.is_in_box, map(SheetPlace, neighbours(at))))
    texts = [f"{FixPlace(name, at)}={kingdom.correction[at]}" for at in changed]
    fields: dict[str, str | int] = {"fixes": ", ".join(texts)}
    code, weight = DoubtCode.IMPOSSIBLE_CORRECTION, float(len(places))
    return Doubt(code, weight, tuple(sorted(places)), fields)
