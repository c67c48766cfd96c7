"""A client for frontends in Python: the calls of a server as plain values, without a message in sight.

::

    from kingsbridge.server.client import Client, Thinking

    with Client("127.0.0.1:50051") as client:
        game = client.create(client.games()[0], players=2)
        while not game.status.over:
            seat = game.status.seat_to_move
            game.play(seat, game.propose(seat, Thinking("ismcts:level=3")).choice)
        print(game.status.scores, game.verify())

Every call has a deadline. One that a server is too busy for, or not there for, is tried again for a while,
see ``Patience``; all other failures are raised at once, see ``ServerError``. A client may be shared between
threads; a ``Game`` remembers where it stands and belongs to one.
"""

from kingsbridge.server.client.connection import Client
from kingsbridge.server.client.errors import (
    BusyError,
    CommitmentError,
    InvalidError,
    RefusedError,
    ServerError,
    StaleError,
    TokenError,
    UnavailableError,
    UnknownError,
)
from kingsbridge.server.client.game import Game
from kingsbridge.server.client.patience import Calls, Patience
from kingsbridge.server.client.tls import Tls
from kingsbridge.server.client.values import (
    BotSeat,
    Candidate,
    Change,
    Choice,
    Event,
    Played,
    Proposal,
    Record,
    Report,
    Status,
    Thinking,
    Turn,
)

__all__ = [
    "BotSeat",
    "BusyError",
    "Calls",
    "Candidate",
    "Change",
    "Choice",
    "Client",
    "CommitmentError",
    "Event",
    "Game",
    "InvalidError",
    "Patience",
    "Played",
    "Proposal",
    "Record",
    "RefusedError",
    "Report",
    "ServerError",
    "StaleError",
    "Status",
    "Thinking",
    "Tls",
    "TokenError",
    "Turn",
    "UnavailableError",
    "UnknownError",
]
