"""The stages in order: a photo becomes a result."""
