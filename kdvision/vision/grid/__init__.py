"""A photo becomes grids: squares by voting, a lattice grown from them, a homography fitted."""
