"""Metrics over HTTP, on the event loop of the server: nobody else changes meanwhile what is read there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

PATH = "/metrics"
READ_SECONDS = 5.0
"""How long a client may take to say what it wants."""


@asynccontextmanager
async def exposed(registry: CollectorRegistry, host: str, port: int) -> AsyncIterator[str]:
    """The URL at which the metrics are shown meanwhile; port 0 is any free one.

    Raises:
        OSError: the address cannot be bound.
    """

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(READ_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(_response(registry, head.decode("latin-1")))
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever it was does not speak HTTP, or is gone
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    server = await asyncio.start_server(answer, host.strip("[]"), port)
    async with server:
        bound = server.sockets[0].getsockname()[1]
        name = f"[{host.strip('[]')}]" if ":" in host else host
        yield f"http://{name}:{bound}{PATH}"


def _response(registry: CollectorRegistry, head: str) -> bytes:
    """The answer to a request, given its first line and headers."""
    first, *lines = head.split("\r\n")
    method, _, rest = first.partition(" ")
    path = rest.partition(" ")[0].partition("?")[0]
    if method != "GET":
        return _http("405 Method Not Allowed", "text/plain", b"GET is expected\n")
    if path != PATH:
        return _http("404 Not Found", "text/plain", f"metrics are at {PATH}\n".encode())
    headers = dict(line.lower().split(":", 1) for line in lines if ":" in line)
    encode, kind = choose_encoder(headers.get("accept", ""))
    return _http("200 OK", kind, encode(registry))


def _http(status: str, kind: str, body: bytes) -> bytes:
    lines = (
        f"HTTP/1.1 {status}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return "\r\n".join((*lines, "", "")).encode("latin-1") + body
