"""The .proto files: everything is explained, and views have the same fields as the engine's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

from kingsbridge.pyengine import Dealer, game_names, load_game
from kingsbridge.v1 import game_pb2

PROTO = Path(__file__).parents[2] / "proto"
Path_ = tuple[int, ...]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[FileDescriptorProto]:
    """The descriptors of the project's files, with their comments."""
    out = tmp_path_factory.mktemp("proto") / "set"
    sources = sorted(PROTO.glob("kingsbridge/v1/*.proto"))
    command = [sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={PROTO}", "--include_source_info"]
    subprocess.run([*command, f"--descriptor_set_out={out}", *map(str, sources)], check=True)
    return list(FileDescriptorSet.FromString(out.read_bytes()).file)


def elements(file: FileDescriptorProto) -> Iterator[tuple[str, Path_]]:
    """Everything that has a name, with its path as descriptor.proto counts it."""
    for number, service in enumerate(file.service):
        yield service.name, (6, number)
        for index, method in enumerate(service.method):
            yield f"{service.name}.{method.name}", (6, number, 2, index)
    for number, message in enumerate(file.message_type):
        yield from _message(message, (4, number))
    for number, enum in enumerate(file.enum_type):
        yield from _enum(enum, (5, number))


def _message(message: DescriptorProto, path: Path_) -> Iterator[tuple[str, Path_]]:
    yield message.name, path
    for index, field in enumerate(message.field):
        yield f"{message.name}.{field.name}", (*path, 2, index)
    synthetic = {field.oneof_index for field in message.field if field.proto3_optional}
    for index, oneof in enumerate(message.oneof_decl):
        if index not in synthetic:
            yield f"{message.name}.{oneof.name}", (*path, 8, index)
    for index, nested in enumerate(message.nested_type):
        if not nested.options.map_entry:
            yield from _message(nested, (*path, 3, index))
    for index, enum in enumerate(message.enum_type):
        yield from _enum(enum, (*path, 4, index))


def _enum(enum: EnumDescriptorProto, path: Path_) -> Iterator[tuple[str, Path_]]:
    yield enum.name, path
    for index, value in enumerate(enum.value):
        yield f"{enum.name}.{value.name}", (*path, 2, index)


def fields(message: DescriptorProto) -> Iterator[FieldDescriptorProto]:
    yield from message.field
    for nested in message.nested_type:
        yield from fields(nested)


def test_every_service_call_message_field_oneof_enum_and_value_is_explained(
    files: list[FileDescriptorProto],
) -> None:
    count = 0
    for file in files:
        told = {tuple(place.path): place.leading_comments.strip() for place in file.source_code_info.location}
        for name, path in elements(file):
            assert len(told.get(path, "")) > 5, f"{file.name}: {name} has no comment"
            count += 1
    assert count > 200


def test_each_call_has_a_request_and_a_response_of_its_own(files: list[FileDescriptorProto]) -> None:
    used = []
    for file in files:
        for service in file.service:
            assert service.name.endswith("Service")
            for method in service.method:
                assert method.input_type == f".kingsbridge.v1.{method.name}Request"
                assert method.output_type == f".kingsbridge.v1.{method.name}Response"
                used += [method.input_type, method.output_type]
                assert not method.client_streaming, "browsers cannot follow"
    assert len(used) == len(set(used)) >= 30


def test_enums_start_with_unspecified(files: list[FileDescriptorProto]) -> None:
    enums = [enum for file in files for enum in file.enum_type]
    assert enums
    for enum in enums:
        assert enum.value[0].name.endswith("_UNSPECIFIED")
        assert enum.value[0].number == 0


def test_only_means_of_a_search_and_rates_are_floating_point(files: list[FileDescriptorProto]) -> None:
    floating = (FieldDescriptorProto.TYPE_FLOAT, FieldDescriptorProto.TYPE_DOUBLE)
    found = [
        f"{message.name}.{field.name}"
        for file in files
        for message in file.message_type
        for field in fields(message)
        if field.type in floating
    ]
    assert found == [
        "ChooseActionResponse.iterations_per_second",
        "ActionStatistics.values",
        "ActionStatistics.win_shares",
        "ActionStatistics.scores",
        "ActionStatistics.standard_error",
        "GetServerStatusResponse.iterations_per_second",
    ]


def test_every_game_has_a_typed_view_with_the_fields_of_the_engine() -> None:
    cases = game_pb2.GameView.DESCRIPTOR.oneofs_by_name["view"].fields
    assert {case.name for case in cases} == set(game_names())
    for case in cases:
        assert case.message_type is not None
        state = load_game(case.name)
        Dealer(1).settle(state)
        view = state.information_set(0).view()
        assert {field.name for field in case.message_type.fields} == set(view)
