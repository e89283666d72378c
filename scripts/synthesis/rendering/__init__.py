"""Scenes of kingdoms on tables, rendered: what the networks are trained on."""
