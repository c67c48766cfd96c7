"""A real server in this process on a free port, and a channel to it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest

from kingsbridge.server.app import App, running
from kingsbridge.server.limits import Limits

from .client import Client


@pytest.fixture(scope="session")
async def app() -> AsyncIterator[App]:
    app = App(workers=2)
    async with running(app):
        yield app


@pytest.fixture(scope="session")
async def channel(app: App) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(app.address) as channel:
        yield channel


@pytest.fixture(scope="session")
def client(channel: grpc.aio.Channel) -> Client:
    return Client(channel)


@pytest.fixture(scope="session")
async def small_app() -> AsyncIterator[App]:
    """One worker, and room for one waiting search and three games."""
    app = App(workers=1, limits=Limits(queue=1, games=3))
    async with running(app):
        yield app


@pytest.fixture(scope="session")
async def small_client(small_app: App) -> AsyncIterator[Client]:
    async with grpc.aio.insecure_channel(small_app.address) as channel:
        yield Client(channel)
