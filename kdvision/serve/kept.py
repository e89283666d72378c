"""What a server remembers: photos, what players of games had, what happened at tables."""

from msgspec import Struct


class StoredPhoto(Struct, frozen=True):
    """A photo that was scored.

    `result` is its `kdscore/1` object as text, with the fixes.
    `fixes` and `options` are JSON objects as text. `picture` are the bytes of the file, None when
    they are no longer kept.
    """

    id: str
    name: str
    options: str
    fixes: str
    result: str
    picture: bytes | None


class EveningEntry(Struct, frozen=True):
    """What one player of one game had: a kingdom line, the total, and the rules it was scored by.

    `status` is `sure` or `doubtful`.
    """

    game: str
    player: str
    kingdom: str
    score: int
    status: str
    size: int
    harmony: bool
    middle_kingdom: bool
    photo: str


class Event(Struct, frozen=True):
    """Something that happened at a table of a tournament.

    `kind` and `value`, a JSON text, are of the desk; `by` is who did it. `made` is when it was
    kept, in seconds since 1970; 0 for what is not kept yet.
    """

    kind: str
    round: str
    table: str
    player: str
    by: str
    value: str
    made: float = 0.0
