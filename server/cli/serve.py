"""``kingsbridge serve``: the gRPC server."""

# ruff: noqa: ARG001  (parameters say what there is to typer, and are taken from its context)

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from kingsbridge.server import app, checks, errors, settings
from kingsbridge.server.cli.errors import CommandError, WrongUsageError
from kingsbridge.server.config import ConfigError, Problem, shown
from kingsbridge.server.settings import Settings

OUR_OPTIONS = ("config", "limit", "check", "json_")
"""Parameters of the command that are no keys of the configuration."""
WIDE = 1000
"""Columns of the table's page, so that no path is cut short."""

Text = str | None
Host = Annotated[Text, typer.Option(help="Address to listen on, or unix:PATH; else 127.0.0.1.")]
Port = Annotated[Text, typer.Option(metavar="N", help="Port, 0 for any free one; else 50051.")]
Workers = Annotated[Text, typer.Option(metavar="N", help="Processes that search; else one a core.")]
Store = Annotated[Text, typer.Option(metavar="URL", help='Where games are kept; "memory" forgets them.')]
Durability = Annotated[
    Text, typer.Option(metavar="full|normal", help="Survive a loss of power, or only death.")
]
Certificate = Annotated[Text, typer.Option(metavar="FILE", help="Speak TLS with this certificate (PEM).")]
Key = Annotated[Text, typer.Option(metavar="FILE", help="The key of the certificate (PEM).")]
ClientCa = Annotated[
    Text, typer.Option(metavar="FILE", help="Let only clients in with a certificate from it.")
]
Insecure = Annotated[bool | None, typer.Option(help="Allow plain text beyond this machine.")]
Token = Annotated[Text, typer.Option(metavar="FILE", help="The file with the token of operators.")]
MetricsHost = Annotated[Text, typer.Option(help="Address to show metrics on; else 127.0.0.1.")]
MetricsPort = Annotated[
    Text, typer.Option(metavar="N", help="Show metrics on this port, 0 for any free one.")
]
LogFormat = Annotated[Text, typer.Option(metavar="text|json", help="How the log is written.")]
LogLevel = Annotated[Text, typer.Option(metavar="LEVEL", help="debug, info, warning or error.")]
CallerHeader = Annotated[
    Text, typer.Option(metavar="KEY", help="Metadata in which a trusted proxy names callers.")
]
Limit = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="A limit; may be given many times.")
]
File = Annotated[Path | None, typer.Option(metavar="FILE", help="Read a configuration (TOML).")]
Check = Annotated[
    bool, typer.Option("--check", help="Look whether it could start, and print what it is told.")
]
Json = Annotated[bool, typer.Option("--json", help="With --check: print JSON.")]


def serve(
    context: typer.Context,
    *,
    config: File = None,
    host: Host = None,
    port: Port = None,
    workers: Workers = None,
    store: Store = None,
    durability: Durability = None,
    tls_certificate: Certificate = None,
    tls_key: Key = None,
    tls_client_ca: ClientCa = None,
    insecure: Insecure = None,
    operator_token_file: Token = None,
    metrics_host: MetricsHost = None,
    metrics_port: MetricsPort = None,
    log_format: LogFormat = None,
    log_level: LogLevel = None,
    caller_header: CallerHeader = None,
    limit: Limit = None,
    check: Check = False,
    json_: Json = False,
) -> int:
    """Serve games and bots over gRPC until SIGTERM or Ctrl-C.

    Prints one line, "kingsbridge listening on HOST:PORT", once it is ready. What is not given comes from the
    environment (KINGSBRIDGE_PORT and so on), else from the file, else from the defaults: see OPERATIONS.md.
    """
    if json_ and not check:
        raise WrongUsageError("--json goes with --check")
    try:
        found = settings.read(os.environ, _flags(context.params), config)
    except ConfigError as error:
        if check and json_:
            _print_json(None, error.problems)
            return WrongUsageError.exit_code
        raise _wrong(error.problems) from error
    return _check(found, as_json=json_) if check else _serve(found)


def _serve(found: Settings) -> int:
    try:
        _make_default_folder(found)
        asyncio.run(app.serve(found.config))
    except ConfigError as error:
        raise _wrong(error.problems) from error
    except OSError as error:
        raise CommandError(str(error)) from error
    except Exception as error:
        raise CommandError(f"the server broke: {errors.trace(error)}") from None  # its text may say too much
    return 0


def _flags(parameters: Mapping[str, Any]) -> dict[str, str]:
    """What was given on the command line, as texts by key."""
    flags = {
        key: str(value).lower() if isinstance(value, bool) else value
        for key, value in parameters.items()
        if key not in OUR_OPTIONS and value is not None
    }
    for pair in parameters["limit"] or ():
        name, equals, value = pair.partition("=")
        if not name or not equals:
            raise WrongUsageError(f"--limit takes NAME=VALUE, not '{pair}'")
        flags[f"limits.{name}"] = value
    return flags


def _wrong(problems: Iterable[Problem]) -> WrongUsageError:
    """One problem in one line; several below one another."""
    lines = list(map(str, problems))
    return WrongUsageError(lines[0] if len(lines) == 1 else "\n  ".join(["it cannot be so:", *lines]))


def _make_default_folder(found: Settings) -> None:
    """Makes the folder of the games if nobody has named one; one that is named has to be there."""
    if found.sources["store"] == settings.DEFAULT:
        settings.default_folder(os.environ).mkdir(mode=0o700, parents=True, exist_ok=True)


def _check(found: Settings, *, as_json: bool) -> int:
    _make_default_folder(found)
    problems = [replace(each, source=found.source(each.key)) for each in checks.findings(found.config)]
    if as_json:
        _print_json(found, problems)
    else:
        _print_table(found)
        for problem in problems:
            typer.echo(f"kingsbridge: {problem}", err=True)
    return 1 if problems else 0


def _print_table(found: Settings) -> None:
    table = Table("key", "value", "source", box=None, pad_edge=False)
    for key in settings.KNOBS:
        source = found.sources[key]
        style = "dim" if source == settings.DEFAULT else ""
        table.add_row(key, shown(found.value(key)), source, style=style)
    console = Console(width=WIDE, markup=False)
    console.print(table)
    for name in settings.unknown_variables(os.environ):
        console.print(f"{name} is set, and no variable of this server", style="yellow")


def _print_json(found: Settings | None, problems: Iterable[Problem]) -> None:
    told: dict[str, Any] = {
        "config": {} if found is None else {key: _told(found, key) for key in settings.KNOBS},
        "unknown_variables": settings.unknown_variables(os.environ),
        "problems": [
            {"source": each.source, "key": each.key, "value": shown(each.value), "expected": each.expected}
            for each in problems
        ],
    }
    typer.echo(json.dumps(told, indent=2))


def _told(found: Settings, key: str) -> dict[str, Any]:
    value = found.value(key)
    plain = value if value is None or isinstance(value, (bool, int, float)) else shown(value)
    return {"value": plain, "source": found.sources[key]}
