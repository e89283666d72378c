"""The limits of the server, each with its unit and its reason."""

from msgspec import Struct

from kdvision.concurrency import cores
from kdvision.photo.settings import PHOTO


class ServeSettings(Struct, frozen=True):
    """What a server allows.

    Attributes:
        max_photo_bytes: Bytes of one photo, as on the command line.
        max_form_bytes: Bytes of any other body; the longest is a list of fixes.
        max_bytes_held: Bytes of photos that are on their way or wait to be scored, all together:
            what is beyond is answered 503. It bounds memory, whatever the phones send.
        max_waiting: Photos that wait for a free thread; a table of 50 players at once.
        client_share: The share of photos and bytes under way that one client may have: whatever it
            sends, and leaves half sent, others have room.
        retry_after_s: Seconds after which a phone that was turned away asks again.
        upload_s: Seconds in which the body of a request must have arrived, and longer for a large
            one by `slowest_bytes_s`.
        slowest_bytes_s: Bytes a second of the slowest network that a photo may come over.
        header_s: Seconds in which the head of a request must have arrived.
        most_connections: Open connections; those that are idle are closed for new ones.
        keep_photos_s: Seconds for which pictures are kept, for the overlay and for fixes.
        most_picture_bytes: Bytes of all pictures that are kept together.
        threads: Photos that are scored at the same time.
        picture_side_px: Longer side of the pictures that the page shows.
    """

    max_photo_bytes: int = PHOTO.max_bytes
    max_form_bytes: int = 64 * 2**10
    max_bytes_held: int = 192 * 2**20
    max_waiting: int = 50
    client_share: float = 0.5
    retry_after_s: int = 2
    upload_s: float = 120.0
    slowest_bytes_s: float = 20_000.0
    header_s: float = 10.0
    most_connections: int = 400
    keep_photos_s: float = 12 * 3600.0
    most_picture_bytes: int = 4000 * 10**6
    threads: int = cores()
    picture_side_px: int = 1600


DEFAULT_SETTINGS = ServeSettings()
