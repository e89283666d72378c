"""Seeing: a photo becomes grids, and these become readings."""
