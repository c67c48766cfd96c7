"""A bot in JSON lines that plays the last legal action, but for one bad habit: ``odd.py HABIT [AT [FILE]]``.

The habit shows at question AT. FILE gets the number of its process. It knows nothing of the project.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Message = dict[str, Any]

HABIT = sys.argv[1]
AT = int(sys.argv[2]) if len(sys.argv) > 2 else 0
FOREVER = 600.0
GREETING: Message = {"type": "hello", "protocol": 1, "name": "odd", "version": "1.5", "comment": "hi"}
GREETINGS: dict[str, Any] = {
    "nameless": {**GREETING, "name": None},
    "other_protocol": {**GREETING, "protocol": 2},
    "answers_first": {"type": "action", "question": 0, "action": 1},
    "plays_chess": {**GREETING, "games": ["chess"]},
    "plays_pillars": {**GREETING, "games": ["pillars"]},
}
ILLEGAL = 0xFFFFFF

ANSWERS: dict[str, Callable[[Message, Message], list[Any]]] = {
    "illegal": lambda reply, _: [reply | {"action": ILLEGAL}],
    "immense": lambda reply, _: [reply | {"action": 1 << 80}],
    "notation": lambda reply, question: [reply | {"action": question["actions"][-1]["text"]}],
    "nonsense": lambda reply, _: [reply | {"action": "castle(kingside)"}],
    "listed": lambda reply, _: [[reply]],
    "no_action": lambda reply, _: [{"type": "action", "question": reply["question"]}],
    "truth": lambda reply, _: [reply | {"action": True}],
    "twice": lambda reply, _: [reply, reply | {"action": ILLEGAL}],
    "wrong_number": lambda reply, _: [reply | {"question": reply["question"] + 1}],
    "no_number": lambda reply, _: [{"type": "action", "action": reply["action"]}],
    "old_number": lambda reply, _: [reply | {"question": reply["question"] - 1, "action": ILLEGAL}, reply],
    "unknown": lambda reply, _: [reply | {"mood": "good", "iterations": 7, "comment": "fine"}],
}
"""What is written instead of the reply to a question."""


def write(message: Any) -> None:
    print(json.dumps(message), flush=True)


def late(reply: Message) -> None:
    time.sleep(1.0)
    write(reply)


def leaves(reply: Message) -> None:
    write(reply)
    os._exit(0)


def crashes(_: Message) -> None:
    print("out of ideas", file=sys.stderr, flush=True)
    os._exit(3)


def last_words(_: Message) -> None:
    os.close(1)
    time.sleep(0.3)
    print("farewell", file=sys.stderr, flush=True)
    os._exit(3)


def floods(_: Message) -> None:
    while True:
        sys.stdout.write("x" * 65536)


def floods_lines(reply: Message) -> None:
    while True:
        write(reply | {"question": -1})


def floods_errors(_: Message) -> None:
    while True:
        sys.stderr.write("y" * 65536)


def closes(_: Message) -> None:
    os.close(1)
    time.sleep(FOREVER)


DEEDS: dict[str, Callable[[Message], object]] = {
    "hangs": lambda _: time.sleep(FOREVER),
    "garbage": lambda _: print("my move is e4", flush=True),
    "deep": lambda _: print("[" * 100_000, flush=True),
    "killed": lambda _: os.kill(os.getpid(), 9),
    "late": late,
    "leaves": leaves,
    "crashes": crashes,
    "last_words": last_words,
    "floods": floods,
    "floods_lines": floods_lines,
    "floods_errors": floods_errors,
    "closes": closes,
}
"""What it does instead of replying."""


def strict(reply: Message, question: Message) -> None:
    if "_later" in question:
        os._exit(4)


def slow(reply: Message, question: Message) -> None:
    if (question["budget"]["seconds"] or 0.0) >= 0.1:
        time.sleep(1.5)


def fickle(reply: Message, question: Message) -> None:
    actions = question["actions"]
    reply["action"] = actions[reply["question"] % len(actions)]["id"]


def forgetful(reply: Message, question: Message) -> None:
    """It goes by what it remembers of the game, and believes that unseen cards never grow more."""
    unseen = len(question["view"]["unseen_workers"]) + len(question["view"]["unseen_buildings"])
    if unseen > SEEN.get(question["game_id"], unseen):
        reply["action"] = ILLEGAL
    SEEN[question["game_id"]] = unseen


SEEN: dict[str, int] = {}
MANNERS = {each.__name__: each for each in (strict, slow, fickle, forgetful)}
"""What it does to every reply."""


def answer(question: Message) -> None:
    reply = {"type": "action", "question": question["question"], "action": question["actions"][-1]["id"]}
    at = reply["question"] == AT
    if HABIT in MANNERS:
        MANNERS[HABIT](reply, question)
    if at and HABIT in DEEDS:
        DEEDS[HABIT](reply)
        return
    for message in ANSWERS[HABIT](reply, question) if at and HABIT in ANSWERS else [reply]:
        write(message)


def begin() -> None:
    if len(sys.argv) > 3:
        Path(sys.argv[3]).write_text(str(os.getpid()), encoding="utf-8")
    if HABIT in {"parent", "deaf"}:
        sleeper = [sys.executable, "-S", "-c", f"import time; time.sleep({FOREVER})"]
        subprocess.Popen(sleeper, stdin=subprocess.DEVNULL)
    if HABIT == "exits":
        print("no licence", file=sys.stderr, flush=True)
        sys.exit(5)
    if HABIT == "mute":
        time.sleep(FOREVER)


def main() -> None:
    begin()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            write(GREETINGS.get(HABIT, GREETING))
        else:
            answer(message)
    if HABIT == "deaf":
        time.sleep(FOREVER)


if __name__ == "__main__":
    main()
