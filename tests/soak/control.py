"""What the machine itself is good for meanwhile: sleeps of this event loop, and echoes of another process.

Whatever a call takes beyond these is the server's doing; what it shares with them is not.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.soak.calls import Calls

ECHO = """
import asyncio

async def echo(reader, writer):
    while data := await reader.read(64):
        writer.write(data)
    writer.close()

async def main():
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""
PAUSE = 0.02
"""Seconds between two looks, and the length of the sleep that is timed."""
SLEEP, TCP = "(sleep, ms late)", "(TCP echo)"


@asynccontextmanager
async def control(calls: Calls) -> AsyncIterator[None]:
    """Measures all along, as methods named in parentheses."""
    with subprocess.Popen([sys.executable, "-c", ECHO], stdout=subprocess.PIPE, text=True) as process:
        port = int(process.stdout.readline()) if process.stdout else 0
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        measuring = asyncio.create_task(_measure(calls, reader, writer))
        try:
            yield
        finally:
            measuring.cancel()
            await asyncio.gather(measuring, return_exceptions=True)
            writer.close()
            await writer.wait_closed()
            process.kill()


async def _measure(calls: Calls, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        started = time.perf_counter()
        await asyncio.sleep(PAUSE)
        calls.waits[SLEEP].append((time.perf_counter() - started - PAUSE) * 1000)
        writer.write(b"echo")
        await calls.timed(TCP, reader.readexactly(4))
