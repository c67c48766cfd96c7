"""A real server in this process on a free port, and a channel to it; places to keep games in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import grpc
import pytest

from kingsbridge.server.app import App, running
from kingsbridge.server.limits import Limits
from tests.postgres import Cluster, running_cluster

from .client import OPERATOR, Client


@pytest.fixture(scope="session")
async def app() -> AsyncIterator[App]:
    app = App(workers=2, operator=OPERATOR)
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
    app = App(workers=1, limits=Limits(queue=1, games=3), operator=OPERATOR)
    async with running(app):
        yield app


@pytest.fixture(scope="session")
async def small_client(small_app: App) -> AsyncIterator[Client]:
    async with grpc.aio.insecure_channel(small_app.address) as channel:
        yield Client(channel)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.new_place()
