// The Builders: Middle Ages (Frédéric Henry, Bombyx 2013), 2-4 players: options, position, view.
//
// Field table. Everything is public: face-up rows, deck tops (unless hidden by option), coins, cards; only the order below the tops is
// unknown to all, and it is no part of a State.
//
//   field                        who knows it   when it is zero
//   options_                     all            never
//   phase                        all            at the start (kStart is 0)
//   round                        all            before the first turn
//   start_player                 all            before it is drawn
//   mover                        all            before the first player is drawn, after the game
//   actions, sold                all            before the first turn, after the game; sold also without cumulative_coins
//   site_top, worker_top         all            kNone when hidden, before the deal, when the deck is empty
//   site_row, worker_row         all            before the deal
//   site_deck, worker_deck       all            when empty: a set, the order is future chance
//   idle, open, done             all            unused seats
//   coins, points                all            unused seats
//   missing                      all            sites that are not open
//   place                        all            workers that are not on a site
//   sent                         all            sites that are not the mover's, or got nobody this turn; between turns
//   zero                         nobody         always: it fills the struct up to a multiple of 16 bytes
//
// Two cards, W19 and W30, have one face. Positions that differ only in which of the two lies where are equal, so a set counts faces: the
// bit kTwin means "a second W19 in the same pile", and kTwin's place is never below W19's.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "core/bits.hpp"
#include "core/game_state.hpp"

namespace kingsbridge::builders {

inline constexpr int kFaces = 49;              // worker symbols: 41 faces, then the 8 machines
inline constexpr unsigned kFirstMachine = 41;  // of the worker symbols
inline constexpr unsigned kDoubleFace = 18;    // W19, the face of two cards
inline constexpr unsigned kTwin = 49;          // bit of the second card of that face
inline constexpr int kSiteCount = 42;          // 34 buildings, then the 8 machines
inline constexpr unsigned kFirstMachineSite = 34;
inline constexpr unsigned kRow = 5;  // cards laid out of each kind
inline constexpr unsigned kTurnActions = 3;
inline constexpr unsigned kActionPrice = 5;  // coins for an extra action
inline constexpr unsigned kStartCoins = 10;
inline constexpr unsigned kGoal = 17;  // points that end the game
inline constexpr unsigned kCoinsPerPoint = 10;

// Numbers of the action kinds, in the order of kInfo.kinds.
enum Kind : std::uint8_t { kOpen, kRecruit, kSend, kCoins, kBuy, kEnd, kChooseStart, kDealApprentice, kRevealSite, kRevealWorker };

enum class Phase : std::uint8_t {
  kStart,        // chance: who begins
  kApprentices,  // chance: one for each seat, in seat order
  kReveal,       // chance: the next card of a row or a deck top, see Pending
  kPlay,         // the mover decides
  kOver
};

// What kReveal shows next; follows from the piles alone.
enum class Pending : std::uint8_t { kNothing, kSiteToRow, kWorkerToRow, kSiteToTop, kWorkerToTop };

struct Options {
  std::uint8_t players = 2;
  std::uint8_t max_rounds = 40;       // the game ends after it and is scored as usual
  std::uint8_t visible_tops = 1;      // the next card of each deck lies face up
  std::uint8_t cumulative_coins = 0;  // COINS counts all actions sold in the turn (1, 2, 3, 1, ... coins each) instead of each exchange

  bool operator==(const Options&) const = default;

  template <class F>
  void visit(F&& f) {
    f(kInfos[0], max_rounds);
    f(kInfos[1], visible_tops);
    f(kInfos[2], cumulative_coins);
  }
  static const std::array<OptionInfo, 3> kInfos;
};

// A seat's own cards: those at hand, unfinished sites, finished cards.
struct Seat {
  Bits idle;  // workers and machines, by face
  Bits open;  // sites
  Bits done;  // sites
};

// The whole position; see the field table above.
struct Table {
  std::array<Seat, kMaxSeats> seats;
  Bits site_row, worker_row, site_deck, worker_deck;
  std::array<std::uint16_t, kMaxSeats> coins;
  std::array<std::uint16_t, kSiteCount> missing;  // four bits a resource, stone lowest
  std::uint16_t actions;
  std::array<std::uint8_t, 56> place;  // site number + 1 of each worker at work; rounded up to whole words for at_work()
  std::array<std::uint8_t, kSiteCount> sent;
  std::array<std::uint8_t, kMaxSeats> points;
  Phase phase;
  std::uint8_t round, start_player, mover, sold;
  std::uint8_t site_top, worker_top;
  Options options;
  std::array<std::uint8_t, 1> zero;

  bool operator==(const Table& other) const;
};

// All that a seat knows: the position, and who looks at it.
class View {
 public:
  View() = default;
  View(const Table& table, Player viewer) : table_(table), viewer_(static_cast<std::int8_t>(viewer)) {}

  Player viewer() const { return viewer_; }
  const Table& table() const { return table_; }
  bool operator==(const View& other) const { return viewer_ == other.viewer_ && table_ == other.table_; }

  template <class F>
  void visit_fields(F& fields) const;  // view_fields.hpp
  template <class F>
  void visit_fields(F& fields);

 private:
  friend struct State;
  Table table_{};
  std::int8_t viewer_ = kSpectator;
};

struct State {
  using Options = builders::Options;
  using View = builders::View;
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
  static State imagine(const View& view, Rng&) { return {view.table()}; }
  static Violation check(const View& view);

  // Knowledge for rollouts and the greedy bot: heuristic.cpp.
  Action sample_light(Rng& rng) const;
  static constexpr std::int32_t kHeuristicPoint = 100;
  std::int32_t heuristic(Action action) const;
  std::uint32_t round() const { return table.round; }
  static constexpr Horizon kHorizon{};  // to the end: a rollout is cheaper than the tree's part
  static constexpr SelectionRule kSelection = SelectionRule::kUcb1;
  Outlook outlook() const;
  OutlookLead outlook_lead() const { return {.share = 7 * kOutlookPoint / 2}; }  // of games between searching seats: ai/ladder/README.md

  bool operator==(const State&) const = default;

  Table table;
};

// Card to be revealed in phase kReveal.
Pending pending(const Table& table);
// Whether the round now being played is the last.
bool final_round(const Table& table);

}  // namespace kingsbridge::builders
