"""Artwork of our own for the dominoes, the start tile, the castle and the king.

Everything is painted by code, at random, and repeatably: the same generator state paints
the same picture. A `Style` holds what the tiles of one deck have in common.
"""
