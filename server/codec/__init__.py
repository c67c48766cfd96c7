"""Messages to values and back: the only package that touches what messages contain."""
