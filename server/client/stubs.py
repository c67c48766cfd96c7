"""The stubs of one channel."""

from __future__ import annotations

import grpc

from kingsbridge.v1 import ai_pb2_grpc, rules_pb2_grpc


class Stubs:
    """The services that a game needs."""

    def __init__(self, channel: grpc.Channel) -> None:
        self.rules = rules_pb2_grpc.RulesServiceStub(channel)
        self.ai = ai_pb2_grpc.AiServiceStub(channel)
