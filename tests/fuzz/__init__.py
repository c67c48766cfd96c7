"""Bad input: requests, records and views that no frontend should send, by the million. See ``README.md``."""
