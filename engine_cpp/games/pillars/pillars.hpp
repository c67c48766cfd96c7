// The Pillars of the Earth (Michael Rieneck and Stefan Stadler, Kosmos 2006), 2-4 players: options, position, view.
//
// Field table. All is public but one card: the event of the round, which the owner of the advantage card A4 sees at its start.
//
//   field                          who knows it     when it is zero (or kNone)
//   options                        all              never
//   phase, round, start_player     all              at the very start
//   mover                          all              when nobody decides
//   seats                          all              unused seats; per field below
//   town, town_builders            all              before the draw, after the town
//   craftsmen_row, quarries        all              after phase 1
//   shiring, shiring_builders      all              one by one as they are resolved
//   spaces                         all              as they are resolved; `start` at the round's end
//   stock                          all              before the first round, after the last
//   unseen_advantages              all              a set: the order is future chance
//   unseen_events                  all              a set: events not turned up yet; one that was looked at is still among them
//   event                          all once event_known, before that only the seat `looked`; kNone when nobody knows it
//   looked                         all              when nobody looked, and once the event is turned up
//   bag, drawn, dealt, free, refused, dial   all    outside phase 2; drawn and free between two builders
//   die                            all              until the roll of the round
//   exempt                         all              unless A12 was used before the die, until the tax is paid
//   market_space                   all              outside the market
//   asked, made, boosted, used     all              outside the building of the mover
//   excess, dropping               all              outside the carry-over of the mover
//   zero                           nobody           always
//
// What has been resolved is gone at once, so the next question follows from what is left and no history is kept.
//
// Chains of small decisions, and why they lose no legal result:
// - A market turn is one transaction; kinds of goods and quantities are in its number.
// - Building in one commit asks each craftsman once, in card order, for how often he works with what is left. The inputs of a commit are a
//   sum over the craftsmen, so every split of the stock is reached by exactly one chain; results come after all of it.
// - The goods given up beyond the limit are asked good by good in a fixed order; every multiset is reached by exactly one chain.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "core/bits.hpp"
#include "core/game_state.hpp"

namespace kingsbridge::pillars {

inline constexpr unsigned kCraftsmen = 27;  // S1 S2 S3, then four a round
inline constexpr unsigned kAdvantages = 16;
inline constexpr unsigned kEvents = 10;
inline constexpr unsigned kQuarries = 9;
inline constexpr unsigned kGoods = 4;
inline constexpr unsigned kRounds = 6;
inline constexpr unsigned kGoldLimit = 30;
inline constexpr unsigned kCarryLimit = 5;
inline constexpr unsigned kWorkers = 12;
inline constexpr unsigned kBuilders = 3;
inline constexpr unsigned kTopCost = 7;

enum Good : std::uint8_t { kSand, kWood, kStone, kMetal };

enum Space : std::uint8_t {
  kBishop1,
  kBishop2,
  kPriory1,
  kPriory2,
  kCourt1,
  kCourt2,
  kCourt3,
  kCourt4,
  kCastle1,
  kCastle2,
  kMarket1,
  kMarket2,
  kMarket3,
  kMarket4,
  kStartSpace,
  kSpaces
};

// Cards by their position in the tables of cards.hpp: A1 is 0, E1 is 0.
enum Advantage : std::uint8_t {
  kSandEachRound,
  kWoodEachRound,
  kStoneEachRound,
  kSeeEvent,
  kPrioryBonus,
  kFixedTax,
  kSixCraftsmen,
  kFreeBuilder,
  kThreePoints,
  kBlackWorker,
  kEventShield,
  kTaxRelief,
  kEightGold,
  kTwoMetal,
  kStoneAndWood,
  kOneMetal
};
enum EventCard : std::uint8_t {
  kLessFromQuarries,
  kMoreFromQuarries,
  kGiveMetal,
  kGiveGold,
  kLosePoints,
  kLoseGold,
  kLoseCraftsman,
  kDoubleWool,
  kMoreCapacity,
  kTwoBuilders
};
enum Craftsman : std::uint8_t {
  kMixer = 0,
  kWoodworker = 1,
  kStonecutter = 2,
  kMasterMixer = 3,
  kMasterWoodworker = 4,
  kToolmaker = 5,
  kArchitect = 8,
  kOrganBuilder = 25,
  kBellMaker = 26
};

enum Kind : std::uint8_t {
  kTake,
  kHire,
  kPass,
  kDiscard,
  kAccept,
  kRefuse,
  kUse,
  kDecline,
  kPlace,
  kPlaceTown,
  kPlaceShiring,
  kProtect,
  kReceive,
  kBuy,
  kSell,
  kLeave,
  kBoost,
  kWork,
  kDone,
  kDrop,
  kChooseStart,
  kTown,
  kSplit,
  kAbsent,
  kLook,
  kDraw,
  kReveal,
  kRoll
};

enum class Phase : std::uint8_t {
  kStart,
  kTown,
  kSplit,
  kAbsent,
  kLook,  // chance, at the start of a round
  kCards,
  kDiscardHire,  // phase 1
  kDraw,
  kRefuse,
  kBuilder,
  kDial,  // phase 2; kDraw is chance
  kReveal,
  kBishop,
  kProtection,
  kRoof,
  kTaxCard,
  kRoll,  // phase 3; kReveal and kRoll are chance; kRoof is event E7
  kDiscardShiring,
  kMarket,
  kBoost,
  kWork,
  kDrop,
  kOver
};

// Rulings that the sources leave open; each default is that of the rules file.
struct Options {
  std::uint8_t players = 2;
  std::uint8_t bishop_spaces = 1;
  std::uint8_t castle_spaces = 1;
  std::uint8_t market_spaces = 4;
  std::uint8_t lowest_space = 1;         // at the market only the lowest free space may be chosen
  std::uint8_t market_twice = 0;         // a player takes part in the market with each of his builders, not once
  std::uint8_t sequential_building = 0;  // craftsman by craftsman instead of one commit
  std::uint8_t rulings = 0;              // bits: 0 strict_masters, 1 tax_card_first, 2 metal_is_free, 3 event_shortfall

  bool operator==(const Options&) const = default;

  bool strict_masters() const { return (rulings & 1) != 0; }   // 1a and 1b do not stand in for the starters S1 and S2
  bool tax_card_first() const { return (rulings & 2) != 0; }   // A12 is asked before the die
  bool metal_is_free() const { return (rulings & 4) != 0; }    // metal does not count in the carry-over
  bool event_shortfall() const { return (rulings & 8) != 0; }  // E6 costs points like the tax if gold is missing

  template <class F>
  void visit(F&& f) {
    f(kInfos[0], bishop_spaces);
    f(kInfos[1], castle_spaces);
    f(kInfos[2], market_spaces);
    f(kInfos[3], lowest_space);
    f(kInfos[4], market_twice);
    f(kInfos[5], sequential_building);
    for (unsigned i = 0; i < 4; ++i) {
      std::uint8_t value = rulings >> i & 1;
      f(kInfos[6 + i], value);
      rulings = static_cast<std::uint8_t>((rulings & ~(1u << i)) | static_cast<unsigned>(value) << i);
    }
  }
  static const std::array<OptionInfo, 10> kInfos;
};

struct Seat {
  std::uint32_t craftsmen;   // a set
  std::uint16_t advantages;  // kept cards, a set; A10 stays as the sign of the black worker
  std::uint16_t quarries;    // resource cards of this round, until production
  std::uint16_t points;
  std::uint8_t gold;
  std::array<std::uint8_t, kGoods> goods;
  std::uint8_t workers;       // free, in phase 1
  std::uint8_t mill;          // in the wool mill, until it pays
  std::uint8_t grey;          // for the next round
  std::uint8_t passed;        // phase 1
  std::uint8_t guarded;       // against the event of the round
  std::uint8_t two_builders;  // in the next round
  std::uint8_t bought;        // goods bought at this market, a set
  std::uint8_t sold;
  std::uint8_t zero;
};

// The whole position; see the field table above. Seats in lists of spaces are seat + 1, 0 for nobody.
struct Table {
  std::array<Seat, kMaxSeats> seats;
  std::uint32_t craftsmen_row, shiring;  // sets
  std::uint16_t unseen_advantages, unseen_events, town, quarries;
  std::array<std::uint8_t, 2> town_builders, shiring_builders;  // by card, the lower one first
  std::array<std::uint8_t, kSpaces> spaces;
  std::array<std::uint8_t, 3> stock;
  std::array<std::uint8_t, kMaxSeats> bag;
  std::array<std::uint8_t, kTopCost> dial;  // by cost - 1
  std::uint8_t drawn, dealt, free, refused;
  std::uint8_t round, start_player, mover;
  Phase phase;
  std::uint8_t event, event_known, looked, die, exempt, market_space;
  std::uint8_t asked, boosted, made, excess, dropping;
  std::array<std::uint8_t, kCraftsmen> used;
  Options options;
  std::array<std::uint8_t, 9> zero;

  bool operator==(const Table& other) const;
};

// All that a seat knows: the position without the event it has not seen.
class View {
 public:
  View() = default;
  View(const Table& table, Player viewer);

  Player viewer() const { return viewer_; }
  const Table& table() const { return table_; }
  bool operator==(const View& other) const { return viewer_ == other.viewer_ && table_ == other.table_; }

  template <class F>
  void visit_fields(F& fields) const;  // view_fields.hpp
  template <class F>
  void visit_fields(F& fields);

 private:
  Table table_{};
  std::int8_t viewer_ = kSpectator;
};

struct State {
  using Options = pillars::Options;
  using View = pillars::View;
  static const GameInfo kInfo;

  static State initial(Options options);
  Options options() const { return table.options; }

  // Whose turn and what can happen.
  Player current_player() const;
  void legal_actions(ActionList& actions) const;
  Action sample_uniform(Rng& rng) const;
  void chance_outcomes(OutcomeList& outcomes) const;
  Action sample_chance(Rng& rng) const;

  // What happens, and what it is worth.
  void apply(Action action);
  Returns returns() const;

  // What a seat knows.
  View view(Player seat) const { return {table, seat}; }
  static State imagine(const View& view, Rng& rng);
  static Violation check(const View& view);

  // Knowledge for rollouts and the greedy bot: heuristic.cpp.
  Action sample_light(Rng& rng) const;
  static constexpr std::int32_t kHeuristicPoint = 35;
  std::int32_t heuristic(Action action) const;
  std::uint32_t round() const { return table.round; }
  static constexpr Horizon kHorizon{.decisions = 30};
  static constexpr SelectionRule kSelection = SelectionRule::kPuct;
  Outlook outlook() const;
  OutlookLead outlook_lead() const;

  bool operator==(const State&) const = default;

  Table table;
};

}  // namespace kingsbridge::pillars
