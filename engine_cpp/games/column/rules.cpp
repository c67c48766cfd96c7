// Whose turn it is, what is legal, what chance may bring; and each action handed to its phase.
#include <algorithm>
#include <cassert>
#include <cstring>

#include "games/column/steps.hpp"

namespace kingsbridge::column {
namespace {

void list(Bits set, unsigned kind, ActionList& actions) {
  for_each(set, [&](unsigned value) { actions.push_back(pack(kind, value)); });
}

// At any decision of one's own half-turn outside a procedure.
void list_free_actions(const Table& t, ActionList& actions) {
  const Seat& seat = actor(t);
  for (unsigned tile = kPointTiles; seat.held != 0 && tile < kTileKinds; ++tile)
    if (seat.tiles[tile] != 0 && is_possible(t, kTiles[tile].deed)) actions.push_back(pack(kPlay, tile));
  if (seat.points >= kFreeDieFee) list(dice_on_cards(seat), kPay, actions);
}

void list_card(const Table& t, ActionList& actions) {
  list_free_actions(t, actions);
  actions.push_back(pack(kUseCard, card_in_question(t)));
  actions.push_back(pack(kSkip));
}

void list_recruits(const Table& t, ActionList& actions) {
  list_free_actions(t, actions);
  for_each(rolled_dice(actor(t)), [&](unsigned die) {
    for (unsigned country = 0; country < kCountries; ++country)
      if (may_recruit(t, die, country)) actions.push_back(pack(kRecruit, die, country));
  });
  if (actor(t).points >= kDeclineFee) actions.push_back(pack(kDecline));
}

void list_space(unsigned space, ActionList& actions) {
  actions.push_back(pack(kUseSpace, space));
  actions.push_back(pack(kSkip));
}

void list_stones(const Table& t, ActionList& actions) {
  for_each(t.allowed,
           [&](unsigned stone) { for_each(places(t), [&](unsigned country) { actions.push_back(pack(kPlace, stone, country)); }); });
  for_each(t.allowed, [&](unsigned stone) {
    for_each(removals(t, stone), [&](unsigned country) { actions.push_back(pack(kRemove, stone, country)); });
  });
}

// Every set of the pairs that can be sold together: a tile for each, at least one.
void list_sales(const Table& t, ActionList& actions) {
  const auto open = static_cast<unsigned>(sellable(t, pairs_of(kTrack[t.acting].deed)));
  const auto& goods = actor(t).goods;
  for (unsigned sale = open & (0 - open); sale != 0; sale = (sale - open) & open) {
    std::array<std::uint8_t, kGoods> needed{};
    for_each(sale, [&](unsigned pair) { ++needed[kMarket[pair].good]; });
    bool enough = true;
    for (unsigned good = 0; good < kGoods; ++good) enough = enough && needed[good] <= goods[good];
    if (enough) actions.push_back(pack(kSell, sale));
  }
}

void list_trade(const Table& t, ActionList& actions) {
  actions.push_back(pack(kGain, kTrack[t.acting].deed.value));
  list_sales(t, actions);
}

void list_single_sales(const Table& t, ActionList& actions) {
  for_each(sell_one_choices(t), [&](unsigned value) {
    actions.push_back(t.options.sell3_limited() ? pack(kSell, static_cast<unsigned>(bit(value))) : pack(kSellGood, value));
  });
}

void list_cards(const Table& t, ActionList& actions) {
  Bits cards = 0;  // characters have numbers below 64
  for (unsigned i = 0; i < actor(t).row_size; ++i) cards |= bit(actor(t).row_cards[i]);
  for (const auto card : t.face_up)
    if (card != kNone) cards |= bit(card);
  list(cards, kRemoveFromPlay, actions);
}

Bits owned_goods(const Seat& seat) {
  Bits goods = 0;
  for (unsigned good = 0; good < kGoods; ++good) goods |= seat.goods[good] != 0 ? bit(good) : 0;
  return goods;
}

void list_event(const Table& t, ActionList& actions) {
  const Seat& seat = t.seats[t.mover];
  const EventKind kind = event_card(t.event).kind;
  if (kind == EventKind::kProtectionForPoints) {
    actions.push_back(pack(kSkip));
    return actions.push_back(pack(kRedeem));
  }
  if (kind == EventKind::kLosePoints) actions.push_back(pack(kAccept));
  if (seat.protection > 0) actions.push_back(pack(kProtect));
  if (kind == EventKind::kLochLeven) list(free_or_on_character(seat), kImprison, actions);
  if (kind == EventKind::kLoseGood) list(owned_goods(seat), kLose, actions);
}

void list_two(unsigned first, unsigned second, ActionList& actions) {
  actions.push_back(first);
  actions.push_back(second);
}

void answer_skip(Table& t) {
  switch (t.phase) {
    case Phase::kUseCard: return answer_card(t, false);
    case Phase::kUseSpace: return close_space(t, false);
    case Phase::kLanded: return answer_landing(t, false);
    case Phase::kHouse: return answer_house(t, false);
    case Phase::kShipStone: return answer_ship_stone(t, false);
    default: return answer_redeem(t, false);
  }
}

void answer_use_space(Table& t) {
  if (t.phase == Phase::kLanded) return answer_landing(t, true);
  close_space(t, true);
}

void answer_place(Table& t, unsigned stone, unsigned country) {
  if (t.phase == Phase::kShipStone) return answer_ship_stone(t, true);
  place(t, stone, country);
}

// ------------------------------------------------------------------------------------------------------ chance events

constexpr unsigned kFaces = 6;

unsigned stack_size(const Table& t) {
  unsigned sum = 0;
  for (const auto tiles : t.stack) sum += tiles;
  return sum;
}

void list_religion_roll(const Table& t, unsigned seat, OutcomeList& outcomes) {
  for (unsigned face = 1; face <= kTopReligionFace; ++face) {
    const auto sides = std::count(kReligionDieFaces.begin(), kReligionDieFaces.end(), face);
    outcomes.push_back({pack(kRollReligion, t.year, seat, face - 1), static_cast<std::uint32_t>(sides)});
  }
}

Action die_shows(const Table& t, unsigned face) { return pack(kRollDie, t.year, kColours * t.turn + die_to_roll(t), face); }

// The seat whose religion die is rolled.
unsigned roller(const Table& t) { return t.phase == Phase::kFirstRoll ? seat_to_roll(t) : t.turn; }

void put_religion_die(Table& t, unsigned seat, unsigned face) {
  if (t.phase == Phase::kFirstRoll) return roll_first_religion(t, seat, face);
  roll_religion(t, face);
}

}  // namespace

bool Table::operator==(const Table& other) const { return std::memcmp(this, &other, sizeof(Table)) == 0; }

State State::initial(Options options) {
  State state{};
  Table& t = state.table;
  t.options = options;
  for (unsigned tile = 0; tile < kTileKinds; ++tile) t.stack[tile] = narrow(copies(options, tile));
  t.unseen.fill((1u << kDeckCards) - 1);
  t.face_up.fill(kNone);
  t.flipping = t.event = t.die = t.country = t.space = t.acting = kNone;
  for (unsigned i = 0; i < options.players; ++i) {
    t.seats[i].points = kStartPoints;
    t.seats[i].space = kNone;
  }
  return state;
}

Player State::current_player() const {
  switch (table.phase) {
    case Phase::kStart:
    case Phase::kDeal:
    case Phase::kFirstRoll:
    case Phase::kFirstFlip:
    case Phase::kRollReligion:
    case Phase::kRollDice:
    case Phase::kDraw:
    case Phase::kFlip: return kChance;
    case Phase::kOver: return kTerminal;
    default: return table.mover;
  }
}

void State::legal_actions(ActionList& actions) const {
  const Table& t = table;
  switch (t.phase) {
    case Phase::kWindow: actions.push_back(pack(kPass)); return list_free_actions(t, actions);
    case Phase::kConvert: return list_two(pack(kKeep), pack(kChange), actions);
    case Phase::kUseCard: return list_card(t, actions);
    case Phase::kRecruit: return list_recruits(t, actions);
    case Phase::kStone: return list_two(pack(kAccept), pack(kProtect), actions);
    case Phase::kHouse: return list_two(pack(kSkip), pack(kUpgrade), actions);
    case Phase::kTrack: list_free_actions(t, actions); return list(moves(t), kMove, actions);
    case Phase::kUseSpace: list_free_actions(t, actions); return list_space(t.space, actions);
    case Phase::kLanded: return list_space(t.acting, actions);
    case Phase::kGood: return list(bit(kGoods) - 1, kGain, actions);
    case Phase::kReligion: return list_stones(t, actions);
    case Phase::kSellOne: return list_single_sales(t, actions);
    case Phase::kTurnDie: list(turnable(t, true), kTurnUp, actions); return list(turnable(t, false), kTurnDown, actions);
    case Phase::kFreeDie: return list(dice_on_cards(actor(t)), kFree, actions);
    case Phase::kRemoveCard: return list_cards(t, actions);
    case Phase::kTrade: return list_trade(t, actions);
    case Phase::kShip: return list_sales(t, actions);
    case Phase::kShipStone: return list_two(pack(kSkip), pack(kPlace, kNeutral, kTrack[t.acting].deed.value), actions);
    case Phase::kEvent: return list_event(t, actions);
    case Phase::kConflict: return list(full_countries(t), kResolve, actions);
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
      for (unsigned seat = 0; seat < t.options.players; ++seat) outcomes.push_back({pack(kStartPlayer, seat), 1});
      return;
    case Phase::kDeal: return for_each(dealt_next(t), [&](unsigned card) { outcomes.push_back({pack(kDeal, seat_to_deal(t), card), 1}); });
    case Phase::kFirstRoll:
    case Phase::kRollReligion: return list_religion_roll(t, roller(t), outcomes);
    case Phase::kFirstFlip:
    case Phase::kFlip:
      return for_each(t.unseen[t.flipping], [&](unsigned card) { outcomes.push_back({pack(kFlip, kDeckCards * t.flipping + card), 1}); });
    case Phase::kRollDice:
      for (unsigned face = 0; face < kFaces; ++face) outcomes.push_back({die_shows(t, face), 1});
      return;
    case Phase::kDraw:
      for (unsigned tile = 0; tile < kTileKinds; ++tile)
        if (t.stack[tile] != 0) outcomes.push_back({pack(kDraw, t.turn, tile), t.stack[tile]});
      return;
    default: return;  // a seat decides, or nobody
  }
}

Action State::sample_chance(Rng& rng) const {
  const Table& t = table;
  const auto one_of = [&](Bits set) { return nth(set, rng.below(count(set))); };
  switch (t.phase) {
    case Phase::kStart: return pack(kStartPlayer, rng.below(t.options.players));
    case Phase::kDeal: return pack(kDeal, seat_to_deal(t), one_of(dealt_next(t)));
    case Phase::kFirstRoll:
    case Phase::kRollReligion: return pack(kRollReligion, t.year, roller(t), kReligionDieFaces[rng.below(kFaces)] - 1u);
    case Phase::kFirstFlip:
    case Phase::kFlip: return pack(kFlip, kDeckCards * t.flipping + one_of(t.unseen[t.flipping]));
    case Phase::kRollDice: return die_shows(t, rng.below(kFaces));
    default: assert(t.phase == Phase::kDraw); return pack(kDraw, t.turn, tile_at(t.stack, rng.below(stack_size(t))));
  }
}

void State::apply(Action action) {
  assert(allows(*this, action));
  Table& t = table;
  const unsigned a = argument(action, 0), b = argument(action, 1), c = argument(action, 2);
  switch (kind_of(action)) {
    case kPass: return pass_window(t);
    case kPlay: return play(t, a);
    case kPay: return pay(t, a);
    case kKeep: return convert(t, false);
    case kChange: return convert(t, true);
    case kUseCard: return answer_card(t, true);
    case kUseSpace: return answer_use_space(t);
    case kSkip: return answer_skip(t);
    case kRecruit: return recruit(t, a, b);
    case kDecline: return decline(t);
    case kAccept: return t.phase == Phase::kStone ? answer_stone(t, false) : suffer(t);
    case kProtect: return t.phase == Phase::kStone ? answer_stone(t, true) : protect(t);
    case kUpgrade: return answer_house(t, true);
    case kGain: return gain_good(t, a);
    case kSell: return sell(t, a);
    case kSellGood: return sell_good(t, a);
    case kPlace: return answer_place(t, a, b);
    case kRemove: return remove_stone(t, a, b);
    case kTurnUp: return turn_die(t, a, true);
    case kTurnDown: return turn_die(t, a, false);
    case kFree: return free_die(t, a);
    case kRemoveFromPlay: return remove_card(t, a);
    case kMove: return move(t, a);
    case kImprison: return imprison(t, a);
    case kLose: return lose_good(t, a);
    case kRedeem: return answer_redeem(t, true);
    case kResolve: return resolve_conflict(t, a);
    case kStartPlayer: return choose_start(t, a);
    case kDeal: return deal(t, a, b);
    case kRollReligion: return put_religion_die(t, b, c + 1);
    case kFlip: return flip(t, a);
    case kRollDie: return roll_die(t, b % kColours, c + 1);
    case kDraw: return draw(t, b);
    default: return;  // no such kind
  }
}

// Goods of a seat have ten bits, the religion die four.
static_assert(kGoods * kMostTiles < 1u << 10 && kTopReligionFace < 1u << 4);

// Most points, then most unsold goods, then the higher religion die, then a shared place [5].
Returns State::returns() const {
  Returns result;
  for (unsigned i = 0; i < table.options.players; ++i) {
    const Seat& seat = table.seats[i];
    const unsigned goods = goods_of(seat);
    unsigned score = seat.points + kPointsPerProtection * seat.protection;
    for (const auto site : seat.houses) score += site != 0 ? kPointsPerHouse : 0;
    for (unsigned tile = 0; tile < kPointTiles; ++tile) score += kTiles[tile].deed.value * seat.tiles[tile];
    score += goods / kGoodsPerPoint;
    result.score[i] = static_cast<std::int32_t>(score);
    result.rank[i] = static_cast<std::int32_t>(score << 14 | goods << 4 | seat.religion_die);
  }
  return result;
}

}  // namespace kingsbridge::column
