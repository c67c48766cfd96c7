"""What a server tells bit by bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc

from kingsbridge.server.client.errors import UnavailableError, failure
from kingsbridge.server.client.messages import read_change, read_report
from kingsbridge.server.client.patience import Calls, Trial
from kingsbridge.server.client.values import Change, Report

WATCH_SECONDS = 600.0
"""Deadline of a stream that watches; the next one takes its place, and nobody notices."""


def changes(calls: Calls, watch: Callable[[int], Any], from_event: int) -> Iterator[Change]:
    """The changes of a game until it is over. ``watch`` opens a stream from a number of event on.

    Raises:
        ServerError: the server refuses, or is gone for longer than patience lasts.
    """
    trial = Trial(calls)
    last: Change | None = None
    while True:
        heard = False
        error = UnavailableError("UNAVAILABLE", "the stream ended before the game")
        try:
            with _cancelled(watch(from_event)) as stream:
                for message in stream:
                    heard = True
                    trial.restart()
                    if not message.HasField("view"):
                        continue  # a sign of life
                    change = read_change(message)
                    from_event = change.next_event
                    if change != _without_events(last):
                        last = change
                        yield change
                    if change.status.over:
                        return
        except grpc.RpcError as cut:
            told = failure(cut)
            if told.code == "DEADLINE_EXCEEDED" and heard:
                continue
            trial.again(told)
        else:
            trial.again(error)


def reports(calls: Calls, analyze: Callable[[], Any]) -> Iterator[Report]:
    """The reports of a search, the final one last. ``analyze`` opens the stream; once it has begun, it is not
    opened again.

    Raises:
        ServerError: the server refuses, has no room for longer than patience lasts, or the stream is cut.
    """
    trial = Trial(calls)
    begun = False
    while True:
        try:
            with _cancelled(analyze()) as stream:
                for message in stream:
                    begun = True
                    yield read_report(message)
                return
        except grpc.RpcError as cut:
            if begun:
                raise failure(cut) from cut
            trial.again(failure(cut))


@contextmanager
def _cancelled(stream: Any) -> Iterator[Any]:
    """The stream, and its end: a reader may leave it before."""
    try:
        yield stream
    finally:
        stream.cancel()


def _without_events(change: Change | None) -> Change | None:
    """What a stream that goes on after ``change`` tells first if nothing has happened."""
    return None if change is None else Change(change.status, (), change.next_event, change.view)
