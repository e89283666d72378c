"""Rendering, training, measuring and fuzzing: run with `python -m scripts...`."""
