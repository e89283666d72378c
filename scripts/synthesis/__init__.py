"""Labelled pictures made here: artwork, textures, scenes, samples."""
