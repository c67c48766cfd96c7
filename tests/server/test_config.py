"""The configuration: where it comes from, what is refused, and that its document tells the truth."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from kingsbridge.server.config import Config, ConfigError, is_loopback, shown
from kingsbridge.server.limits import Limits
from kingsbridge.server.operator_token import operator_token_of
from kingsbridge.server.settings import (
    DEFAULT,
    KNOBS,
    Settings,
    default_store,
    flag,
    read,
    unknown_variables,
    variable,
)
from tests.architecture.sources import ROOT

MEMORY = {"store": "memory"}


def file(folder: Path, text: str) -> Path:
    path = folder / "kingsbridge.toml"
    path.write_text(text)
    return path


def problems(
    environment: dict[str, str] | None = None, flags: dict[str, str] | None = None, path: Path | None = None
) -> list[str]:
    """What is said about a configuration that cannot be."""
    with pytest.raises(ConfigError) as caught:
        read(environment or {}, flags or {}, path)
    return str(caught.value).split("\n")


def test_flags_are_stronger_than_the_environment_and_that_than_the_file_and_that_than_the_default(
    tmp_path: Path,
) -> None:
    path = file(tmp_path, "port = 1\nworkers = 2\nmetrics_port = 3\n[limits]\ngames = 4\nqueue = 5\n")
    environment = {
        "KINGSBRIDGE_WORKERS": "12",
        "KINGSBRIDGE_METRICS_PORT": "13",
        "KINGSBRIDGE_LIMITS_QUEUE": "15",
    }
    found = read(environment, {"metrics_port": "23", "limits.iterations": "26"}, path)
    told = {key: (found.value(key), found.sources[key]) for key in KNOBS}
    assert told["host"] == ("127.0.0.1", "default")
    assert told["port"] == (1, str(path))
    assert told["workers"] == (12, "KINGSBRIDGE_WORKERS")
    assert told["metrics_port"] == (23, "--metrics-port")
    assert told["limits.games"] == (4, str(path))
    assert told["limits.queue"] == (15, "KINGSBRIDGE_LIMITS_QUEUE")
    assert told["limits.iterations"] == (26, "--limit iterations")
    assert told["limits.view_bytes"] == (1 << 15, "default")


def test_the_environment_may_name_the_file_and_a_flag_another(tmp_path: Path) -> None:
    path = file(tmp_path, "port = 1")
    other = tmp_path / "other.toml"
    other.write_text("port = 2")
    environment = {"KINGSBRIDGE_CONFIG": str(path)}
    assert read(environment, {}).config.port == 1
    assert read(environment, {}, other).config.port == 2


def sample(key: str) -> tuple[str, str, Any]:
    """A value of a key that is not its default: as text, in TOML, and as it is meant."""
    knob = KNOBS[key]
    if knob.choices:
        return knob.choices[1], f'"{knob.choices[1]}"', knob.choices[1]
    return {
        bool: ("yes", "true", True),
        int: ("7", "7", 7),
        float: ("2.5", "2.5", 2.5),
        str: ("localhost", '"localhost"', "localhost"),
        Path: ("/some/where", '"/some/where"', Path("/some/where")),
    }[knob.kind]


def together(key: str) -> dict[str, str]:
    """Flags without which a key cannot be."""
    pair = {"tls_certificate": "/c", "tls_key": "/k"} if key.startswith("tls_") else {}
    return {name: value for name, value in pair.items() if name != key}


@pytest.mark.parametrize("key", KNOBS)
def test_every_key_can_be_set_by_file_environment_and_flag(key: str, tmp_path: Path) -> None:
    text, toml, meant = sample(key)
    section, _, name = key.rpartition(".")
    path = file(tmp_path, (f"[{section}]\n" if section else "") + f"{name} = {toml}\n")
    for environment, flags, given, source in (
        ({}, {}, path, str(path)),
        ({variable(key): text}, {}, None, variable(key)),
        ({}, {key: text}, None, flag(key)),
    ):
        found = read(environment, together(key) | flags, given)
        assert (found.value(key), found.sources[key]) == (meant, source)


def test_every_field_of_config_and_limits_is_a_key() -> None:
    names = {each.name for each in fields(Config)} - {"limits"}
    assert set(KNOBS) == names | {f"limits.{each.name}" for each in fields(Limits)}


def test_without_anything_the_configuration_is_the_default_one() -> None:
    found = read({"HOME": "/home/me", "XDG_STATE_HOME": "/state"}, {})
    assert found.config == Config(store="sqlite:////state/kingsbridge/games.db")
    assert set(found.sources.values()) == {DEFAULT}


def test_games_are_kept_in_the_folder_for_what_programs_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert default_store({}) == "sqlite:////home/me/.local/state/kingsbridge/games.db"
    assert default_store({"XDG_STATE_HOME": ""}) == "sqlite:////home/me/.local/state/kingsbridge/games.db"


def test_everything_that_is_wrong_is_told_at_once_with_source_key_value_and_what_is_expected(
    tmp_path: Path,
) -> None:
    path = file(tmp_path, 'log_format = "xml"\nprot = 1\n[limits]\ngames = -1\n')
    told = problems({"KINGSBRIDGE_WORKERS": "many"}, {"port": "70000", "limits.gamez": "3"}, path)
    assert told == [
        f"{path}: log_format = xml: one of text, json is expected",
        f"{path}: prot = 1: there is no such key; perhaps port",
        f"{path}: limits.games = -1: a whole number from 0 to 2147483647 is expected",
        "KINGSBRIDGE_WORKERS: workers = many: a whole number from 1 to 4096 is expected",
        "--port: port = 70000: a whole number from 0 to 65535 is expected",
        "--limit gamez: limits.gamez = 3: there is no such key; perhaps limits.games",
    ]


@pytest.mark.parametrize(
    ("toml", "expected"),
    [
        ('port = "8080"', "a whole number from 0 to 65535"),
        ("port = 80.5", "a whole number from 0 to 65535"),
        ("port = true", "a whole number from 0 to 65535"),
        ("insecure = 1", "true or false"),
        ('insecure = "true"', "true or false"),
        ("host = 5", "a text that is not empty"),
        ('host = ""', "a text that is not empty"),
        ("tls_key = 5", "a path"),
        ("durability = true", "one of full, normal"),
        ("limits.search_seconds = nan", "a number from 0 to 1000000000"),
        ("limits.search_seconds = inf", "a number from 0 to 1000000000"),
        (f"limits.search_seconds = {10**400}", "a number from 0 to 1000000000"),
        (f"limits.games = {10**400}", "a whole number from 0 to 2147483647"),
        ("limits.search_seconds = true", "a number from 0 to 1000000000"),
        ("limits = 5", "there is no such key"),
        ("[server]\nport = 5", "there is no such key"),
    ],
)
def test_a_value_of_a_file_that_is_not_of_its_kind_is_refused(
    toml: str, expected: str, tmp_path: Path
) -> None:
    (told,) = problems(path=file(tmp_path, toml))
    assert expected in told


@pytest.mark.parametrize("text", ["maybe", "2", "", "TRUE "])
def test_a_text_that_is_no_truth_is_refused(text: str) -> None:
    assert problems(flags={"insecure": text}) == [f"--insecure: insecure = {text}: true or false is expected"]


def test_a_whole_number_will_do_where_a_number_is_expected(tmp_path: Path) -> None:
    found = read({}, {"limits.margin_seconds": "1"}, file(tmp_path, "[limits]\nsearch_seconds = 10"))
    assert found.config.limits == Limits(search_seconds=10.0, margin_seconds=1.0)


def test_a_variable_set_to_nothing_is_not_set() -> None:
    assert read({"KINGSBRIDGE_PORT": ""}, {}).sources["port"] == DEFAULT


def test_a_variable_of_an_unknown_limit_is_refused_and_another_unknown_one_is_named() -> None:
    environment = {"KINGSBRIDGE_LIMITS_GAMEZ": "1", "KINGSBRIDGE_PROT": "2", "PORT": "3"}
    assert problems(environment) == [
        "KINGSBRIDGE_LIMITS_GAMEZ: limits.gamez = 1: there is no such key; perhaps limits.games"
    ]
    assert unknown_variables(environment) == ["KINGSBRIDGE_LIMITS_GAMEZ", "KINGSBRIDGE_PROT"]


def test_a_file_that_cannot_be_read_hides_no_other_problem(tmp_path: Path) -> None:
    told = problems({"KINGSBRIDGE_CONFIG": str(tmp_path)}, {"port": "x"})
    assert told == [
        f"config = {tmp_path}: a TOML file is expected: Is a directory",
        "--port: port = x: a whole number from 0 to 65535 is expected",
    ]


def test_a_file_that_is_not_there_or_no_toml_is_refused(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere.toml"
    assert problems(path=nowhere) == [
        f"config = {nowhere}: a TOML file is expected: No such file or directory"
    ]
    path = file(tmp_path, "port = = 1")
    assert problems(path=path)[0].startswith(f"config = {path}: a TOML file is expected: Invalid value")
    path.write_bytes(b"\xff\xfe")
    assert problems(path=path)[0].startswith(f"config = {path}: a TOML file is expected:")


def test_a_certificate_and_its_key_are_given_together() -> None:
    assert problems(flags={"tls_certificate": "/c"}) == [
        "tls_key = not set: the key of tls_certificate is expected"
    ]
    assert problems(flags={"tls_key": "/k"}) == [
        "tls_certificate = not set: the certificate of tls_key is expected"
    ]
    assert problems({"KINGSBRIDGE_TLS_CLIENT_CA": "/ca"}) == [
        "KINGSBRIDGE_TLS_CLIENT_CA: tls_client_ca = /ca: tls_certificate and tls_key are expected too"
    ]


@pytest.mark.parametrize("key", ["x real ip", "x-real-ip:", "address-bin", "ü"])
def test_the_header_of_a_proxy_is_a_metadata_key_of_plain_text(key: str) -> None:
    assert problems(flags={"caller_header": key}) == [
        f"--caller-header: caller_header = {key}: a metadata key of plain text is expected"
    ]


def test_plain_text_beyond_this_machine_is_refused_unless_it_is_asked_for() -> None:
    beyond = {"host": "0.0.0.0"}  # noqa: S104  (refused)
    (told,) = problems(flags=beyond)
    assert told.startswith("--host: host = 0.0.0.0: plain text would be spoken beyond this machine")
    assert read({}, beyond | {"insecure": "true"}).config.insecure
    assert read({}, beyond | {"tls_certificate": "/c", "tls_key": "/k"}).config.host == "0.0.0.0"  # noqa: S104
    assert len(problems(flags=beyond | {"insecure": "perhaps"})) == 1


@pytest.mark.parametrize(
    ("host", "near"),
    [
        *(("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("[::1]", True), ("localhost", True)),
        *(("unix:/run/kingsbridge", True), ("0.0.0.0", False), ("::", False), ("[::]", False)),  # noqa: S104
        *(("192.0.2.1", False), ("128.0.0.1", False), ("localhost.example.org", False), ("unix.org", False)),
    ],
)
def test_loopback_is_what_does_not_leave_this_machine(host: str, near: bool) -> None:
    assert is_loopback(host) is near


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("postgresql://me:s3cret@host/games", "postgresql://me:***@host/games"),
        ("postgresql+psycopg://me:s3/c:r@et@host:1/games", "postgresql+psycopg://me:***@host:1/games"),
        (
            "postgresql://host/games?user=me&password=s3cret&x=1",
            "postgresql://host/games?user=me&password=***&x=1",
        ),
        ("sqlite:////var/lib/games.db", "sqlite:////var/lib/games.db"),
        ("memory", "memory"),
    ],
)
def test_a_password_is_never_shown(url: str, text: str) -> None:
    assert shown(url) == text


def test_a_password_is_not_shown_where_its_value_is_refused() -> None:
    told = problems(flags={"stoer": "postgresql://me:s3cret@host/games"})
    assert "s3cret" not in str(told)
    assert "***" in str(told)


def test_the_token_of_operators_is_what_stands_in_its_file_without_the_end_of_the_line(
    tmp_path: Path,
) -> None:
    path = tmp_path / "token"
    path.write_text("t" * 32 + "\n")
    path.chmod(0o600)
    assert operator_token_of(Config(store="memory", operator_token_file=path)) == "t" * 32
    assert operator_token_of(Config(store="memory")) is None
    path.write_text("t" * 31 + "\n")
    with pytest.raises(ConfigError, match="a token of at least 32 characters") as caught:
        operator_token_of(Config(store="memory", operator_token_file=path))
    assert "ttt" not in str(caught.value)


def documented() -> dict[str, str]:
    """Keys with their defaults as the document has them."""
    text = (ROOT / "server" / "OPERATIONS.md").read_text(encoding="utf-8")
    table = text.partition("| key | default |")[2].partition("\n\n")[0]
    return dict(re.findall(r"^\| `([\w.]+)` \| (.*?) \| \S", table, re.MULTILINE))


def test_the_document_explains_every_key_in_order_with_its_default() -> None:
    found: Settings = read({"XDG_STATE_HOME": "/state"}, {})
    expected = {key: f"`{found.value(key)}`".lower().replace(".0`", "`") for key in KNOBS}
    expected |= {"store": "a file `kingsbridge/games.db` in `$XDG_STATE_HOME` or `~/.local/state`"}
    expected |= {"workers": "one a core", "host": "`127.0.0.1`", "metrics_host": "`127.0.0.1`"}
    expected |= {key: "not set" for key in KNOBS if found.value(key) is None and key != "workers"}
    assert documented() == expected
    assert list(documented()) == list(KNOBS)


def test_the_document_explains_every_metric_of_ours() -> None:
    text = (ROOT / "server" / "OPERATIONS.md").read_text(encoding="utf-8")
    source = (ROOT / "server" / "metrics.py").read_text(encoding="utf-8")
    names = set(re.findall(r'"(kingsbridge_\w+)"', source))
    assert len(names) == 7
    for name in names:
        assert re.search(rf"`{name}(_total|_info)?`", text), name
