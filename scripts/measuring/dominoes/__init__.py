"""How well dominoes are told as they lie, and those that break the joining rule."""
