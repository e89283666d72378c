"""Staged photos in artwork of our own: what lies in `samples/`."""
