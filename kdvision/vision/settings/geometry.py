"""The numbers of warped windows: how much of a photo is warped, and from how many pixels."""

from msgspec import Struct


class GeometrySettings(Struct, frozen=True):
    """Sharpness against time; none of them decides anything."""

    #: Ratio. Larger pictures are first reduced to so many times the pixels of the result.
    reserve: float = 1.25
    #: Squares around a window that are cut out of the photo with it, as lenses bend its border.
    pad: float = 0.4
    #: Ratio. What is left to reduce after whole blocks is only done when it is below this.
    least_reduction: float = 0.8


#: The numbers in use.
GEOMETRY = GeometrySettings()
