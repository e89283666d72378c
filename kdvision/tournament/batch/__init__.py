"""Many photos into one file, resumable."""
