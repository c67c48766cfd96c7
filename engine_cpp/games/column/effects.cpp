// The actions of characters, spaces and tiles, with their parameters, and the 3-point purchase [1.7, 1.8, 1.9, 7.1].
#include "games/column/steps.hpp"

namespace kingsbridge::column {
namespace {

constexpr unsigned kPairs = 2 * kCountries;

Bits allowed_stones(Effect effect) {
  switch (effect) {
    case Effect::kReligion: return bit(kCatholic) | bit(kProtestant);
    case Effect::kReligionCatholic: return bit(kCatholic);
    case Effect::kReligionProtestant: return bit(kProtestant);
    default: return bit(kNeutral);
  }
}

bool any_stone(const Table& t, Bits stones) {
  bool any = false;
  for_each(stones, [&](unsigned stone) { any = any || places(t) != 0 || removals(t, stone) != 0; });
  return any;
}

bool any_card(const Table& t) {
  for (const auto card : t.face_up)
    if (card != kNone) return true;
  return actor(t).row_size > 0;
}

// Tiles that have been played: those of the box that are neither face down nor in the stacks.
unsigned discarded(const Table& t, unsigned tile) {
  unsigned present = t.stack[tile];
  for (unsigned seat = 0; seat < t.options.players; ++seat) present += t.seats[seat].tiles[tile];
  return copies(t.options, tile) - present;
}

bool stacks_are_empty(const Table& t) {
  for (const auto tiles : t.stack)
    if (tiles != 0) return false;
  return true;
}

bool tiles_are_left(const Table& t) {
  if (!stacks_are_empty(t)) return true;
  bool left = false;
  for (unsigned tile = 0; t.options.advantage_reshuffle() && tile < kTileKinds; ++tile) left = left || discarded(t, tile) != 0;
  return left;
}

void begin_draw(Table& t) {
  if (stacks_are_empty(t))
    for (unsigned tile = 0; tile < kTileKinds; ++tile) t.stack[tile] = narrow(discarded(t, tile));
  leave_to_chance(t, Phase::kDraw);
}

void ask_stone(Table& t, Effect effect) {
  t.allowed = narrow(static_cast<unsigned>(allowed_stones(effect)));
  ask(t, Phase::kReligion, t.turn);
}

void take_good(Table& t, unsigned good) { actor(t).goods[good] = one_more(actor(t).goods[good]); }

}  // namespace

bool is_possible(const Table& t, Deed deed) {
  switch (deed.effect) {
    case Effect::kNothing: return false;
    case Effect::kAdvantage: return tiles_are_left(t);
    case Effect::kReligion:
    case Effect::kReligionProtestant:
    case Effect::kReligionCatholic:
    case Effect::kPlaceNeutral: return any_stone(t, allowed_stones(deed.effect));
    case Effect::kRemoveCard: return any_card(t);
    case Effect::kSellOne: return sell_one_choices(t) != 0;
    case Effect::kShip: return sellable(t, pairs_of(deed)) != 0;
    default: return true;  // a die lies on the religion card at least; a track has free spaces
  }
}

void carry_out(Table& t, Deed deed) {
  Seat& seat = actor(t);
  switch (deed.effect) {
    case Effect::kGood: take_good(t, deed.value); return finish_deed(t);
    case Effect::kAnyGood: return ask(t, Phase::kGood, t.turn);
    case Effect::kAdvantage: return begin_draw(t);
    case Effect::kProtection: seat.protection = one_more(seat.protection); return finish_deed(t);
    case Effect::kPoints: gain_points(t, seat, deed.value); return finish_deed(t);
    case Effect::kReligion:
    case Effect::kReligionProtestant:
    case Effect::kReligionCatholic:
    case Effect::kPlaceNeutral: return ask_stone(t, deed.effect);
    case Effect::kTurnDie: return ask(t, Phase::kTurnDie, t.turn);
    case Effect::kFreeDie: return ask(t, Phase::kFreeDie, t.turn);
    case Effect::kRemoveCard: return ask(t, Phase::kRemoveCard, t.turn);
    case Effect::kNextSpace: return next_space(t);
    case Effect::kSellOne: return ask(t, Phase::kSellOne, t.turn);
    case Effect::kShip: return ask(t, Phase::kShip, t.turn);
    case Effect::kGoodOrSell: return ask(t, Phase::kTrade, t.turn);
    default: return finish_deed(t);
  }
}

// A played tile leaves the game.
void play(Table& t, unsigned tile) {
  Seat& seat = actor(t);
  lose_one(seat.tiles[tile]);
  lose_one(seat.held);
  carry_out(t, kTiles[tile].deed);
}

void pay(Table& t, unsigned die) {
  lose_points(actor(t), kFreeDieFee);
  free_die(t, die);
}

void free_die(Table& t, unsigned die) {
  Seat& seat = actor(t);
  if (die == kBlack) {
    seat.religion_die = 0;
    return leave_to_chance(t, Phase::kRollReligion);
  }
  if (contains(seat.prison, die)) {
    seat.prison = narrow(static_cast<unsigned>(seat.prison & ~bit(die)));
    seat.faces[die] = 0;
  } else {
    remove_from_row(t, t.turn, place_of(seat, die));
  }
  finish_deed(t);
}

void gain_good(Table& t, unsigned good) {
  take_good(t, good);
  finish_deed(t);
}

Bits sellable(const Table& t, Bits pairs) {
  const Seat& seat = actor(t);
  Bits open = 0;
  for_each(pairs & ~Bits{t.sold}, [&](unsigned pair) {
    if (seat.houses[kMarket[pair].country] != 0 && seat.goods[kMarket[pair].good] != 0) open |= bit(pair);
  });
  return open;
}

Bits pairs_of(Deed deed) {
  Bits pairs = 0;
  for (unsigned pair = 0; pair < kPairs; ++pair)
    if (deed.value == (deed.effect == Effect::kShip ? kMarket[pair].country : kMarket[pair].good)) pairs |= bit(pair);
  return pairs;
}

Bits sell_one_choices(const Table& t) {
  const Seat& seat = actor(t);
  if (t.options.sell3_limited()) return sellable(t, (bit(kPairs) - 1));
  Bits goods = 0;
  for (const MarketRow& row : kMarket)
    if (seat.houses[row.country] != 0 && seat.goods[row.good] != 0) goods |= bit(row.good);
  return goods;
}

void sell(Table& t, unsigned pairs) {
  Seat& seat = actor(t);
  for_each(pairs, [&](unsigned pair) {
    lose_one(seat.goods[kMarket[pair].good]);
    gain_points(t, seat, t.phase == Phase::kSellOne ? kSellOnePoints : kMarket[pair].price);
  });
  t.sold = narrow(t.sold | pairs);
  finish_deed(t);
}

void sell_good(Table& t, unsigned good) {
  lose_one(actor(t).goods[good]);
  gain_points(t, actor(t), kSellOnePoints);
  finish_deed(t);
}

Bits places(const Table& t) {
  Bits countries = 0;
  for (unsigned country = 0; country < kCountries; ++country)
    if (!is_full(t, country)) countries |= bit(country);
  return countries;
}

// Neutral stones are only ever placed.
Bits removals(const Table& t, unsigned stone) {
  Bits countries = 0;
  for (unsigned country = 0; stone != kNeutral && country < kCountries; ++country)
    if (t.stones[country][stone] != 0) countries |= bit(country);
  return countries;
}

void place(Table& t, unsigned stone, unsigned country) {
  ++t.stones[country][stone];
  t.allowed = 0;
  finish_deed(t);
}

void remove_stone(Table& t, unsigned stone, unsigned country) {
  lose_one(t.stones[country][stone]);
  t.allowed = 0;
  finish_deed(t);
}

Bits dice_on_cards(const Seat& seat) { return row_dice(seat) | seat.prison | bit(kBlack); }

// A step outside the faces of the die is not one; lowering a 1 does not free it.
Bits turnable(const Table& t, bool up) {
  const Seat& seat = actor(t);
  Bits dice = 0;
  for_each(dice_on_cards(seat), [&](unsigned die) {
    const unsigned face = die == kBlack ? seat.religion_die : seat.faces[die];
    if (up ? face < (die == kBlack ? kTopReligionFace : kTopFace) : face > 1) dice |= bit(die);
  });
  return dice;
}

void turn_die(Table& t, unsigned die, bool up) {
  Seat& seat = actor(t);
  std::uint8_t& face = die == kBlack ? seat.religion_die : seat.faces[die];
  face = narrow(up ? face + 1u : face - 1u);
  if (die == kBlack && !up && t.options.turned_minority()) check_minority(t, t.turn);
  finish_deed(t);
}

void remove_card(Table& t, unsigned card) {
  const Seat& seat = actor(t);
  for (unsigned place = 0; place < seat.row_size; ++place)
    if (seat.row_cards[place] == card) {
      remove_from_row(t, t.turn, place);
      return finish_deed(t);
    }
  t.face_up[country_of(card)] = kNone;
  begin_flip(t, country_of(card));
}

// Seen by the seat that draws.
void draw(Table& t, unsigned tile) {
  Seat& seat = actor(t);
  lose_one(t.stack[tile]);
  ++seat.tiles[tile];
  ++seat.held;
  finish_deed(t);
}

}  // namespace kingsbridge::column
