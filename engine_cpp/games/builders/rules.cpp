// Play: the six decisions and the four chance events. Sections in brackets are those of the rules file's order of play.
#include <cassert>
#include <cstring>
#include <utility>

#include "games/builders/builders.hpp"
#include "games/builders/tables.hpp"

namespace kingsbridge::builders {
namespace {

// Coins for selling k actions: 1, 3, 6 in one exchange; with cumulative_coins the n-th action sold in a turn pays 1, 2, 3, 1, ...
unsigned coins_for(const Table& t, unsigned k) {
  unsigned sum = 0;
  for (unsigned i = 0; i < k; ++i) sum += (t.sold + i) % 3 + 1;
  return sum;
}

// Whose turn comes after the seat's, clockwise.
unsigned next_seat(const Table& t, unsigned seat) { return seat + 1u == t.options.players ? 0 : seat + 1u; }

// A row and its deck top as one pair, since both decks refill alike.
struct Pile {
  Bits& row;
  const Bits& deck;
  std::uint8_t& top;
};

void take(Pile pile, Bits row_without) {
  pile.row = row_without;
  if (pile.top != kNone) {
    pile.row = with(pile.row, pile.top);
    pile.top = kNone;
  }
}

void begin_game(Table& t) {
  t.phase = Phase::kPlay;
  t.round = 1;
  t.actions = kTurnActions;
}

// Goes on after a card moved: reveal what is due, or let the mover decide.
void after_refill(Table& t) {
  if (pending(t) != Pending::kNothing) {
    t.phase = Phase::kReveal;
  } else if (t.round == 0) {
    begin_game(t);
  } else {
    t.phase = Phase::kPlay;
  }
}

void open_site(Table& t, unsigned site) {
  Seat& seat = t.seats[t.mover];
  seat.open |= bit(site);
  t.missing[site] = kNeed[site];
  t.actions = static_cast<std::uint16_t>(t.actions - 1);
  take({t.site_row, t.site_deck, t.site_top}, t.site_row & ~bit(site));
  after_refill(t);
}

void recruit(Table& t, unsigned face) {
  Seat& seat = t.seats[t.mover];
  seat.idle = with(seat.idle, face);
  t.actions = static_cast<std::uint16_t>(t.actions - 1);
  take({t.worker_row, t.worker_deck, t.worker_top}, less(t.worker_row, face));
  after_refill(t);
}

// Keeps the two cards of the double face in order, so that equal positions have equal bytes.
void order_twins(Table& t) {
  auto& low = t.place[kDoubleFace];
  auto& high = t.place[kTwin];
  if (high != 0 && (low == 0 || low > high)) std::swap(low, high);
}

// All workers go back, the coins are paid, the card counts; a machine joins the workers [completion].
void complete(Table& t, unsigned site) {
  Seat& seat = t.seats[t.mover];
  for_each(places_of(t, site), [&](unsigned index) {
    seat.idle = with(seat.idle, face_of(index));
    t.place[index] = 0;
  });
  order_twins(t);
  seat.open &= ~bit(site);
  seat.done |= bit(site);
  t.sent[site] = 0;
  t.coins[t.mover] = static_cast<std::uint16_t>(t.coins[t.mover] + kSites[site].coins);
  t.points[t.mover] = static_cast<std::uint8_t>(t.points[t.mover] + kSites[site].points);
  if (is_machine_site(site)) seat.idle |= bit(machine_of(site));
}

void send(Table& t, unsigned face, unsigned site) {
  Seat& seat = t.seats[t.mover];
  seat.idle = less(seat.idle, face);
  const unsigned index = face == kDoubleFace && t.place[kDoubleFace] != 0 ? kTwin : face;
  t.place[index] = static_cast<std::uint8_t>(site + 1);
  if (face == kDoubleFace) order_twins(t);
  t.coins[t.mover] = static_cast<std::uint16_t>(t.coins[t.mover] - kWage[face]);
  t.sent[site] = static_cast<std::uint8_t>(t.sent[site] + 1);
  t.actions = static_cast<std::uint16_t>(t.actions - t.sent[site]);
  t.missing[site] = without(t.missing[site], kProduction[face]);
  if (t.missing[site] == 0) complete(t, site);
}

void sell_actions(Table& t, unsigned k) {
  t.coins[t.mover] = static_cast<std::uint16_t>(t.coins[t.mover] + coins_for(t, k));
  t.actions = static_cast<std::uint16_t>(t.actions - k);
  if (t.options.cumulative_coins != 0) t.sold = static_cast<std::uint8_t>((t.sold + k) % 3);
}

void buy_action(Table& t) {
  t.coins[t.mover] = static_cast<std::uint16_t>(t.coins[t.mover] - kActionPrice);
  t.actions = static_cast<std::uint16_t>(t.actions + 1);
}

void end_game(Table& t) {
  t.phase = Phase::kOver;
  t.mover = 0;
  t.actions = 0;
}

// Equal turns for all: the game ends only before the start player's next turn [end of the game].
void end_turn(Table& t) {
  t.sent = {};
  t.sold = 0;
  const unsigned next = next_seat(t, t.mover);
  if (next == t.start_player) {
    if (final_round(t) || t.points[t.mover] >= kGoal) return end_game(t);
    t.round = static_cast<std::uint8_t>(t.round + 1);
  }
  t.mover = static_cast<std::uint8_t>(next);
  t.actions = kTurnActions;
}

void choose_start(Table& t, unsigned seat) {
  t.start_player = t.mover = static_cast<std::uint8_t>(seat);
  t.phase = Phase::kApprentices;
}

void deal_apprentice(Table& t, unsigned seat, unsigned face) {
  t.seats[seat].idle = bit(face);
  t.worker_deck &= ~bit(face);
  if (seat + 1u == t.options.players) t.phase = Phase::kReveal;
}

void reveal_site(Table& t, unsigned site) {
  t.site_deck &= ~bit(site);
  if (count(t.site_row) >= kRow)
    t.site_top = static_cast<std::uint8_t>(site);
  else
    t.site_row |= bit(site);
  after_refill(t);
}

void reveal_worker(Table& t, unsigned face) {
  t.worker_deck = less(t.worker_deck, face);
  if (count(t.worker_row) >= kRow)
    t.worker_top = static_cast<std::uint8_t>(face);
  else
    t.worker_row = with(t.worker_row, face);
  after_refill(t);
}

// The mover's open sites that a worker can still be sent to: the n-th to one site in a turn costs n actions [send].
Bits reachable(const Table& t) {
  Bits sites = 0;
  for_each(t.seats[t.mover].open, [&](unsigned site) {
    if (t.sent[site] < t.actions) sites |= bit(site);
  });
  return sites;
}

// The mover's idle workers whose wage he can pay, by face.
Bits payable(const Table& t) {
  const unsigned coins = t.coins[t.mover];
  return faces(t.seats[t.mover].idle) & kPayable[coins < kPayable.size() ? coins : kPayable.size() - 1];
}

unsigned largest_exchange(const Table& t) { return t.actions < 3 ? t.actions : 3; }

// The seat that gets the next apprentice.
unsigned next_apprentice(const Table& t) {
  unsigned seat = 0;
  while (t.seats[seat].idle != 0) ++seat;
  return seat;
}

}  // namespace

Bits places_of(const Table& table, unsigned site) {
  // Compares eight bytes at a time: a byte of `same` is zero where the worker stands on the site.
  Bits workers = 0;
  const std::uint64_t wanted = 0x0101010101010101u * (site + 1);
  for (unsigned word = 0; word < table.place.size() / 8; ++word) {
    std::uint64_t places;
    std::memcpy(&places, table.place.data() + 8 * word, 8);
    const std::uint64_t same = places ^ wanted;
    const std::uint64_t low = 0x7F7F7F7F7F7F7F7Fu;
    const std::uint64_t zero_bytes = ~(((same & low) + low) | same | low);  // 0x80 in each byte that was zero
    workers |= ((zero_bytes >> 7) * 0x0102040810204080u >> 56) << (8 * word);
  }
  return workers;
}

bool Table::operator==(const Table& other) const { return std::memcmp(this, &other, sizeof(Table)) == 0; }

Pending pending(const Table& t) {
  if (t.site_deck != 0 && count(t.site_row) < kRow) return Pending::kSiteToRow;
  if (t.worker_deck != 0 && count(t.worker_row) < kRow) return Pending::kWorkerToRow;
  if (t.options.visible_tops == 0) return Pending::kNothing;
  if (t.site_deck != 0 && t.site_top == kNone) return Pending::kSiteToTop;
  if (t.worker_deck != 0 && t.worker_top == kNone) return Pending::kWorkerToTop;
  return Pending::kNothing;
}

bool final_round(const Table& t) {
  if (t.round == t.options.max_rounds) return true;
  // Points are compared at the end of a seat's own turn: the mover's do not count yet.
  for (unsigned seat = 0; seat < t.options.players; ++seat)
    if (seat != t.mover && t.points[seat] >= kGoal) return true;
  return false;
}

State State::initial(Options options) {
  State state{};
  Table& t = state.table;
  t.options = options;
  t.site_deck = kAllSites;
  t.worker_deck = kAllWorkers;
  t.site_top = t.worker_top = kNone;
  for (unsigned seat = 0; seat < options.players; ++seat) t.coins[seat] = kStartCoins;
  return state;
}

Player State::current_player() const {
  if (table.phase == Phase::kPlay) return table.mover;
  return table.phase == Phase::kOver ? kTerminal : kChance;
}

void State::legal_actions(ActionList& actions) const {
  const Table& t = table;
  if (t.phase != Phase::kPlay) return;
  if (t.actions > 0) {
    for_each(t.site_row, [&](unsigned site) { actions.push_back(pack(kOpen, site)); });
    for_each(faces(t.worker_row), [&](unsigned face) { actions.push_back(pack(kRecruit, face)); });
    const Bits sites = reachable(t);
    for_each(payable(t), [&](unsigned face) { for_each(sites, [&](unsigned site) { actions.push_back(pack(kSend, face, site)); }); });
    for (unsigned k = 1; k <= largest_exchange(t); ++k) actions.push_back(pack(kCoins, k - 1));
  }
  if (t.coins[t.mover] >= kActionPrice) actions.push_back(pack(kBuy));
  if (t.actions == 0) actions.push_back(pack(kEnd));
}

// Counts the legal actions instead of listing them: a rollout needs only one.
Action State::sample_uniform(Rng& rng) const {
  const Table& t = table;
  const bool can_buy = t.coins[t.mover] >= kActionPrice;
  if (t.actions == 0) return can_buy && rng.below(2) == 0 ? pack(kBuy) : pack(kEnd);
  const Bits recruits = faces(t.worker_row), workers = payable(t), sites = reachable(t);
  const unsigned open = count(t.site_row), recruit = count(recruits), reach = count(sites);
  const unsigned send = count(workers) * reach, exchange = largest_exchange(t);
  unsigned k = rng.below(open + recruit + send + exchange + (can_buy ? 1u : 0u));
  if (k < open) return pack(kOpen, nth(t.site_row, k));
  if ((k -= open) < recruit) return pack(kRecruit, nth(recruits, k));
  k -= recruit;
  if (reach > 0 && k < send) return pack(kSend, nth(workers, k / reach), nth(sites, k % reach));
  if ((k -= send) < exchange) return pack(kCoins, k);
  return pack(kBuy);
}

void State::chance_outcomes(OutcomeList& outcomes) const {
  const Table& t = table;
  const auto each = [&](Bits set, unsigned kind, auto&& make) {
    for_each(faces(set), [&](unsigned index) {
      const bool twice = kind == kRevealWorker && index == kDoubleFace && contains(set, kTwin);
      outcomes.push_back({make(index), twice ? 2u : 1u});
    });
  };
  if (t.phase == Phase::kStart) {
    each((Bits{1} << t.options.players) - 1, kChooseStart, [](unsigned seat) { return pack(kChooseStart, seat); });
  } else if (t.phase == Phase::kApprentices) {
    const unsigned seat = next_apprentice(t);
    each(t.worker_deck & kApprentices, kDealApprentice, [&](unsigned face) { return pack(kDealApprentice, seat, face); });
  } else if (t.phase == Phase::kReveal) {
    const Pending next = pending(t);
    const bool site = next == Pending::kSiteToRow || next == Pending::kSiteToTop;
    const unsigned kind = site ? kRevealSite : kRevealWorker;
    each(site ? t.site_deck : t.worker_deck, kind, [&](unsigned index) { return pack(kind, index); });
  }
}

Action State::sample_chance(Rng& rng) const {
  const Table& t = table;
  const auto draw = [&](Bits set) { return nth(set, rng.below(count(set))); };
  if (t.phase == Phase::kStart) return pack(kChooseStart, rng.below(t.options.players));
  if (t.phase == Phase::kApprentices) {
    const unsigned seat = next_apprentice(t);
    return pack(kDealApprentice, seat, draw(t.worker_deck & kApprentices));
  }
  assert(t.phase == Phase::kReveal);
  const Pending next = pending(t);
  if (next == Pending::kSiteToRow || next == Pending::kSiteToTop) return pack(kRevealSite, draw(t.site_deck));
  return pack(kRevealWorker, face_of(draw(t.worker_deck)));
}

void State::apply(Action action) {
  assert(allows(*this, action));
  const unsigned a = argument(action, 0);
  const unsigned b = argument(action, 1);
  switch (kind_of(action)) {
    case kOpen: return open_site(table, a);
    case kRecruit: return recruit(table, a);
    case kSend: return send(table, a, b);
    case kCoins: return sell_actions(table, a + 1);
    case kBuy: return buy_action(table);
    case kEnd: return end_turn(table);
    case kChooseStart: return choose_start(table, a);
    case kDealApprentice: return deal_apprentice(table, a, b);
    case kRevealSite: return reveal_site(table, a);
    case kRevealWorker: return reveal_worker(table, a);
    default: return;  // no such kind
  }
}

Returns State::returns() const {
  Returns result;
  for (unsigned seat = 0; seat < table.options.players; ++seat) {
    const std::int32_t points = table.points[seat];
    const std::int32_t coins = table.coins[seat];
    result.score[seat] = points + coins / static_cast<std::int32_t>(kCoinsPerPoint);
    // Ties: more points from cards, then more coins [scoring]. At most 122 points; coins stay below 2^12 (kMaxCoins).
    result.rank[seat] = (result.score[seat] << 7 | points) << 12 | coins;
  }
  return result;
}

}  // namespace kingsbridge::builders
