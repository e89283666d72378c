"""Rendering, training and measuring: run with `python -m scripts...`."""
