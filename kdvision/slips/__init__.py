"""Slips of paper beside a kingdom: a code says whose it is, marked bubbles what was counted."""
