"""Bytes of unknown origin become upright RGB pixels: formats, limits, decoders, damage."""
