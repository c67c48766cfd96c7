"""The gRPC server: games, bots and nothing a seat may not know.

This package stays empty on purpose. Search workers import a module of it, and must not load gRPC by doing so:
take what you need from its modules, ``kingsbridge.server.app`` first of all.
"""
