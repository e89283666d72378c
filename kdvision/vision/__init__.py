"""A photo becomes a reading: decoding, the grid, the squares, the likeliest kingdom."""
