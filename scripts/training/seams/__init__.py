"""The seam network: its patches, its training, its export."""
