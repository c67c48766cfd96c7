// Whose turn it is, what is legal, what chance may bring; and each action handed to its phase.
#include <cassert>
#include <cstring>

#include "games/pillars/steps.hpp"

namespace kingsbridge::pillars {
namespace {

constexpr Bits kDeckAdvantages = bit(kStoneAndWood) - 1;  // A1 to A14
constexpr Bits kAllEvents = bit(kEvents) - 1;
constexpr Bits kAllQuarries = bit(kQuarries) - 1;
constexpr std::array<std::uint32_t, 4> kDieWeights{1, 2, 2, 1};  // faces 2, 3, 3, 4, 4, 5

void list_cards(const Table& t, ActionList& actions) {
  const Seat& seat = t.seats[t.mover];
  for_each(t.quarries, [&](unsigned quarry) {
    if (kQuarryCards[quarry].workers <= seat.workers) actions.push_back(pack(kTake, quarry));
  });
  for_each(t.craftsmen_row, [&](unsigned craftsman) {
    if (kCraftsmanCards[craftsman].cost <= seat.gold) actions.push_back(pack(kHire, craftsman));
  });
  actions.push_back(pack(kPass));
}

void list_spaces(const Table& t, ActionList& actions) {
  for (unsigned space = 0; space < kSpaces; ++space)
    if (is_offered_space(t, space)) actions.push_back(pack(kPlace, space));
  unsigned place = 0;
  for_each(t.town, [&](unsigned card) {
    if (t.town_builders[place++] == 0) actions.push_back(pack(kPlaceTown, card));
  });
  place = 0;
  for_each(t.shiring, [&](unsigned craftsman) {
    if (t.shiring_builders[place++] == 0) actions.push_back(pack(kPlaceShiring, craftsman));
  });
}

void list_builder(const Table& t, ActionList& actions) {
  const Seat& seat = t.seats[t.mover];
  const unsigned cost = builder_cost(t);
  if (cost > 0 && t.free == 0) {
    actions.push_back(pack(kPass));
    if (owns(seat, kFreeBuilder)) actions.push_back(pack(kUse, kFreeBuilder));
  }
  if (t.free != 0 || seat.gold >= cost) list_spaces(t, actions);
}

void list_bishop(const Table& t, ActionList& actions) {
  if (is_negative(t.event) && t.seats[t.mover].guarded == 0) actions.push_back(pack(kProtect));
  for (unsigned good = kSand; good <= kStone; ++good)
    if (t.stock[good] > 0) actions.push_back(pack(kReceive, good));
}

void list_market(const Table& t, ActionList& actions) {
  const Seat& seat = t.seats[t.mover];
  for (unsigned good = kSand; good <= kStone; ++good)
    for (unsigned n = 1; may_buy(t, seat, good) && n <= t.stock[good] && n * price(good) <= seat.gold; ++n)
      actions.push_back(pack(kBuy, good, n));
  for (unsigned good = kSand; good < kGoods; ++good)
    for (unsigned n = 1; may_sell(seat, good) && n <= seat.goods[good]; ++n) actions.push_back(pack(kSell, good, n));
  actions.push_back(pack(kLeave));
}

void list_work(const Table& t, ActionList& actions) {
  if (t.options.sequential_building == 0) {
    for (unsigned n = 0; n <= most_uses(t, t.mover, t.asked); ++n) actions.push_back(pack(kWork, t.asked, n));
    return;
  }
  for_each(t.seats[t.mover].craftsmen, [&](unsigned craftsman) {
    for (unsigned n = 1; n <= most_uses(t, t.mover, craftsman); ++n) actions.push_back(pack(kWork, craftsman, n));
  });
  actions.push_back(pack(kDone));
}

void list_drop(const Table& t, ActionList& actions) {
  const auto [least, most] = drop_range(t, t.dropping);
  for (unsigned n = least; n <= most; ++n) actions.push_back(pack(kDrop, t.dropping, n));
}

void list_set(Bits set, unsigned kind, ActionList& actions) {
  for_each(set, [&](unsigned card) { actions.push_back(pack(kind, card)); });
}

// Discards a craftsman: over the limit after hiring or at Shiring, or because of E7.
void discard(Table& t, unsigned craftsman) {
  t.seats[t.mover].craftsmen &= ~static_cast<std::uint32_t>(bit(craftsman));
  if (t.phase == Phase::kDiscardHire) return next_card_turn(t);
  if (t.phase == Phase::kDiscardShiring) return resolve_shiring(t);
  after_roof(t);
}

void answer(Table& t, bool use) {
  if (t.phase == Phase::kTaxCard) return answer_tax_card(t, use);
  if (use) {
    Seat& seat = t.seats[t.mover];
    seat.advantages = static_cast<std::uint16_t>(seat.advantages & ~bit(kEventShield));
    seat.guarded = 1;
  }
  after_protection(t);
}

// The builder's card of a pair, the lower one first.
void place_on(std::array<std::uint8_t, 2>& builders, Bits cards, unsigned card, unsigned seat) {
  builders[card == lowest(cards) ? 0 : 1] = narrow(seat + 1);
}

void receive(Table& t, unsigned good) {
  gain(t.seats[t.mover], good, 1);
  t.stock[good] = narrow(t.stock[good] - 1u);
  resolve_bishop(t);
}

void drop(Table& t, unsigned good, unsigned number) {
  lose(t.seats[t.mover], good, number);
  t.excess = narrow(t.excess - number);
  ask_drop(t, good + 1);
}

// ------------------------------------------------------------------------------------------------------ chance events

void choose_start(Table& t, unsigned first) {
  t.start_player = narrow(first);
  for (unsigned i = 0, seat = first; i < t.options.players; ++i, seat = next_seat(t, seat)) t.seats[seat].gold = narrow(20 + i);
  begin_round(t);
}

void show_advantage(Table& t, unsigned card) {
  t.town = static_cast<std::uint16_t>(t.town | bit(card));
  t.unseen_advantages = static_cast<std::uint16_t>(t.unseen_advantages & ~bit(card));
  if (count(t.town) == 2) leave_to_chance(t, Phase::kSplit);
}

void split_craftsmen(Table& t, unsigned a, unsigned b) {
  const Bits all = Bits{15} << first_craftsman(t.round);
  t.shiring = static_cast<std::uint32_t>(bit(a) | bit(b));
  t.craftsmen_row = static_cast<std::uint32_t>(all & ~(bit(a) | bit(b)));
  leave_to_chance(t, Phase::kAbsent);
}

void leave_out(Table& t, unsigned a, unsigned b) {
  t.quarries = static_cast<std::uint16_t>(kAllQuarries & ~(bit(a) | bit(b)));
  if (owner_of(t, kSeeEvent) >= 0) return leave_to_chance(t, Phase::kLook);
  begin_cards(t);
}

void look_at_event(Table& t, unsigned seat, unsigned event) {
  t.event = narrow(event);
  t.looked = narrow(seat + 1);
  begin_cards(t);
}

void reveal_event(Table& t, unsigned event) {
  t.event = narrow(event);
  t.event_known = 1;
  t.looked = 0;
  t.unseen_events = static_cast<std::uint16_t>(t.unseen_events & ~bit(event));
  begin_bishop(t);
}

template <class F>
void each_pair(Bits set, F&& f) {
  for_each(set, [&](unsigned a) { for_each(set & ~((bit(a) << 1) - 1), [&](unsigned b) { f(a, b); }); });
}

// A random pair of the set, ascending.
std::array<unsigned, 2> draw_pair(Bits set, Rng& rng) {
  const unsigned a = nth(set, rng.below(count(set)));
  const Bits rest = set & ~bit(a);
  const unsigned b = nth(rest, rng.below(count(rest)));
  return {a < b ? a : b, a < b ? b : a};
}

Bits craftsmen_of_round(const Table& t) { return Bits{15} << first_craftsman(t.round); }

// The event to be turned up: the one that was looked at, or any that is unseen.
Bits next_events(const Table& t) { return t.event != kNone ? bit(t.event) : Bits{t.unseen_events}; }

unsigned bag_size(const Table& t) { return t.bag[0] + t.bag[1] + t.bag[2] + t.bag[3]; }

}  // namespace

bool Table::operator==(const Table& other) const { return std::memcmp(this, &other, sizeof(Table)) == 0; }

State State::initial(Options options) {
  State state{};
  Table& t = state.table;
  t.options = options;
  t.unseen_advantages = static_cast<std::uint16_t>(kDeckAdvantages);
  t.unseen_events = static_cast<std::uint16_t>(kAllEvents);
  t.event = t.market_space = t.asked = t.boosted = t.dropping = kNone;
  for (unsigned i = 0; i < options.players; ++i) {
    t.seats[i].points = 2;
    t.seats[i].craftsmen = static_cast<std::uint32_t>(bit(kMixer) | bit(kWoodworker) | bit(kStonecutter));
  }
  return state;
}

Player State::current_player() const {
  switch (table.phase) {
    case Phase::kStart:
    case Phase::kTown:
    case Phase::kSplit:
    case Phase::kAbsent:
    case Phase::kLook:
    case Phase::kDraw:
    case Phase::kReveal:
    case Phase::kRoll: return kChance;
    case Phase::kOver: return kTerminal;
    default: return table.mover;
  }
}

void State::legal_actions(ActionList& actions) const {
  const Table& t = table;
  switch (t.phase) {
    case Phase::kCards: return list_cards(t, actions);
    case Phase::kDiscardHire:
    case Phase::kDiscardShiring:
    case Phase::kRoof: return list_set(t.seats[t.mover].craftsmen, kDiscard, actions);
    case Phase::kRefuse: actions.push_back(pack(kAccept)); return actions.push_back(pack(kRefuse));
    case Phase::kBuilder: return list_builder(t, actions);
    case Phase::kDial: return list_spaces(t, actions);
    case Phase::kBishop: return list_bishop(t, actions);
    case Phase::kProtection: actions.push_back(pack(kUse, kEventShield)); return actions.push_back(pack(kDecline));
    case Phase::kTaxCard: actions.push_back(pack(kUse, kTaxRelief)); return actions.push_back(pack(kDecline));
    case Phase::kMarket: return list_market(t, actions);
    case Phase::kBoost: return list_set(boostable(t, t.mover), kBoost, actions);
    case Phase::kWork: return list_work(t, actions);
    case Phase::kDrop: return list_drop(t, actions);
    default: return;  // nobody decides
  }
}

Action State::sample_uniform(Rng& rng) const {
  ActionList actions;
  legal_actions(actions);
  return actions[rng.below(static_cast<std::uint32_t>(actions.size()))];
}

void State::chance_outcomes(OutcomeList& outcomes) const {
  const Table& t = table;
  switch (t.phase) {
    case Phase::kStart:
      for (unsigned seat = 0; seat < t.options.players; ++seat) outcomes.push_back({pack(kChooseStart, seat), 1});
      return;
    case Phase::kTown: return for_each(t.unseen_advantages, [&](unsigned card) { outcomes.push_back({pack(kTown, card), 1}); });
    case Phase::kSplit:
      return each_pair(craftsmen_of_round(t), [&](unsigned a, unsigned b) { outcomes.push_back({pack(kSplit, a, b), 1}); });
    case Phase::kAbsent: return each_pair(kAllQuarries, [&](unsigned a, unsigned b) { outcomes.push_back({pack(kAbsent, a, b), 1}); });
    case Phase::kLook: {
      const auto seat = static_cast<unsigned>(owner_of(t, kSeeEvent));
      return for_each(t.unseen_events, [&](unsigned event) { outcomes.push_back({pack(kLook, seat, event), 1}); });
    }
    case Phase::kDraw:
      for (unsigned seat = 0; seat < t.options.players; ++seat)
        if (t.bag[seat] > 0) outcomes.push_back({pack(kDraw, t.round - 1u, seat), t.bag[seat]});
      return;
    case Phase::kReveal: return for_each(next_events(t), [&](unsigned event) { outcomes.push_back({pack(kReveal, event), 1}); });
    case Phase::kRoll:
      for (unsigned face = 0; face < 4; ++face) outcomes.push_back({pack(kRoll, face), kDieWeights[face]});
      return;
    default: return;  // a seat decides, or nobody
  }
}

Action State::sample_chance(Rng& rng) const {
  const Table& t = table;
  const auto draw = [&](Bits set) { return nth(set, rng.below(count(set))); };
  switch (t.phase) {
    case Phase::kStart: return pack(kChooseStart, rng.below(t.options.players));
    case Phase::kTown: return pack(kTown, draw(t.unseen_advantages));
    case Phase::kSplit: {
      const auto [a, b] = draw_pair(craftsmen_of_round(t), rng);
      return pack(kSplit, a, b);
    }
    case Phase::kAbsent: {
      const auto [a, b] = draw_pair(kAllQuarries, rng);
      return pack(kAbsent, a, b);
    }
    case Phase::kLook: return pack(kLook, static_cast<unsigned>(owner_of(t, kSeeEvent)), draw(t.unseen_events));
    case Phase::kDraw: {
      unsigned ticket = rng.below(bag_size(t)), seat = 0;
      while (ticket >= t.bag[seat]) ticket -= t.bag[seat++];
      return pack(kDraw, t.round - 1u, seat);
    }
    case Phase::kReveal: return pack(kReveal, draw(next_events(t)));
    default: {
      assert(t.phase == Phase::kRoll);
      constexpr std::array<std::uint8_t, 6> faces{0, 1, 1, 2, 2, 3};
      return pack(kRoll, faces[rng.below(6)]);
    }
  }
}

void State::apply(Action action) {
  assert(allows(*this, action));
  Table& t = table;
  const unsigned a = argument(action, 0), b = argument(action, 1);
  switch (kind_of(action)) {
    case kTake: return take(t, a);
    case kHire: return hire(t, a);
    case kPass: return t.phase == Phase::kCards ? pass_cards(t) : pass_builder(t);
    case kDiscard: return discard(t, a);
    case kAccept: return ask_builder(t);
    case kRefuse: return refuse_builder(t);
    case kUse: return a == kFreeBuilder ? use_free_builder(t) : answer(t, true);
    case kDecline: return answer(t, false);
    case kPlace: t.spaces[a] = narrow(t.mover + 1u); return settle_builder(t);
    case kPlaceTown: place_on(t.town_builders, t.town, a, t.mover); return settle_builder(t);
    case kPlaceShiring: place_on(t.shiring_builders, t.shiring, a, t.mover); return settle_builder(t);
    case kProtect: t.seats[t.mover].guarded = 1; return resolve_bishop(t);
    case kReceive: return receive(t, a);
    case kBuy: return buy_goods(t, a, b);
    case kSell: return sell_goods(t, a, b);
    case kLeave: return leave_market(t);
    case kBoost: t.boosted = narrow(a); return begin_work(t);
    case kWork: return work(t, a, b);
    case kDone: return finish_work(t);
    case kDrop: return drop(t, a, b);
    case kChooseStart: return choose_start(t, a);
    case kTown: return show_advantage(t, a);
    case kSplit: return split_craftsmen(t, a, b);
    case kAbsent: return leave_out(t, a, b);
    case kLook: return look_at_event(t, a, b);
    case kDraw: return draw_builder(t, b);
    case kReveal: return reveal_event(t, a);
    case kRoll: return roll_tax(t, a + 2);
    default: return;  // no such kind
  }
}

// Most points, then most gold, then a shared place [end and tie-break].
Returns State::returns() const {
  Returns result;
  for (unsigned seat = 0; seat < table.options.players; ++seat) {
    result.score[seat] = table.seats[seat].points;
    result.rank[seat] = table.seats[seat].points << 5 | table.seats[seat].gold;
  }
  return result;
}

}  // namespace kingsbridge::pillars
