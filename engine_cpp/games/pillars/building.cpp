// The cathedral: craftsmen turn goods into points, seat by seat from the start player; then at most five goods are kept.
#include "games/pillars/steps.hpp"

namespace kingsbridge::pillars {
namespace {

bool is_mason(unsigned craftsman) {
  const CraftsmanCard& card = kCraftsmanCards[craftsman];
  return card.inputs[kStone] == 1 && card.points == 1;
}

bool mixes_mortar(const Table& t, const Seat& seat) {
  return employs(seat, kMixer) || (!t.options.strict_masters() && employs(seat, kMasterMixer));
}

void begin_seat(Table& t, unsigned seat) {
  t.mover = narrow(seat);
  if (struck(t, t.seats[seat], kMoreCapacity) && boostable(t, seat) != 0) return ask(t, Phase::kBoost, seat);
  begin_work(t);
}

void next_builder_seat(Table& t) {
  const unsigned next = next_seat(t, t.mover);
  if (next != t.start_player) return begin_seat(t, next);
  t.mover = 0;
  end_round(t);
}

unsigned counted_goods(const Table& t, unsigned from) {
  unsigned sum = 0;
  for (unsigned good = from; good < (t.options.metal_is_free() ? 3u : kGoods); ++good) sum += t.seats[t.mover].goods[good];
  return sum;
}

void begin_drop(Table& t) {
  const unsigned goods = counted_goods(t, kSand);
  if (t.round == kRounds || goods <= kCarryLimit) return next_builder_seat(t);
  t.excess = narrow(goods - kCarryLimit);
  ask_drop(t, kSand);
}

}  // namespace

void begin_building(Table& t) { begin_seat(t, t.start_player); }

// Craftsmen that E9 may strengthen.
Bits boostable(const Table& t, unsigned seat) {
  return t.seats[seat].craftsmen & ~(bit(kToolmaker) | bit(kArchitect) | bit(kOrganBuilder) | bit(kBellMaker));
}

void begin_work(Table& t) {
  if (t.options.sequential_building != 0) return ask(t, Phase::kWork, t.mover);
  ask_work(t, 0);
}

// How often a craftsman of the seat can still work, with the goods and the gold that are left.
unsigned most_uses(const Table& t, unsigned seat_number, unsigned craftsman) {
  const Seat& seat = t.seats[seat_number];
  const CraftsmanCard& card = kCraftsmanCards[craftsman];
  if (!employs(seat, craftsman)) return 0;
  if (is_mason(craftsman) && !mixes_mortar(t, seat)) return 0;
  if (craftsman == kToolmaker && seat.goods[kMetal] == 0) return 0;  // the metal is kept
  unsigned most = card.capacity + (t.boosted == craftsman ? 1u : 0u) - t.used[craftsman];
  for (unsigned good = 0; good < kGoods; ++good)
    if (card.inputs[good] != 0 && seat.goods[good] / card.inputs[good] < most) most = seat.goods[good] / card.inputs[good];
  if (card.gold != 0 && seat.gold / card.gold < most) most = seat.gold / card.gold;
  return most;
}

// One commit: the next craftsman, from that card on, who can work at all.
void ask_work(Table& t, unsigned from) {
  for (unsigned craftsman = from; craftsman < kCraftsmen; ++craftsman) {
    if (most_uses(t, t.mover, craftsman) == 0) continue;
    t.asked = narrow(craftsman);
    return ask(t, Phase::kWork, t.mover);
  }
  finish_work(t);
}

// Inputs are paid at once; in one commit the gold made comes when all is committed.
void work(Table& t, unsigned craftsman, unsigned times) {
  Seat& seat = t.seats[t.mover];
  const CraftsmanCard& card = kCraftsmanCards[craftsman];
  for (unsigned good = 0; good < kGoods; ++good) lose(seat, good, times * card.inputs[good]);
  seat.gold = narrow(seat.gold - times * card.gold);
  gain_points(seat, times * card.points);
  if (t.options.sequential_building != 0) {
    gain_gold(seat, times * card.earns);
    t.used[craftsman] = narrow(t.used[craftsman] + times);
    return ask(t, Phase::kWork, t.mover);
  }
  t.made = narrow(t.made + times * card.earns);
  ask_work(t, craftsman + 1);
}

void finish_work(Table& t) {
  gain_gold(t.seats[t.mover], t.made);
  t.made = 0;
  t.asked = t.boosted = kNone;
  t.used = {};
  begin_drop(t);
}

// How many of a good can be given up: what the goods after it cannot cover, up to what there is.
DropRange drop_range(const Table& t, unsigned good) {
  const unsigned number = t.seats[t.mover].goods[good], later = counted_goods(t, good + 1);
  return {.least = t.excess > later ? t.excess - later : 0u, .most = number < t.excess ? number : t.excess};
}

// The next good, from that one on, of which more than one number can be given up; the others are settled.
void ask_drop(Table& t, unsigned from) {
  Seat& seat = t.seats[t.mover];
  for (unsigned good = from; good < kGoods && t.excess > 0; ++good) {
    const auto [least, most] = drop_range(t, good);
    if (least < most) {
      t.dropping = narrow(good);
      return ask(t, Phase::kDrop, t.mover);
    }
    lose(seat, good, most);
    t.excess = narrow(t.excess - most);
  }
  t.dropping = kNone;
  next_builder_seat(t);
}

}  // namespace kingsbridge::pillars
