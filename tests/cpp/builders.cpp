// The Builders: what must hold at every position, counted plainly card by card; the packed arithmetic; the two cards of one face.
#include <algorithm>
#include <array>
#include <compare>
#include <tuple>

#include "games/builders/builders.hpp"
#include "games/builders/tables.hpp"
#include "laws.hpp"

namespace kingsbridge::tests {
namespace {

using builders::Phase;
using builders::Resources;
using builders::State;
using builders::Table;

// A worker's or machine's row of the card tables, found by its symbol.
struct WorkerCard {
  int wage = 0;
  Resources makes{};
};

WorkerCard find_worker_card(std::string_view symbol) {
  for (const auto& worker : builders::kWorkers)
    if (worker.id == symbol) return {worker.wage, worker.makes};
  for (const auto& site : builders::kSites)
    if (site.id == symbol) return {0, site.makes};
  FAIL("no such worker");
  return {};
}

const WorkerCard& worker_card(unsigned face) {
  static const auto cards = [] {
    std::array<WorkerCard, builders::kFaces> all;
    std::ranges::transform(State::kInfo.domains[1].symbols, all.begin(), find_worker_card);
    return all;
  }();
  return cards.at(face);
}

// What a site still lacks, a resource at a time.
std::array<int, 4> lacking(const Table& t, unsigned site) {
  std::array<int, 4> missing{};
  for (std::size_t r = 0; r < 4; ++r) missing[r] = builders::kSites[site].needs[r];
  for (unsigned index = 0; index < t.place.size(); ++index) {
    if (t.place[index] != site + 1) continue;
    const auto makes = worker_card(builders::face_of(index)).makes;
    for (std::size_t r = 0; r < 4; ++r) missing[r] = std::max(0, missing[r] - makes[r]);
  }
  return missing;
}

std::array<int, 4> unpacked(unsigned packed) {
  std::array<int, 4> result{};
  for (unsigned r = 0; r < 4; ++r) result[r] = static_cast<int>(packed >> 4 * r & 15u);
  return result;
}

TEST_CASE("Packed resources subtract and add like four numbers, over all needs and all producers") {
  for (unsigned missing = 0; missing < 0x8000; ++missing) {
    if ((missing & 0x8888u) != 0) continue;
    const auto before = unpacked(missing);
    CHECK(builders::total(static_cast<builders::Packed>(missing)) == static_cast<unsigned>(before[0] + before[1] + before[2] + before[3]));
    for (unsigned face = 0; face < builders::kFaces; ++face) {
      const auto makes = worker_card(face).makes;
      REQUIRE(unpacked(builders::kProduction[face]) == std::array<int, 4>{makes[0], makes[1], makes[2], makes[3]});
      auto expected = before;
      for (std::size_t r = 0; r < 4; ++r) expected[r] = std::max(0, expected[r] - makes[r]);
      REQUIRE(unpacked(builders::without(static_cast<builders::Packed>(missing), builders::kProduction[face])) == expected);
    }
  }
}

TEST_CASE("The tables of wages and needs are those of the cards") {
  for (unsigned face = 0; face < builders::kFaces; ++face) CHECK(builders::kWage[face] == worker_card(face).wage);
  CHECK(builders::kWage[builders::kTwin] == builders::kWage[builders::kDoubleFace]);
  CHECK(builders::kProduction[builders::kTwin] == builders::kProduction[builders::kDoubleFace]);
  for (unsigned site = 0; site < builders::kSiteCount; ++site) {
    const auto needs = builders::kSites[site].needs;
    CHECK(unpacked(builders::kNeed[site]) == std::array<int, 4>{needs[0], needs[1], needs[2], needs[3]});
  }
  CHECK(State::kInfo.domains[1].symbols[builders::kDoubleFace] == "W19");
}

TEST_CASE("Workers at work are those whose place is the site, by face") {
  Rng rng(6);
  for (int i = 0; i < 2000; ++i) {
    Table t{};
    for (std::size_t index = 0; index < 50; ++index)
      if (rng.below(3) != 0) t.place[index] = static_cast<std::uint8_t>(rng.below(i % 2 == 0 ? 3 : builders::kSiteCount + 1));
    for (unsigned site = 0; site < builders::kSiteCount; ++site) {
      Bits expected = 0;
      for (unsigned index = 0; index < t.place.size(); ++index)
        if (t.place[index] == site + 1) expected |= bit(index);
      REQUIRE(builders::places_of(t, site) == expected);
      if (contains(expected, builders::kTwin) && !contains(expected, builders::kDoubleFace))
        expected = (expected & ~bit(builders::kTwin)) | bit(builders::kDoubleFace);
      REQUIRE(builders::at_work(t, site) == expected);
    }
  }
}

// How often each card of the box is found. Machines count as sites; as workers they are checked apart.
struct Census {
  std::array<int, builders::kFaces> workers{};
  std::array<int, builders::kSiteCount> sites{};

  void add_workers(Bits set) {
    for (unsigned index = 0; index < 64; ++index)
      if (contains(set, index)) ++workers.at(builders::face_of(index));
  }
  void add_sites(Bits set) {
    for (unsigned index = 0; index < 64; ++index)
      if (contains(set, index)) ++sites.at(index);
  }
};

Census census(const Table& t) {
  Census census;
  census.add_workers(t.worker_row);
  census.add_workers(t.worker_deck);
  census.add_sites(t.site_row);
  census.add_sites(t.site_deck);
  if (t.worker_top != kNone) ++census.workers.at(t.worker_top);
  if (t.site_top != kNone) ++census.sites.at(t.site_top);
  for (const auto& seat : t.seats) {
    census.add_workers(seat.idle);
    census.add_sites(seat.open);
    census.add_sites(seat.done);
  }
  for (unsigned index = 0; index < t.place.size(); ++index)
    if (t.place[index] != 0) ++census.workers.at(builders::face_of(index));
  return census;
}

TEST_CASE("Each of the 84 cards is always in exactly one place, and a finished machine at work or idle with its owner") {
  for_each_node<State>([](const Game<State>& game) {
    const Table& t = game.state().table;
    const Census found = census(t);
    int cards = 0;
    for (unsigned face = 0; face < builders::kFirstMachine; ++face) {
      game.require(found.workers[face] == (face == builders::kDoubleFace ? 2 : 1), "a worker is lost or doubled");
      cards += found.workers[face];
    }
    for (const int copies : found.sites) {
      game.require(copies == 1, "a site is lost or doubled");
      cards += copies;
    }
    game.require(cards == 84, "84 cards");
    Bits done = 0;
    for (const auto& seat : t.seats) done |= seat.done;
    for (unsigned m = 0; m < 8; ++m)
      game.require(found.workers[builders::kFirstMachine + m] == (contains(done, builders::kFirstMachineSite + m) ? 1 : 0),
                   "a machine works before it is finished, or not after");
    for (unsigned index = 0; index < t.place.size(); ++index) {
      if (t.place[index] == 0) continue;
      const auto owner = std::ranges::find_if(t.seats, [&](const auto& seat) { return contains(seat.open, t.place[index] - 1u); });
      game.require(owner != t.seats.end(), "a worker at work on no open site");
      game.require(index < builders::kFirstMachine || index == builders::kTwin ||
                       contains(owner->done, index - builders::kFirstMachine + builders::kFirstMachineSite),
                   "a machine works for another seat");
    }
  });
}

TEST_CASE("Fields are zero where the field table says so, and derived ones follow from the rest") {
  for_each_node<State>([](const Game<State>& game) {
    const Table& t = game.state().table;
    Bits open = 0;
    for (unsigned seat = 0; seat < kMaxSeats; ++seat) {
      const auto& own = t.seats[seat];
      open |= own.open;
      int points = 0;
      for (unsigned site = 0; site < builders::kSiteCount; ++site)
        if (contains(own.done, site)) points += builders::kSites[site].points;
      game.require(t.points[seat] == points, "points are those of the finished sites");
      if (static_cast<int>(seat) >= game.players())
        game.require((own.idle | own.open | own.done) == 0 && t.coins[seat] == 0, "an unused seat owns something");
    }
    const bool mid_turn = t.phase != Phase::kOver && t.round > 0;
    for (unsigned site = 0; site < builders::kSiteCount; ++site) {
      const auto expected = contains(open, site) ? lacking(t, site) : std::array<int, 4>{};
      game.require(unpacked(t.missing[site]) == expected, "missing is not the need less the work");
      const bool movers = mid_turn && contains(t.seats[t.mover].open, site);
      game.require(movers || t.sent[site] == 0, "workers sent to a site that is not the mover's");
    }
    game.require(mid_turn || (t.actions == 0 && t.sold == 0), "actions outside a turn");
    game.require(t.options.cumulative_coins != 0 || t.sold == 0, "actions sold are counted for nothing");
    game.require(t.zero == std::array<std::uint8_t, 1>{}, "the filling is used");
    game.require(t.place[builders::kTwin] == 0 ||
                     (t.place[builders::kDoubleFace] != 0 && t.place[builders::kDoubleFace] <= t.place[builders::kTwin]),
                 "the twins are out of order");
    for (std::size_t index = 50; index < t.place.size(); ++index) game.require(t.place[index] == 0, "a worker that is no card");
    if (t.options.visible_tops == 0) game.require(t.site_top == kNone && t.worker_top == kNone, "a hidden top is known");
  });
}

// What an action does to the mover's coins and actions, by the words of the rules.
struct Effect {
  int coins = 0, actions = 0;
};

Effect effect(const Table& t, Action action) {
  const unsigned a = argument(action, 0);
  switch (kind_of(action)) {
    case builders::kOpen:
    case builders::kRecruit: return {0, -1};
    case builders::kSend: {
      const unsigned site = argument(action, 1);
      const WorkerCard worker = worker_card(a);
      auto left = lacking(t, site);
      for (std::size_t r = 0; r < 4; ++r) left[r] = std::max(0, left[r] - worker.makes[r]);
      const bool complete = left == std::array<int, 4>{};
      return {(complete ? builders::kSites[site].coins : 0) - worker.wage, -(t.sent[site] + 1)};
    }
    case builders::kCoins: {
      constexpr std::array<int, 3> kAlone{1, 3, 6};
      int coins = t.options.cumulative_coins == 0 ? kAlone[a] : 0;
      for (unsigned n = 0; n <= a && t.options.cumulative_coins != 0; ++n) coins += static_cast<int>((t.sold + n) % 3 + 1);
      return {coins, -static_cast<int>(a + 1)};
    }
    case builders::kBuy: return {-5, 1};
    default: return {};
  }
}

TEST_CASE("Coins and actions change by wages, rewards, exchanges and purchases, the mover's only, in equal turns for all") {
  for_each_start<State>(games_per_players(), [](Game<State>& game) {
    std::array<int, kMaxSeats> turns{};
    while (!game.over()) {
      const Table before = game.state().table;
      const bool decision = game.state().current_player() >= 0;
      game.step();
      const Table& after = game.state().table;
      const Effect expected = decision ? effect(before, game.record().back()) : Effect{};
      for (unsigned seat = 0; seat < kMaxSeats; ++seat) {
        const int change = after.coins[seat] - before.coins[seat];
        game.require(change == (decision && seat == before.mover ? expected.coins : 0), "coins moved otherwise");
      }
      if (!decision) continue;
      if (kind_of(game.record().back()) != builders::kEnd) {
        game.require(after.actions == before.actions + expected.actions, "actions moved otherwise");
        continue;
      }
      ++turns[before.mover];
      game.require(before.actions == 0 && after.actions == (after.phase == Phase::kOver ? 0 : 3), "a turn of other than three actions");
    }
    const Table& end = game.state().table;
    const bool reached = std::ranges::any_of(end.points, [](int points) { return points >= 17; });
    game.require(reached || end.round == end.options.max_rounds, "a game that ends for no reason");
    for (int seat = 0; seat < kMaxSeats; ++seat)
      game.require(turns[static_cast<std::size_t>(seat)] == (seat < game.players() ? end.round : 0), "seats had unequal turns");
  });
}

TEST_CASE("Ranks order the seats by score, then points of cards, then coins") {
  for_each_node<State>([](const Game<State>& game) {
    const Table& t = game.state().table;
    const Returns returns = game.state().returns();
    for (std::size_t a = 0; a < static_cast<std::size_t>(game.players()); ++a) {
      game.require(returns.score[a] == t.points[a] + t.coins[a] / 10, "a score of points and tens of coins");
      for (std::size_t b = 0; b < a; ++b) {
        const auto first = std::tuple(returns.score[a], t.points[a], t.coins[a]);
        const auto second = std::tuple(returns.score[b], t.points[b], t.coins[b]);
        game.require((first <=> second) == (returns.rank[a] <=> returns.rank[b]), "a rank against the tie-breaks");
      }
    }
  });
}

TEST_CASE("The weights of a reveal count the unseen cards, both cards of the double face") {
  for_each_node<State>([](const Game<State>& game) {
    OutcomeList outcomes;
    game.state().chance_outcomes(outcomes);
    if (outcomes.empty()) return;
    unsigned sum = 0, twins = 0;
    for (const Outcome& outcome : outcomes) {
      sum += outcome.weight;
      if (outcome.action == pack(builders::kRevealWorker, builders::kDoubleFace))
        twins = outcome.weight;
      else
        game.require(outcome.weight == 1, "a single card has weight 1");
    }
    const Table& t = game.state().table;
    const unsigned kind = kind_of(outcomes[0].action);
    if (kind == builders::kRevealSite) game.require(sum == count(t.site_deck), "weights of the sites");
    if (kind != builders::kRevealWorker) return;
    game.require(sum == count(t.worker_deck), "weights of the workers");
    game.require(twins == count(t.worker_deck & (bit(builders::kDoubleFace) | bit(builders::kTwin))), "weight of the double face");
  });
}

unsigned index_of(int domain, std::string_view symbol) {
  const auto symbols = State::kInfo.domains[static_cast<std::size_t>(domain)].symbols;
  const auto found = std::ranges::find(symbols, symbol);
  REQUIRE(found != symbols.end());
  return static_cast<unsigned>(found - symbols.begin());
}

// Two players, seat 0 first, with these five workers in the row: W19 and W30 among them.
State twins_in_the_row() {
  State state = State::initial({});
  const auto play = [&](std::string_view text) {
    const Parsed parsed = parse_action(State::kInfo, text);
    REQUIRE_MESSAGE(parsed.error.empty(), parsed.error);
    state.apply(parsed.action);
  };
  play("start(seat=0)");
  play("apprentice(seat=0, worker=W01)");
  play("apprentice(seat=1, worker=W02)");
  for (const char* site : {"B30", "B31", "B32", "B33", "B34", "B29"}) {
    if (site == std::string_view("B29"))
      for (const char* worker : {"W19", "W19", "W20", "W21", "W22"}) play("reveal_worker(worker=" + std::string(worker) + ")");
    play("reveal_site(site=" + std::string(site) + ")");
  }
  play("reveal_worker(worker=W23)");
  REQUIRE(state.current_player() == 0);
  return state;
}

State after(State state, std::initializer_list<std::string_view> actions) {
  for (const auto text : actions) {
    const Parsed parsed = parse_action(State::kInfo, text);
    REQUIRE_MESSAGE(parsed.error.empty(), parsed.error);
    ActionList legal;
    OutcomeList outcomes;
    state.legal_actions(legal);
    state.chance_outcomes(outcomes);
    const bool possible = std::ranges::binary_search(legal, parsed.action) ||
                          std::ranges::any_of(outcomes, [&](const Outcome& outcome) { return outcome.action == parsed.action; });
    REQUIRE_MESSAGE(possible, text);
    state.apply(parsed.action);
  }
  return state;
}

TEST_CASE("Two cards of one face are interchangeable: whichever goes where, the bytes are equal") {
  const State recruited = after(twins_in_the_row(), {"recruit(worker=W19)", "reveal_worker(worker=W24)", "recruit(worker=W19)",
                                                     "reveal_worker(worker=W25)", "open(site=B30)", "reveal_site(site=B01)", "end()",
                                                     "coins(actions=3)", "end()", "open(site=B33)", "reveal_site(site=B02)"});
  const State one = after(recruited, {"send(worker=W19, site=B30)", "send(worker=W19, site=B33)"});
  const State other = after(recruited, {"send(worker=W19, site=B33)", "send(worker=W19, site=B30)"});
  CHECK(one == other);
  CHECK(key(one) == key(other));
  CHECK(one.table.place[builders::kDoubleFace] == index_of(2, "B30") + 1);
  CHECK(one.table.place[builders::kTwin] == index_of(2, "B33") + 1);
}

// Piles count faces: the bit of the second card stands beside that of the first, in every pile of a view that is accepted.
TEST_CASE("A second card of the double face without the first is refused") {
  const State state = after(twins_in_the_row(), {"recruit(worker=W19)", "reveal_worker(worker=W24)"});
  Table row = state.table, deck = state.table, hand = state.table;
  row.worker_row ^= bit(builders::kDoubleFace) | bit(builders::kTwin);
  hand.seats[0].idle ^= bit(builders::kDoubleFace) | bit(builders::kTwin);
  deck.worker_row ^= bit(builders::kDoubleFace) | bit(index_of(1, "W25"));
  deck.worker_deck ^= bit(builders::kTwin) | bit(index_of(1, "W25"));
  CHECK_FALSE(State::check(state.view(0)));
  for (const Table& table : {row, deck, hand}) CHECK(State::check({table, 0}));
}

// Every site open in front of one seat that employs all workers but one: a long game can come to it.
State widest_position() {
  State state = State::initial({.max_rounds = 255});
  Table& t = state.table;
  const unsigned other = index_of(1, "W02");
  t.seats[0].idle = builders::kAllWorkers & ~bit(other);
  t.seats[1].idle = bit(other);
  t.seats[0].open = builders::kAllSites;
  t.site_deck = t.worker_deck = 0;
  for (unsigned site = 0; site < builders::kSiteCount; ++site) t.missing[site] = builders::kNeed[site];
  t.phase = Phase::kPlay;
  t.round = 60;
  t.actions = 3;
  t.coins[0] = 100;
  return state;
}

TEST_CASE("The widest position is accepted and its actions fit the list") {
  const State state = widest_position();
  const Violation violation = State::check(state.view(0));
  CHECK_MESSAGE(!violation, violation.field << ": " << violation.rule);
  ActionList actions;
  state.legal_actions(actions);
  CHECK(actions.size() == 40 * 42 + 3 + 1);
  CHECK(broken_legal_list(state).empty());
}

TEST_CASE("The light policy plays from the widest position") {
  State state = widest_position();
  Rng rng(8);
  while (!is_terminal(state)) {
    REQUIRE(broken_legal_list(state).empty());
    ActionList actions;
    state.legal_actions(actions);
    const Action action = state.sample_light(rng);
    REQUIRE(std::ranges::binary_search(actions, action));
    state.apply(action);
  }
}

}  // namespace
}  // namespace kingsbridge::tests
