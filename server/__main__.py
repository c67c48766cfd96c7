"""``python -m kingsbridge.server`` is the command ``kingsbridge``."""

from kingsbridge.server.cli import main

if __name__ == "__main__":
    main()
