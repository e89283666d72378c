"""Pictures of a photo with what was read drawn over it."""
