"""What a command says in one line when it cannot do what was asked."""

import typer


class CommandError(typer.TyperException):
    """It did not work: exit code 1."""


class WrongUsageError(CommandError):
    """It was asked for in a wrong way: exit code 2."""

    exit_code = 2
