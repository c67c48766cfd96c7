// A Column of Fire (Michael Rieneck, Kosmos 2017), 2-4 players: options, position, view.
//
// Field table. All is public but which advantage tiles lie face down before a seat: their owner alone knows.
//
//   field                          who knows it     when it is zero (or kNone)
//   options                        all              never
//   seats                          all but `tiles`  unused seats; per field below
//     tiles                        the owner        others see `held` alone; action tiles are gone when the game is over
//     faces                        all              of a free die, but from its roll to the choice of the die to recruit with; of that
//                                                   one until it lies on its card
//     row_cards, row_dice          all              beyond row_size; the oldest card comes first
//     religion_die                 all              until it is rolled
//     space                        all              kNone before the deal
//   unseen                         all              sets by country: their order is future chance
//   face_up                        all              kNone without a card: recruited and not flipped yet, or exhausted
//   stones                         all              per country and kind
//   stack                          the sum of stack and face-down tiles of the others: see View
//   year, half, turn, point        all              at the start; half, turn, point when the game is over
//   mover                          all              when nobody decides
//   flipping, event                all              kNone unless a deck is being flipped, an event carried out
//   event_done                     all              until an event of this half-turn; a new half-turn
//   ending                         all              until 50 points are reached or a deck is exhausted
//   die, country                   all              kNone but from the choice to the row (die), to the flip (country)
//   cursor                         all              but in the first half, cards already dealt with
//   space                          all              kNone but while the use of the space moved to is open
//   acting                         all              kNone but while a space's action is under way
//   allowed                        all              but while a stone is placed or removed: the kinds to choose from
//   sold                           all              a new half-turn: pairs of good and country sold in this one
//
// Played tiles are not kept: they are those of the box that are neither in the stack nor face down.
//
// A half-turn is walked through by `point`; `phase` is the question or chance event it has come to. An action runs between two points: the
// point is moved on before it starts, so what comes after it never needs a history.
#pragma once

#include <array>
#include <cstdint>

#include "core/bits.hpp"
#include "core/game_state.hpp"
#include "games/column/cards.hpp"

namespace kingsbridge::column {

inline constexpr unsigned kCountries = 4;
inline constexpr unsigned kGoods = 4;
inline constexpr unsigned kStones = 3;
inline constexpr unsigned kColours = 5;      // dice but for the black one
inline constexpr unsigned kDeckCards = 17;   // 13 characters and 4 events a country
inline constexpr unsigned kDeckPeople = 13;  // the lower ones of a deck
inline constexpr unsigned kCards = kCountries * kDeckCards;
inline constexpr unsigned kTileKinds = 11;
inline constexpr unsigned kPointTiles = 3;  // the first kinds
inline constexpr unsigned kMostYears = 30;
inline constexpr unsigned kMostPoints = 999;  // where the marker stops, and 250 tiles of a kind: no game comes near
inline constexpr unsigned kMostTiles = 250;

enum Tile : std::uint8_t {
  kOnePoint,
  kTwoPoints,
  kThreePoints,
  kSellTile,
  kGoodTile,
  kTurnTile,
  kFreeTile,
  kRemoveTile,
  kNextTile,
  kReligionTile,
  kNeutralTile
};

enum Kind : std::uint8_t {
  kPass,
  kPlay,
  kPay,
  kKeep,
  kChange,
  kUseCard,
  kUseSpace,
  kSkip,
  kRecruit,
  kDecline,
  kAccept,
  kProtect,
  kUpgrade,
  kGain,
  kSell,
  kSellGood,
  kPlace,
  kRemove,
  kTurnUp,
  kTurnDown,
  kFree,
  kRemoveFromPlay,
  kMove,
  kImprison,
  kLose,
  kRedeem,
  kResolve,
  kStartPlayer,
  kDeal,
  kRollReligion,
  kFlip,
  kRollDie,
  kDraw
};

// Questions and chance events.
enum class Phase : std::uint8_t {
  kStart,
  kDeal,
  kFirstRoll,
  kFirstFlip,
  kWindow,
  kRollReligion,
  kConvert,
  kUseCard,
  kRollDice,
  kRecruit,
  kStone,
  kHouse,
  kTrack,
  kUseSpace,
  kLanded,  // by "next space"
  kGood,
  kReligion,
  kSellOne,
  kTurnDie,
  kFreeDie,
  kRemoveCard,
  kTrade,
  kShip,
  kShipStone,
  kDraw,
  kFlip,
  kEvent,
  kConflict,
  kOver
};

// Where a half-turn stands.
enum class Point : std::uint8_t { kNone, kStart, kCards, kCard, kRecruit, kNewCard, kFlip, kTrack, kSpace, kEnd, kConflicts };

// Rulings that the sources leave open; each default is that of the rules file.
struct Options {
  std::uint8_t players = 2;
  std::uint8_t max_years = kMostYears;
  std::uint8_t rulings = 1 | 16 | 128;  // a bit for each of the words below: windows, turned_minority, full_recruit

  bool operator==(const Options&) const = default;

  bool windows() const { return (rulings & 1) != 0; }              // free actions also at the start and the end of a half-turn
  bool exhausted_fee() const { return (rulings & 2) != 0; }        // naming an exhausted country costs a point
  bool advantage_reshuffle() const { return (rulings & 4) != 0; }  // played tiles come back when the stacks are empty
  bool seed_tiles() const { return (rulings & 8) != 0; }           // all tiles are points
  bool turned_minority() const { return (rulings & 16) != 0; }     // an action that turns down the religion die checks the minority
  bool sell3_limited() const { return (rulings & 32) != 0; }       // "sell for 3" names a country and keeps its limit
  bool events_from_start() const { return (rulings & 64) != 0; }   // seats are asked from the starting player on
  bool full_recruit() const { return (rulings & 128) != 0; }       // a country full of stones can be named

  template <class F>
  void visit(F&& f) {
    f(kInfos[0], max_years);
    for (unsigned i = 0; i < 8; ++i) {
      std::uint8_t value = rulings >> i & 1;
      f(kInfos[1 + i], value);
      rulings = static_cast<std::uint8_t>((rulings & ~(1u << i)) | static_cast<unsigned>(value) << i);
    }
  }
  static const std::array<OptionInfo, 9> kInfos;
};

struct Seat {
  std::uint16_t points;
  std::array<std::uint8_t, kGoods> goods;
  std::uint8_t protection;
  std::uint8_t religion;  // kCatholic or kProtestant
  std::uint8_t religion_die;
  std::uint8_t space;                            // of the track
  std::array<std::uint8_t, kCountries> houses;   // sites 1 to 6, 0 without a house
  std::array<std::uint8_t, kColours> faces;      // of dice on cards, on Loch Leven, rolled
  std::array<std::uint8_t, kColours> row_cards;  // by age
  std::array<std::uint8_t, kColours> row_dice;   // on them
  std::uint8_t row_size;
  std::uint8_t prison;  // colours on Loch Leven, a set
  std::uint8_t held;    // tiles face down
  std::array<std::uint8_t, kTileKinds> tiles;
  std::uint8_t zero;
};

// The whole position; see the field table above.
struct Table {
  std::array<Seat, kMaxSeats> seats;
  std::array<std::uint32_t, kCountries> unseen;  // sets within the country's deck
  std::array<std::uint8_t, kCountries> face_up;
  std::array<std::array<std::uint8_t, kStones>, kCountries> stones;
  std::array<std::uint8_t, kTileKinds> stack;
  Phase phase;
  Point point;
  std::uint8_t year, half, start_player, turn, mover;
  std::uint8_t flipping, event, event_done, ending, die, country, cursor, space, acting, allowed, sold;
  Options options;

  bool operator==(const Table& other) const;
};

// All that a seat knows: the position without the kinds of the others' tiles. Those are counted with the stack.
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
  using Options = column::Options;
  using View = column::View;
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

  // Knowledge for rollouts and the greedy bot: heuristic.cpp, outlook.cpp.
  Action sample_light(Rng& rng) const;
  static constexpr std::int32_t kHeuristicPoint = 10;
  std::int32_t heuristic(Action action) const;
  std::uint32_t round() const { return 2u * table.year + table.half; }
  static constexpr Horizon kHorizon{.rounds = 2};
  static constexpr SelectionRule kSelection = SelectionRule::kPuct;
  Outlook outlook() const;
  OutlookLead outlook_lead() const;

  bool operator==(const State&) const = default;

  Table table;
};

}  // namespace kingsbridge::column
