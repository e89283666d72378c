"""A photo becomes a result: the stages in order, nothing else."""
