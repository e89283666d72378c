"""Accuracy, speed, settings and fits: each module here is a script, its parts are in folders."""
