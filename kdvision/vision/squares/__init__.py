"""A grid becomes a reading: patches, classifier, evidence, background, castle."""
