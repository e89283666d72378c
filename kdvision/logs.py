"""What helps to find a mistake of the program, logged under the names of the modules."""

import sys


def log_debug(module: str, message: str, *values: object) -> None:
    """Log a message at the level DEBUG, as `logging.getLogger(module).debug` does.

    A program that has not imported `logging` has no handler that could want a message, so none is
    made, and a cold run is spared the import.

    Args:
        module: The `__name__` of the module that logs.
        message: With `%s` and the like for the values.
        values: What stands there; formatted only where somebody listens.
    """
    logging = sys.modules.get("logging")
    if logging is not None:
        logging.getLogger(module).debug(message, *values)
