"""Data, networks, training, quantization, export."""
