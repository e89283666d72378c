"""The hand-set numbers of vision: one frozen record per stage, and the one instance in use.

Each number has its unit, what it decides, and how it was found. Where no measurement is named it
was set by hand, on rendered scenes that train. One that decides whether there is a kingdom, whether
a total is sure, or whether a kingdom is legal, is annotated so: `Annotated[float, "kingdom"]`,
`"sure"` or `"legal"`. `python -m scripts.measuring.try_settings` changes each of these by a third,
up and down, and a test must fail each time. What models were trained for (the size of a patch, the
planes of the detector) is no setting: it stands with the code that calls them.
"""

from kdvision.vision.settings.doubt import DOUBT, DoubtSettings
from kdvision.vision.settings.geometry import GEOMETRY, GeometrySettings
from kdvision.vision.settings.grid import GRID, GridSettings
from kdvision.vision.settings.seams import SEAMS, SeamsSettings
from kdvision.vision.settings.squares import SQUARES, SquaresSettings

__all__ = [
    "DOUBT",
    "GEOMETRY",
    "GRID",
    "SEAMS",
    "SQUARES",
    "DoubtSettings",
    "GeometrySettings",
    "GridSettings",
    "SeamsSettings",
    "SquaresSettings",
]
