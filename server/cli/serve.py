"""``kingsbridge serve``: the gRPC server."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from kingsbridge.server import app
from kingsbridge.server.cli.errors import CommandError


def serve(
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="Port to listen on; 0 for any free one.")
    ] = 50_051,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes that search; one a core if not given.")
    ] = None,
) -> None:
    """Serve games and bots over gRPC until SIGTERM or Ctrl-C.

    Prints one line, "kingsbridge listening on HOST:PORT", once it is ready.
    """
    try:
        asyncio.run(app.serve(host, port, workers))
    except OSError as error:
        raise CommandError(str(error)) from error
