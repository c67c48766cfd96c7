// Plays a whole game over gRPC: for each decision it asks an AI, checks what it is told, and plays it.
// It knows the .proto files and how the games of the box are scored, and nothing else of the project.
//
//   node play.js HOST:PORT [GAME [PLAYERS [BOT]]]
//
// Prints one JSON line about the game and exits with 0, or throws.

'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { promisify } = require('node:util');
const grpc = require('@grpc/grpc-js');
const protoLoader = require('@grpc/proto-loader');

const PROTO = path.join(__dirname, '..', '..', 'proto');
const DEADLINE_MS = 10_000;

function loadPackage() {
  const files = ['kingsbridge/v1/rules.proto', 'kingsbridge/v1/ai.proto'];
  const options = { includeDirs: [PROTO], keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true };
  return grpc.loadPackageDefinition(protoLoader.loadSync(files, options)).kingsbridge.v1;
}

// A client whose methods take a request and return a promise.
function connect(Service, address) {
  const client = new Service(address, grpc.credentials.createInsecure());
  const calls = { close: () => client.close() };
  for (const name of Object.keys(Service.service)) {
    const method = promisify(client[name].bind(client));
    calls[name] = (request) => method(request, { deadline: Date.now() + DEADLINE_MS });
  }
  return calls;
}

async function refusedWith(code, call) {
  await assert.rejects(call, (error) => error.code === code);
}

// One decision: look, ask, check, play.
async function decide(rules, ai, game, bot) {
  const seat = game.status.seat_to_move;
  const place = { game_id: game.id, seat };
  const { view } = await rules.GetView(place);
  assert.equal(view.view, game.name);
  assert.equal(view[game.name].viewer, seat);
  assert.equal(view[game.name].mover, seat);
  const { actions } = await rules.ListLegalActions(place);
  const session = { ...place, expected_revision: game.status.revision };
  const choice = await ai.ChooseAction({ session, bot });
  assert.equal(choice.revision, game.status.revision);
  const legal = actions.find((action) => action.id === choice.action.id);
  assert.deepEqual(legal, choice.action);
  const request = { ...place, action_id: choice.action.id, expected_revision: game.status.revision };
  const applied = await rules.ApplyAction(request);
  assert.equal(applied.status.revision, game.status.revision + 1);
  await refusedWith(grpc.status.ABORTED, rules.ApplyAction(request));
  for (const event of applied.events) {
    assert.equal(event.seat, -1);
    if (event.action !== null) assert.ok(game.chance.has(event.action.kind), event.action.kind);
  }
  return { ...game, status: applied.status, view: applied.view[game.name], events: game.events + 1 + applied.events.length };
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

function checkEnd(game, description, record) {
  const { result } = game.status;
  assert.equal(game.status.seat_to_move, -1);
  assert.equal(game.view.phase, 'over');
  assert.deepEqual(result.scores, SCORING[game.name](game.view, description));
  assert.equal(result.scores[result.places.indexOf(1)], Math.max(...result.scores));
  assert.ok(record.complete);
  const lines = record.text.trim().split('\n');
  const events = lines.filter((line) => /^(\d: )?[a-z_]+\(/.test(line));
  assert.ok(events.length > game.events, 'the record holds the deal as well');
  assert.equal(lines.at(-1), `result ${result.scores.join(' ')}`);
}

async function play(address, name, players, bot) {
  const api = loadPackage();
  const rules = connect(api.RulesService, address);
  const ai = connect(api.AiService, address);
  const { games } = await rules.ListGames({});
  assert.ok(games.some((game) => game.name === name));
  const { bots } = await ai.ListBots({});
  assert.ok(bots.some((each) => each.name === bot.split(':')[0]));
  const { game: description } = await rules.DescribeGame({ game: name });
  const chance = new Set(description.kinds.filter((kind) => kind.chance).map((kind) => kind.name));
  await refusedWith(grpc.status.NOT_FOUND, rules.DescribeGame({ game: 'chess' }));
  const created = await rules.CreateGame({ game: name, players });
  let game = { name, chance, id: created.game_id, status: created.status, view: null, events: 0 };
  while (!game.status.over) game = await decide(rules, ai, game, bot);
  const { record } = await rules.GetRecord({ game_id: game.id, seat: -1 });
  checkEnd(game, description, record);
  rules.close();
  ai.close();
  return { decisions: game.status.revision - 1, rounds: game.view.round ?? game.view.year, scores: game.status.result.scores };
}

const [address, name = 'builders', players = '2', bot = 'ismcts:iterations=50'] = process.argv.slice(2);
if (address === undefined) {
  console.error('usage: node play.js HOST:PORT [GAME [PLAYERS [BOT]]]');
  process.exit(2);
}
play(address, name, Number(players), bot).then((summary) => console.log(JSON.stringify(summary)));
