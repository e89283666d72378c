"""Types that all scripts share: numbers, pictures, random numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kdvision.arrays import Array, Image

__all__ = ["AnyArray", "Array", "Floats", "Image", "Ints", "Mask", "Rng"]

#: Numbers of any type.
AnyArray = NDArray[Any]
#: Real numbers of pictures, and of what networks take and give.
Floats = NDArray[np.float32]
#: Whole numbers.
Ints = NDArray[np.int64]
#: Where something is so.
Mask = NDArray[np.bool_]
Rng = np.random.Generator
