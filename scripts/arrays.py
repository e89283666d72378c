"""Types that all scripts share: numbers, pictures, random numbers."""

import numpy as np

from kdvision.arrays import Array, Image

__all__ = ["Array", "Image", "Rng"]

Rng = np.random.Generator
