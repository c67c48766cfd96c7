// Plays a whole game over gRPC: for each decision it asks an AI, checks what it is told, and plays it; a spectator watches.
// It knows the .proto files and how the games of the box are scored, and nothing else of the project.
//
//   node play.js HOST:PORT [GAME [PLAYERS [BOT]]]
//
// Prints one JSON line about the game and exits with 0, or throws.

'use strict';

const assert = require('node:assert/strict');
const { createHash, randomUUID } = require('node:crypto');
const path = require('node:path');
const { promisify } = require('node:util');
const grpc = require('@grpc/grpc-js');
const protoLoader = require('@grpc/proto-loader');

const PROTO = path.join(__dirname, '..', '..', 'proto');
const DEADLINE_MS = 10_000;
const WATCH_MS = 120_000;
// A bot that thinks as long as it may.
const ENDLESS = 'ismcts:iterations=1000000000,nodes=1000';

function loadPackage() {
  const files = ['kingsbridge/v1/rules.proto', 'kingsbridge/v1/ai.proto'];
  const options = { includeDirs: [PROTO], keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true };
  return grpc.loadPackageDefinition(protoLoader.loadSync(files, options)).kingsbridge.v1;
}

// A client whose methods take a request and the token to show; they return a promise, or a stream of messages.
function connect(Service, address) {
  const client = new Service(address, grpc.credentials.createInsecure());
  const calls = { close: () => client.close() };
  for (const [name, { responseStream }] of Object.entries(Service.service)) {
    const method = client[name].bind(client);
    const made = responseStream ? method : promisify(method);
    const limit = name === 'WatchGame' ? WATCH_MS : DEADLINE_MS;
    calls[name] = (request, token) => made(request, shown(token), { deadline: Date.now() + limit });
  }
  return calls;
}

function shown(token) {
  const metadata = new grpc.Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  return metadata;
}

async function refusedWith(code, call) {
  await assert.rejects(call, (error) => error.code === code);
}

// Follows a game as a spectator does. It gathers the events, and can be waited for.
class Watch {
  constructor(rules, created) {
    this.events = [];
    this.status = created.status;
    this.waiting = [];
    this.ended = this.follow(rules.WatchGame({ game_id: created.game_id, seat: -1 }, created.spectator_token));
  }

  async follow(stream) {
    for await (const message of stream) {
      for (const event of message.events) assert.equal(this.events.push(event), event.index + 1, 'each event once, in order');
      assert.equal(message.next_event, this.events.length);
      this.status = message.status;
      this.waiting = this.waiting.filter(({ condition, done }) => !condition(this.status) || done());
    }
  }

  until(condition) {
    if (condition(this.status)) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ condition, done: () => resolve() }));
  }
}

// One decision: look, ask, check, play.
async function decide(api, game, bot) {
  const seat = game.status.seat_to_move;
  const { view } = await api.rules.GetView({ game_id: game.id, seat }, game.tokens[seat]);
  assert.equal(view.view, game.name);
  assert.equal(view[game.name].viewer, seat);
  assert.equal(view[game.name].mover, seat);
  const session = { game_id: game.id, seat, expected_revision: game.status.revision };
  const choice = await api.ai.ChooseAction({ session, bot }, game.tokens[seat]);
  return apply(api, game, choice);
}

// All decisions of a turn, or as many as there are before chance has its say.
async function decideTurn(api, game, bot) {
  const seat = game.status.seat_to_move;
  const session = { game_id: game.id, seat, expected_revision: game.status.revision };
  const turn = await api.ai.ChooseTurn({ session, bot }, game.tokens[seat]);
  assert.ok(turn.decisions.length > 0);
  let after = game;
  for (const choice of turn.decisions) {
    assert.equal(after.status.seat_to_move, seat);
    after = await apply(api, after, { ...choice, revision: after.status.revision });
  }
  if (turn.turn_over) assert.notEqual(after.status.seat_to_move, seat);
  return after;
}

async function apply(api, game, choice) {
  const seat = game.status.seat_to_move;
  const place = { game_id: game.id, seat };
  const { actions } = await api.rules.ListLegalActions(place, game.tokens[seat]);
  assert.equal(choice.revision, game.status.revision);
  assert.deepEqual(actions.find((action) => action.id === choice.action.id), choice.action);
  const request = { ...place, action_id: choice.action.id, expected_revision: game.status.revision, request_id: randomUUID() };
  const applied = await api.rules.ApplyAction(request, game.tokens[seat]);
  assert.equal(applied.status.revision, game.status.revision + 1);
  assert.deepEqual(await api.rules.ApplyAction(request, game.tokens[seat]), applied, 'the same request is answered again');
  await refusedWith(grpc.status.ABORTED, api.rules.ApplyAction({ ...request, request_id: randomUUID() }, game.tokens[seat]));
  for (const event of applied.events) {
    assert.equal(event.seat, -1);
    if (event.action !== null) assert.ok(game.chance.has(event.action.kind), event.action.kind);
  }
  return { ...game, status: applied.status, view: applied.view[game.name] };
}

// A token opens its seat, and what all see; nothing else does.
async function checkTokens(rules, game) {
  const { UNAUTHENTICATED, PERMISSION_DENIED } = grpc.status;
  const look = (seat, token) => rules.GetView({ game_id: game.id, seat }, token);
  await refusedWith(UNAUTHENTICATED, look(0, undefined));
  await refusedWith(UNAUTHENTICATED, look(0, 'kb1.forged.token'));
  await refusedWith(PERMISSION_DENIED, look(0, game.tokens[-1]));
  await refusedWith(PERMISSION_DENIED, look(0, game.tokens[1]));
  const { view } = await look(-1, game.tokens[-1]);
  assert.deepEqual((await look(-1, game.tokens[0])).view, view);
  const move = { game_id: game.id, seat: game.status.seat_to_move, action_id: 0, expected_revision: 1 };
  await refusedWith(PERMISSION_DENIED, rules.ApplyAction(move, game.tokens[-1]));
}

// A search that is told of while it goes on ends with one last message.
async function analyze(ai, game, bot) {
  const seat = game.status.seat_to_move;
  const reports = [];
  const request = { session: { game_id: game.id, seat }, bot, report_interval: { seconds: 0, nanos: 50_000_000 } };
  for await (const report of ai.Analyze(request, game.tokens[seat])) reports.push(report);
  assert.deepEqual(reports.map((report) => report.final), reports.map((_, index) => index === reports.length - 1));
  assert.ok(reports.at(-1).choice.action.text);
}

// The player to move leaves: a bot plays the seat as long as it is its turn, and then the player is back.
async function leaveAndReturn(rules, game, watch) {
  const seat = game.status.seat_to_move;
  const place = { game_id: game.id, seat };
  const take = (bot) => rules.TakeOverSeat({ game_id: game.id, bot: { seat, bot } }, game.tokens[seat]);
  const giveBack = () => rules.GiveBackSeat(place, game.tokens[seat]);
  assert.equal((await take(ENDLESS)).status.bots[seat], ENDLESS);
  const { actions } = await rules.ListLegalActions(place, game.tokens[seat]);
  const move = { ...place, action_id: actions[0].id, expected_revision: game.status.revision };
  await refusedWith(grpc.status.FAILED_PRECONDITION, rules.ApplyAction(move, game.tokens[seat]));
  assert.equal((await giveBack()).status.bots[seat], '');
  await refusedWith(grpc.status.FAILED_PRECONDITION, giveBack());
  await take('greedy');
  await watch.until((status) => status.seat_to_move !== seat);
  const { status } = await giveBack();
  assert.ok(status.revision > game.status.revision);
  return { ...game, status };
}

// The scores and the end by the rules in the box. Builders: points of completed cards, and one for every ten coins; over at 17 points.
const SCORING = {
  builders(view, description) {
    const points = new Map(description.components.map((card) => [card.id, card.attributes.find((each) => each.name === 'points')?.value ?? 0]));
    assert.ok(view.seats.some((seat) => seat.points >= 17) || view.round === view.max_rounds);
    return view.seats.map((seat) => {
      assert.equal(seat.points, seat.completed.reduce((sum, card) => sum + points.get(card), 0));
      return seat.points + Math.floor(seat.coins / 10);
    });
  },
  // Pillars: the points on the track, after six rounds.
  pillars(view) {
    assert.equal(view.round, 6);
    return view.seats.map((seat) => seat.points);
  },
  // Column: to the points on the track 2 for a house, 1 for a protection tile, 1 for two goods, and the tiles of 1, 2 and 3 points.
  column(view) {
    assert.ok(view.ending || view.year === view.max_years);
    return view.seats.map((seat) => {
      const houses = seat.houses.filter((site) => site > 0).length;
      const goods = seat.goods.reduce((sum, number) => sum + number, 0);
      const [one, two, three] = seat.tiles;
      return seat.points + 2 * houses + seat.protection + Math.floor(goods / 2) + one + 2 * two + 3 * three;
    });
  },
};

function checkEnd(game, description, record, events) {
  const { result } = game.status;
  assert.equal(game.status.seat_to_move, -1);
  assert.equal(game.view.phase, 'over');
  assert.deepEqual(result.scores, SCORING[game.name](game.view, description));
  assert.equal(result.scores[result.places.indexOf(1)], Math.max(...result.scores));
  assert.ok(record.complete);
  const lines = record.text.trim().split('\n');
  assert.equal(lines.filter((line) => /^(\d: )?[a-z_]+\(/.test(line)).length, events.length);
  assert.deepEqual(lines.slice(-2), [`result ${result.scores.join(' ')}`, `seed ${record.seed.toString('hex')}`]);
  const commitment = createHash('sha256').update('kingsbridge-seed:').update(record.seed).digest();
  assert.deepEqual(commitment, game.commitment, 'the luck is the one that was committed to');
}

async function begin(rules, name, players) {
  const { game: description } = await rules.DescribeGame({ game: name });
  await refusedWith(grpc.status.NOT_FOUND, rules.DescribeGame({ game: 'chess' }));
  const created = await rules.CreateGame({ game: name, players });
  const game = {
    name,
    chance: new Set(description.kinds.filter((kind) => kind.chance).map((kind) => kind.name)),
    id: created.game_id,
    tokens: { ...created.seat_tokens, [-1]: created.spectator_token },
    commitment: created.seed_commitment,
    status: created.status,
    view: null,
  };
  return { description, game, watch: new Watch(rules, created) };
}

async function play(address, name, players, bot) {
  const services = loadPackage();
  const api = { rules: connect(services.RulesService, address), ai: connect(services.AiService, address) };
  const { games } = await api.rules.ListGames({});
  assert.ok(games.some((game) => game.name === name));
  const { bots } = await api.ai.ListBots({});
  assert.ok(bots.some((each) => each.name === bot.split(':')[0]));
  const { description, game: start, watch } = await begin(api.rules, name, players);
  await checkTokens(api.rules, start);
  await analyze(api.ai, start, bot);
  let game = await leaveAndReturn(api.rules, start, watch);
  for (let turn = 0; !game.status.over; turn += 1) game = await (turn % 2 ? decideTurn : decide)(api, game, bot);
  const { record } = await api.rules.GetRecord({ game_id: game.id, seat: -1 }, game.tokens[-1]);
  await watch.ended;
  assert.deepEqual(watch.status, game.status);
  checkEnd(game, description, record, watch.events);
  api.rules.close();
  api.ai.close();
  return { decisions: game.status.revision - 1, rounds: game.view.round ?? game.view.year, scores: game.status.result.scores };
}

const [address, name = 'builders', players = '2', bot = 'ismcts:iterations=50'] = process.argv.slice(2);
if (address === undefined) {
  console.error('usage: node play.js HOST:PORT [GAME [PLAYERS [BOT]]]');
  process.exit(2);
}
play(address, name, Number(players), bot).then((summary) => console.log(JSON.stringify(summary)));
