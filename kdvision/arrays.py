"""Array types that several rooms share."""

import numpy as np
from numpy.typing import NDArray

#: Coordinates, probabilities and other real numbers.
Array = NDArray[np.float64]
#: RGB pixels (h, w, 3).
Image = NDArray[np.uint8]
