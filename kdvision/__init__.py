"""Score a Kingdomino kingdom from a phone photo.

    import kdvision

    result = kdvision.score_photo("table.jpg", kdvision.Rules(harmony=True))
    print(result.kingdoms[0].score, result.status)

Everything that is named in `__all__` is loaded when it is first used, so that importing the
package costs nothing: no numpy, no OpenCV, no ONNX Runtime.
"""

from typing import TYPE_CHECKING

from kdvision.lazy import lazy_names

if TYPE_CHECKING:
    from kdvision.errors import ExitCode as ExitCode
    from kdvision.errors import KdvisionError as KdvisionError
    from kdvision.errors import ModelError as ModelError
    from kdvision.errors import NoKingdomError as NoKingdomError
    from kdvision.errors import UnreadablePhotoError as UnreadablePhotoError
    from kdvision.errors import UsageError as UsageError
    from kdvision.library import draw_overlay as draw_overlay
    from kdvision.library import score_many as score_many
    from kdvision.library import score_photo as score_photo
    from kdvision.library import to_html as to_html
    from kdvision.photo.photo import Photo as Photo
    from kdvision.photo.photo import open_photo as open_photo
    from kdvision.pipeline.scorer import Scorer as Scorer
    from kdvision.report.json import from_json as from_json
    from kdvision.report.json import to_json as to_json
    from kdvision.result import KingdomResult as KingdomResult
    from kdvision.result import PhotoResult as PhotoResult
    from kdvision.result import Status as Status
    from kdvision.rules.errors import NotationError as NotationError
    from kdvision.rules.errors import RulesError as RulesError
    from kdvision.rules.kingdom import Kingdom as Kingdom
    from kdvision.rules.rules import Rules as Rules
    from kdvision.rules.scoring import ScoreSheet as ScoreSheet
    from kdvision.rules.scoring import score as score

__version__ = "1.0.0"

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "library": ("score_photo", "score_many", "draw_overlay", "to_html"),
        "pipeline.scorer": ("Scorer",),
        "rules.kingdom": ("Kingdom",),
        "rules.rules": ("Rules",),
        "rules.scoring": ("score", "ScoreSheet"),
        "result": ("PhotoResult", "KingdomResult", "Status"),
        "photo.photo": ("Photo", "open_photo"),
        "report.json": ("to_json", "from_json"),
        "errors": (
            "UsageError",
            "UnreadablePhotoError",
            "NoKingdomError",
            "ModelError",
            "ExitCode",
        ),
        "rules.errors": ("KdvisionError", "RulesError", "NotationError"),
    },
)
