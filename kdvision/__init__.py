"""Score a Kingdomino kingdom from a phone photo."""

__version__ = "0.1.0"
