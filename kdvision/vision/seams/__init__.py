"""Seams: whether two neighbouring squares are one domino or lie on two."""
