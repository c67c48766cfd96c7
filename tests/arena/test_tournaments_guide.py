"""The guide to tournaments tells what there is: every key, format, policy, option; and its manifest plays."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from kingsbridge.ai.arena.contest import ARRANGEMENTS, FORMATS
from kingsbridge.ai.arena.faults import FaultPolicy
from kingsbridge.ai.arena.manifest import parse_manifest
from kingsbridge.ai.arena.manifest_keys import CONTEST_KEYS, MANIFEST_KEYS
from kingsbridge.server.cli.tournament import tournament
from tests.architecture.sources import ROOT
from tests.cli.conftest import Runner, kingsbridge  # noqa: F401  # a fixture

TEXT = (ROOT / "ai" / "arena" / "TOURNAMENTS.md").read_text()
(MANIFEST,) = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize(
    "word", [*MANIFEST_KEYS, *CONTEST_KEYS, *FORMATS, *(each.value for each in FaultPolicy)]
)
def test_every_word_of_a_manifest_is_told(word: str) -> None:
    assert re.search(rf"`[^`\n]*\b{word}\b[^`\n]*`", TEXT)


@pytest.mark.parametrize("name", ARRANGEMENTS)
def test_every_arrangement_is_told(name: str) -> None:
    assert name.removesuffix("s") in TEXT


def test_every_option_is_told() -> None:
    told = {"manifest", "results", "workers", "duration", "only"}  # the help is enough
    for name in inspect.signature(tournament).parameters:
        option = {"as_json": "json", "import_from": "import"}.get(name, name)
        assert name in told or f"--{option}" in TEXT


def test_its_manifest_plays(kingsbridge: Runner, tmp_path: Path) -> None:  # noqa: F811
    contests = parse_manifest(MANIFEST)
    assert [contest.id for contest in contests] == ["league-2", "league-3", "is it better?"]
    assert (ROOT / "ai" / "ladder" / "cup.toml").read_text().endswith(MANIFEST)
    small = MANIFEST.replace("blocks = 10 ", "blocks = 1 ").replace("blocks = 200", "blocks = 2")
    (tmp_path / "cup.toml").write_text(small.replace("iterations = 200", "iterations = 3"))
    done = kingsbridge("tournament", str(tmp_path / "cup.toml"), "--html", str(tmp_path / "cup.html"))
    assert (done.code, done.err) == (0, "")
    assert "is it better?" in done.out
