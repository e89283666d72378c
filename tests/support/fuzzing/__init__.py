"""Mutated picture files, and the watched process that must survive them."""
