"""Results as JSON (`kdscore/1`), one object per photo, and back.

The records are written as they are: `PhotoResult` is the form, and the schema comes from it.
"""

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from kdvision.decoding.cutting_posterior import cutting_posterior, keep_domino_problems
from kdvision.errors import UsageError
from kdvision.reading import Doubt, DoubtCode
from kdvision.result import SCHEMA, KingdomResult, PhotoResult, Status, check_result
from kdvision.rules.kingdom import Kingdom, parse_cell
from kdvision.rules.legality import Code, Severity, problems
from kdvision.rules.rules import DEFAULT_RULES, Centre, Rules
from kdvision.rules.scoring import BONUS_CODES, ScoreSheet, score, territories
from kdvision.sentences import text_of

#: probability. That the total of a typed kingdom which no box holds is right: nobody knows.
_UNKNOWN = 0.5


def schema() -> dict[str, Any]:
    """The JSON Schema of the object of one photo."""
    _, parts = msgspec.json.schema_components([PhotoResult], ref_template="#/$defs/{name}")
    form = {**parts.pop(PhotoResult.__name__), "title": SCHEMA, "$defs": parts}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **form}


def to_json(result: PhotoResult) -> str:
    """The object of one photo, on one line and in ASCII.

    Raises:
        UsageError: It is no result.
    """
    return json.dumps(msgspec.to_builtins(check_result(result)))


def from_json(text: str, rules: Rules = DEFAULT_RULES) -> list[PhotoResult]:
    """Read results from their objects, and score again what a person edited.

    A kingdom of which the line was edited counts as typed.

    Args:
        text: What `to_json` gave.
        rules: Further rules: a size other than None counts, and a bonus is in play where these
            or the object say so.

    Raises:
        UsageError: The text is not of this form.
    """
    if not isinstance(text, str):
        raise _form_error(f"it is {type(text).__name__}, and no text")
    try:
        photos = [msgspec.convert(item, PhotoResult) for item in _split_objects(text)]
        results = [_rescore(photo, rules) for photo in photos]
        for result in results:
            _check_sentences(result)
    except KeyError as error:
        raise _form_error(f"a sentence lacks {error}") from None
    except (ValueError, RecursionError) as error:
        raise _form_error(str(error).rstrip(".")) from None
    return results


def _split_objects(text: str) -> Iterator[Any]:
    """Yield JSON values that stand one after the other, on a line each or not."""
    decoder, at = json.JSONDecoder(), 0
    while rest := text[at:].strip():
        value, length = decoder.raw_decode(rest)
        yield value
        text, at = rest, length


def _check_sentences(result: PhotoResult) -> None:
    """Render what reports will say: a KeyError where a sentence or its fields are unknown."""
    for kingdom in result.kingdoms:
        for problem in kingdom.problems:
            text_of(problem)
        for doubt in kingdom.doubts:
            doubt.text()


def _form_error(reason: str) -> UsageError:
    plain = "".join(letter for letter in reason if letter.isprintable())[:200]
    return UsageError(
        f"This is no result of kdscore: {plain}.", "Give one line that kdscore --json printed."
    )


# ---------------------------------------------------------------------- scored again


def typed_kingdom(sheet: ScoreSheet, rules: Rules) -> KingdomResult:
    """The result of a kingdom that was typed, which is doubtful where no box can hold it."""
    kingdom = sheet.kingdom
    broken = problems(kingdom, rules.size)
    fits_box = not any(
        problem.severity is Severity.MISREAD
        or problem.code in (Code.UNKNOWN_SQUARE, Code.TOO_MANY_OF_A_KIND)
        for problem in broken
    )
    return KingdomResult.of_sheet(
        sheet,
        broken,
        status=Status.SURE if fits_box else Status.DOUBTFUL,
        probability=1.0 if fits_box else _UNKNOWN,
        doubts=() if fits_box else (Doubt(DoubtCode.NOT_OF_THE_BOX),),
        dominoes=cutting_posterior(kingdom).dominoes,
    )


def _rescore(result: PhotoResult, rules: Rules) -> PhotoResult:
    """A result with its kingdoms scored again, where they or the rules are not as they were."""
    kingdoms = [_rescore_kingdom(kingdom, rules) for kingdom in result.kingdoms]
    if tuple(kingdoms) == result.kingdoms:
        return result
    rescored = PhotoResult.of_kingdoms("", kingdoms)
    reasons = rescored.reasons and (result.reasons or rescored.reasons)
    return replace(result, status=rescored.status, reasons=reasons, kingdoms=rescored.kingdoms)


def _rescore_kingdom(before: KingdomResult, further: Rules) -> KingdomResult:
    rules = _choose_rules(before, further)
    if _is_edited(before):
        return typed_kingdom(score(before.kingdom.trimmed(), rules), rules)
    sheet = score(before.kingdom, rules)
    if sheet == before.sheet and sheet.total == before.score:
        return before
    # As sure as it was, by other rules.
    cells = dict(before.kingdom.cells())
    alternatives = []
    for alternative in before.alternatives:
        changed = {at: parse_cell(text) for at, text in alternative.squares}
        total = score(Kingdom.of_cells(cells | changed), rules).total
        alternatives.append(replace(alternative, score=total))
    broken = problems(before.kingdom, rules.size, origin=before.origin)
    rescored = before.with_sheet(sheet, keep_domino_problems(broken, before.problems))
    return replace(rescored, alternatives=tuple(alternatives))


def _choose_rules(before: KingdomResult, rules: Rules) -> Rules:
    """The rules by which a result is scored again; a size that was guessed is guessed again."""
    counted = {bonus.code for bonus in before.bonuses if bonus.counted}
    guessed = any(problem.code is Code.MIGHTY_DUEL_GUESSED for problem in before.problems)
    return dataclasses.replace(
        rules,
        size=rules.size or (None if guessed else before.size),
        **{code: getattr(rules, code) or code in counted for code in BONUS_CODES},
        centre=before.sheet.centre if rules.centre is Centre.BOX else rules.centre,
    )


def _is_edited(before: KingdomResult) -> bool:
    """Whether a person wrote another line than the one that was scored.

    Raises:
        ValueError: It is empty, or squares were changed instead of the line.
    """
    written = {at: cell for at, cell in before.kingdom.cells() if cell is not None}
    squares = {square.at: parse_cell(square.text) for square in before.squares}
    if not written:
        raise ValueError("a kingdom has only empty places")
    if territories(before.kingdom) != before.territories:
        return True
    read = {at: cell for at, cell in squares.items() if cell is not None}
    if squares and read != written:
        raise ValueError("its squares are not those of its line; change the line instead")
    return False
