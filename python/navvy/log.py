"""Where the package tells what it does: the logger "navvy", silent unless a program listens."""

import logging

logger: logging.Logger = logging.getLogger("navvy")
logger.addHandler(logging.NullHandler())
