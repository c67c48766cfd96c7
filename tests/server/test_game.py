"""Playing by calls alone."""

from __future__ import annotations

from typing import Any

import pytest

from kingsbridge.pyengine import (
    ENGINE_VERSION,
    GameRecord,
    InformationSet,
    Rng,
    State,
    describe,
    game_info,
    game_names,
    parse_action,
)
from kingsbridge.server.app import App
from kingsbridge.server.codec import answers, requests
from kingsbridge.v1 import ai_pb2, game_pb2, rules_pb2, server_pb2

from .client import Client

BYTES = {
    "kingsbridge.v1.CreateGameRequest.seed",
    "kingsbridge.v1.CreateGameResponse.seed_commitment",
    "kingsbridge.v1.GameRecord.seed",
    "kingsbridge.v1.GameRecord.seed_commitment",
}
"""All fields of bytes: seeds, and what is told of them beforehand."""


def known(value: Any) -> Any:
    """The same without texts that are empty or not there: a message cannot tell these two apart."""
    if isinstance(value, dict):
        if isinstance(printed := value.get("attributes"), dict):
            words = value["words"]
            rows = [
                {"name": name, "value": each, "word": words.get(name, "")} for name, each in printed.items()
            ]
            value = {key: each for key, each in value.items() if key != "words"} | {"attributes": rows}
        return {key: known(each) for key, each in value.items() if each != ""}
    return [known(each) for each in value] if isinstance(value, list) else value


async def test_every_game_is_listed_and_described_as_the_engine_describes_it(client: Client) -> None:
    listed = await client.rules.ListGames(rules_pb2.ListGamesRequest())
    assert [game.name for game in listed.games] == game_names()
    assert listed.engine_version == ENGINE_VERSION
    for summary in listed.games:
        info = game_info(summary.name)
        assert (summary.min_players, summary.max_players) == (info["min_players"], info["max_players"])
        described = await client.rules.DescribeGame(rules_pb2.DescribeGameRequest(game=summary.name))
        assert described.engine_version == ENGINE_VERSION
        assert known(requests.plain(described.game)) == known(info)


async def test_components_have_names_in_three_languages_and_a_provenance(client: Client) -> None:
    described = await client.rules.DescribeGame(rules_pb2.DescribeGameRequest(game="builders"))
    components = {component.id: component for component in described.game.components}
    assert len(components) == 84
    assert components["B19"].names.fr == "Le moulin à vent"
    for component in components.values():
        assert component.names.en
        assert component.names.fr
        assert component.names.ja
        assert component.provenance.values == "certain"
        assert component.provenance.names.ja in ("published", "unofficial")
        assert component.face in components


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_a_whole_game_is_played_by_calls_alone_and_its_record_replays(
    client: Client, players: int
) -> None:
    game, rng = await client.create(players, seed=players, max_rounds=6), Rng(players)
    status, revision = game.status, 1
    while not status.over:
        assert status.revision == revision
        assert 0 <= status.seat_to_move < players
        assert not status.HasField("result")
        status = (await client.step(game.game_id, rng)).status
        revision += 1
    assert status.seat_to_move == -1
    told = await client.record(game.game_id)
    record = GameRecord.parse(told.record.text)
    assert told.record.complete
    assert told.status == status
    assert record.result == tuple(status.result.scores)
    assert min(status.result.places) == 1
    best = max(zip(record.state().ranks(), range(players), strict=True))[1]
    assert status.result.places[best] == 1


async def test_every_seat_sees_the_view_that_the_engine_gives_it(client: Client) -> None:
    game, rng = await client.create(3, seed=11), Rng(11)
    for _ in range(40):
        answer = await client.step(game.game_id, rng)
        state = GameRecord.parse((await client.record(game.game_id)).record.text).state()
        for seat in (-1, 0, 1, 2):
            seen = await client.view(game.game_id, seat)
            info = state.information_set(seat)
            assert requests.plain(seen.view.builders) == info.view()
            assert InformationSet.from_view("builders", requests.plain(seen.view.builders)) == info
            assert seen.status == answer.status
            legal = await client.legal(game.game_id, seat)
            assert [action.id for action in legal] == info.legal_actions()


async def test_an_action_is_told_by_number_kind_arguments_notation_and_words(client: Client) -> None:
    game = await client.create()
    info = describe("builders")
    for action in await client.legal(game.game_id, game.status.seat_to_move):
        assert parse_action("builders", action.text) == action.id
        kind = info.kinds[action.id >> 24]
        assert action.kind == kind.name
        assert [argument.name for argument in action.arguments] == [each.name for each in kind.arguments]
        for argument in action.arguments:
            value = argument.symbol if argument.HasField("symbol") else argument.number
            assert f"{argument.name}={value}" in action.text
        assert action.phrase
        assert "{" not in action.phrase


async def test_words_tell_apart_what_the_seat_can_choose_from(client: Client) -> None:
    game = await client.create()
    actions = await client.legal(game.game_id, game.status.seat_to_move)
    assert len({action.phrase for action in actions}) == len(actions)


async def test_an_action_is_taken_by_its_notation_as_well(client: Client) -> None:
    game = await client.create()
    request = rules_pb2.ApplyActionRequest(
        game_id=game.game_id,
        seat=game.status.seat_to_move,
        action_text=" coins( actions = 3 ) ",
        expected_revision=1,
    )
    answer = await client.rules.ApplyAction(request)
    seat = answer.view.builders.seats[game.status.seat_to_move]
    assert seat.coins == 10 + 6
    assert not answer.events


async def test_the_answer_to_an_action_tells_the_chance_events_that_followed(client: Client) -> None:
    game = await client.create()
    actions = await client.legal(game.game_id, game.status.seat_to_move)
    opening = next(action for action in actions if action.kind == "open")
    before = await client.view(game.game_id)
    answer = await client.apply(game.game_id, game.status, opening)
    (event,) = answer.events
    assert event.seat == -1
    assert event.action.kind == "reveal_site"
    assert answer.view.builders.building_top == event.action.arguments[0].symbol
    assert before.view.builders.building_top in answer.view.builders.building_row


async def test_equal_seeds_deal_equal_games_and_others_do_not(client: Client) -> None:
    one, same, other = [await client.create(seed=seed) for seed in (1, 1, 2)]
    views = [(await client.view(game.game_id)).view for game in (one, same, other)]
    assert views[0] == views[1]
    assert views[0] != views[2]
    assert one.game_id != same.game_id


async def test_without_a_seed_each_game_has_its_own_luck(client: Client) -> None:
    request = rules_pb2.CreateGameRequest(game="builders", players=2)
    games = [await client.rules.CreateGame(request) for _ in range(2)]
    views = [(await client.view(game.game_id)).view for game in games]
    assert views[0] != views[1]


async def test_options_left_out_have_their_defaults(client: Client) -> None:
    game = await client.create(max_rounds=5)
    seen = (await client.view(game.game_id)).view.builders
    assert (seen.max_rounds, seen.visible_tops) == (5, True)


async def test_creating_a_game_twice_with_one_request_id_makes_one_game(client: Client) -> None:
    request = rules_pb2.CreateGameRequest(game="builders", players=2, request_id="create-once-0123456789")
    first, second = [await client.rules.CreateGame(request) for _ in range(2)]
    assert first == second


async def test_playing_an_action_twice_with_one_request_id_plays_it_once(client: Client) -> None:
    game = await client.create()
    action = (await client.legal(game.game_id, game.status.seat_to_move))[0]
    first = await client.apply(game.game_id, game.status, action, request_id="play-once")
    later = await client.step(game.game_id, Rng(1))
    again = await client.apply(game.game_id, game.status, action, request_id="play-once")
    assert again == first
    assert (await client.view(game.game_id)).status == later.status


async def test_a_bot_decides_a_session_a_record_and_a_view_alike(client: Client) -> None:
    game = await client.create(seed=5)
    seat = game.status.seat_to_move
    record = (await client.record(game.game_id, seat)).record.text
    view = (await client.view(game.game_id, seat)).view
    same: dict[str, Any] = {"bot": "ismcts", "budget": ai_pb2.Budget(iterations=200), "seed": 3}
    session = ai_pb2.SessionPosition(game_id=game.game_id, seat=seat, expected_revision=1)
    positions: list[ai_pb2.ChooseActionRequest] = [
        ai_pb2.ChooseActionRequest(session=session, **same),
        ai_pb2.ChooseActionRequest(record=record, **same),
        ai_pb2.ChooseActionRequest(view=view, **same),
    ]
    answers = [await client.ai.ChooseAction(position) for position in positions]
    assert [answer.revision for answer in answers] == [1, 0, 0]
    for answer in answers:
        answer.ClearField("elapsed")
        answer.ClearField("iterations_per_second")
        answer.ClearField("revision")
    assert answers[0] == answers[1] == answers[2]
    assert answers[0].iterations == 200
    assert answers[0].stop_reason == ai_pb2.STOP_REASON_ITERATIONS
    assert sum(each.visits for each in answers[0].statistics) == 200
    assert answers[0].principal_variation[0] == answers[0].action


async def test_every_bot_listed_answers_with_a_legal_action_even_without_any_budget(client: Client) -> None:
    game = await client.create()
    legal = await client.legal(game.game_id, game.status.seat_to_move)
    bots = (await client.ai.ListBots(ai_pb2.ListBotsRequest())).bots
    assert [bot.name for bot in bots] == sorted(bot.name for bot in bots)
    assert {"random", "greedy", "flat_mc", "mcts", "ismcts"} <= {bot.name for bot in bots}
    for bot in bots:
        assert bot.summary
        assert all(option.type and option.text for option in bot.options)
        answer = await client.choose(game, bot.name, budget=ai_pb2.Budget(iterations=0))
        assert answer.action in legal
        assert answer.iterations == 0


async def test_the_levels_of_a_bot_are_listed_among_its_options(client: Client) -> None:
    bots = (await client.ai.ListBots(ai_pb2.ListBotsRequest())).bots
    options = {bot.name: {option.name: option for option in bot.options} for bot in bots}
    level = options["ismcts"]["level"]
    assert level.type == ai_pb2.OPTION_TYPE_INTEGER
    assert "1 to 10" in level.text
    assert not level.default


async def test_a_proposal_changes_no_game(client: Client) -> None:
    game = await client.create()
    before = await client.view(game.game_id)
    await client.choose(game, "greedy")
    assert await client.view(game.game_id) == before


async def test_what_is_allowed_and_avoided_is_what_a_bot_considers(client: Client) -> None:
    game = await client.create()
    legal = [action.id for action in await client.legal(game.game_id, game.status.seat_to_move)]
    for bot in ("random", "greedy", "flat_mc", "ismcts"):
        for iterations in (0, 40):
            budget = ai_pb2.Budget(iterations=iterations)
            for allow, avoid, left in (
                (legal[2:4], [], legal[2:4]),
                ([], legal[1:], legal[:1]),
                (legal[:3], legal[1:], legal[:1]),
            ):
                answer = await client.choose(game, bot, budget=budget, allow=allow, avoid=avoid)
                assert answer.action.id in left
                assert {row.action.id for row in answer.statistics} <= set(left)


async def test_a_search_that_ends_early_says_that_it_is_decided(client: Client) -> None:
    game = await client.create()
    legal = await client.legal(game.game_id, game.status.seat_to_move)
    budget = ai_pb2.Budget(iterations=160)
    for pace, reason, iterations in (
        ("quick", ai_pb2.STOP_REASON_DECIDED, 90),  # with one action, at the first look after half
        ("even", ai_pb2.STOP_REASON_ITERATIONS, 160),
    ):
        answer = await client.choose(game, f"ismcts:pace={pace}", budget=budget, allow=[legal[1].id])
        assert (answer.stop_reason, answer.iterations) == (reason, iterations)


async def test_a_search_keeps_to_the_duration_it_is_given(client: Client) -> None:
    game = await client.create()
    budget = ai_pb2.Budget()
    budget.duration.FromMilliseconds(150)
    answer = await client.choose(game, "ismcts", budget=budget)
    assert answer.stop_reason == ai_pb2.STOP_REASON_TIME
    assert 0.14 < answer.elapsed.ToMilliseconds() / 1000 < 1.0
    assert answer.iterations > 0


async def test_a_game_that_was_built_anew_from_its_store_goes_on_as_it_would_have(
    client: Client, app: App
) -> None:
    game, twin = await client.create(seed=9), await client.create(seed=9)
    rngs = {game.game_id: Rng(2), twin.game_id: Rng(2)}
    for _ in range(30):
        answers = []
        for game_id, rng in rngs.items():
            answers.append(await client.step(game_id, rng))
        app.sessions._live.pop(game.game_id)
        assert answers[0] == answers[1]


def test_the_state_of_a_game_is_no_message() -> None:
    """A State never crosses to a client: no message has a field for one, and none has bytes but the seed."""
    assert State.__name__ not in vars(answers)
    assert State.__name__ not in vars(requests)
    for module in (ai_pb2, game_pb2, rules_pb2, server_pb2):
        for message in module.DESCRIPTOR.message_types_by_name.values():
            for field in message.fields:
                assert field.type != field.TYPE_BYTES or field.full_name in BYTES
