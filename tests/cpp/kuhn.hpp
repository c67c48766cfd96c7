// A toy with hidden cards and known answers: Kuhn poker (H. W. Kuhn, "A simplified two-person poker", 1950), with three to five cards.
// The laws run over it too, so that those on hidden information are tested themselves.
//
//   field      who knows it            when it is zero
//   options    all                     never
//   card       its seat, all at a showdown   until dealt; else the card + 1
//   moves      all                     before the first move
//   bets       all                     bit n: the n-th move was a bet
//   zero       nobody                  always
#pragma once

#include <array>
#include <cstdint>

#include "core/game_state.hpp"

namespace kingsbridge::kuhn {

enum Kind : std::uint8_t { kPass, kBet, kDeal };

struct Options {
  std::uint8_t players = 2;
  std::uint8_t cards = 3;

  bool operator==(const Options&) const = default;

  template <class F>
  void visit(F&& f) {
    f(kInfos[0], cards);
  }
  static constexpr std::array<OptionInfo, 1> kInfos{{{"cards", 3, 5, 3, "cards in the deck"}}};
};

inline constexpr std::array<std::string_view, 5> kCards{"J", "Q", "K", "A", "X"};
inline constexpr std::array<std::uint8_t, 5> kCopies{1, 1, 1, 1, 1};
inline constexpr std::array<Domain, 2> kDomains{{
    {.name = "seat", .first = 0, .count = 2},
    {.name = "card", .count = 5, .symbols = kCards, .copies = kCopies},
}};
inline constexpr std::array<Argument, 2> kSeatAndCard{{{"seat", 0}, {"card", 1}}};
inline constexpr std::array<ActionKind, 3> kKinds{{
    {.name = "pass", .phrase = {"pass", "passer", "パス"}},
    {.name = "bet", .phrase = {"bet", "miser", "ベット"}},
    {.name = "deal", .arguments = kSeatAndCard, .chance = true, .owner = 0, .deck = "card", .phrase = {"{card}", "{card}", "{card}"}},
}};

// The moves so far: which of the five endings, if any.
struct Moves {
  std::uint8_t count = 0;
  std::uint8_t bets = 0;

  bool operator==(const Moves&) const = default;
  bool possible() const { return count <= 3 && bets < 1 << count && (count < 3 || (bets & 3) == 2); }
  bool over() const { return count == 3 || (count == 2 && bets != 2); }
  bool showdown() const { return over() && (bets >> (count - 1) & 1) == (bets >> (count - 2) & 1); }
};

struct View {
  Options options = {};
  std::int8_t seat = 0;
  std::uint8_t dealt = 0;
  std::array<std::uint8_t, 2> cards = {};  // kNone: hidden or not dealt
  Moves moves = {};

  Player viewer() const { return seat; }
  bool operator==(const View&) const = default;

  template <class F>
  void visit_fields(F& fields) {
    fields.number("players", options.players);
    fields.number("cards", options.cards);
    fields.number("viewer", seat);
    fields.number("dealt", dealt);
    fields.component("first_card", kDomains[1], cards[0]);
    fields.component("second_card", kDomains[1], cards[1]);
    fields.number("moves", moves.count);
    fields.number("bets", moves.bets);
  }
  template <class F>
  void visit_fields(F& fields) const {
    View copy = *this;
    copy.visit_fields(fields);
  }
};

struct State {
  using Options = kuhn::Options;
  using View = kuhn::View;
  static constexpr GameInfo kInfo{
      .name = "kuhn",
      .title = {"Kuhn poker", "Poker de Kuhn", "クーンポーカー"},
      .min_players = 2,
      .max_players = 2,
      .rules_revision = 1,
      .max_score = 2,
      .max_length = 5,
      .options = kuhn::Options::kInfos,
      .domains = kDomains,
      .kinds = kKinds,
      .components = {},
  };

  static State initial(Options options) { return {.setup = options}; }
  Options options() const { return setup; }

  Player current_player() const {
    if (cards[1] == 0) return kChance;
    return moves.over() ? kTerminal : moves.count % 2;
  }
  void legal_actions(ActionList& actions) const {
    if (current_player() < 0) return;
    actions.push_back(pack(kPass));
    actions.push_back(pack(kBet));
  }
  void chance_outcomes(OutcomeList& outcomes) const {
    if (current_player() != kChance) return;
    const unsigned seat = cards[0] == 0 ? 0 : 1;
    for (unsigned card = 0; card < setup.cards; ++card)
      if (cards[0] != card + 1) outcomes.push_back({pack(kDeal, seat, card), 1});
  }
  Action sample_chance(Rng& rng) const {
    OutcomeList outcomes;
    chance_outcomes(outcomes);
    return outcomes[rng.below(static_cast<std::uint32_t>(outcomes.size()))].action;
  }

  void apply(Action action) {
    if (kind_of(action) == kDeal) {
      cards[argument(action, 0)] = static_cast<std::uint8_t>(argument(action, 1) + 1);
      return;
    }
    moves.bets = static_cast<std::uint8_t>(moves.bets | kind_of(action) << moves.count);
    ++moves.count;
  }
  Returns returns() const {
    Returns result;
    if (!moves.over()) return result;
    // A showdown goes to the higher card, a fold to the seat that bet.
    const bool first = moves.showdown() ? cards[0] > cards[1] : moves.count == 2;
    const std::int32_t stake = moves.showdown() && moves.bets != 0 ? 2 : 1;
    result.score[0] = first ? stake : -stake;
    result.score[1] = -result.score[0];
    result.rank = result.score;
    return result;
  }

  View view(Player seat) const {
    View view{.options = setup, .seat = static_cast<std::int8_t>(seat), .moves = moves};
    view.dealt = static_cast<std::uint8_t>((cards[0] != 0) + (cards[1] != 0));
    for (int i = 0; i < 2; ++i) {
      const std::uint8_t card = cards[static_cast<std::size_t>(i)];
      view.cards[static_cast<std::size_t>(i)] = card != 0 && (i == seat || moves.showdown()) ? static_cast<std::uint8_t>(card - 1) : kNone;
    }
    return view;
  }
  static State imagine(const View& view, Rng& rng) {
    State state{.setup = view.options, .moves = view.moves};
    for (std::size_t i = 0; i < 2; ++i)
      if (view.cards[i] != kNone) state.cards[i] = static_cast<std::uint8_t>(view.cards[i] + 1);
    for (std::size_t i = 0; i < view.dealt; ++i)
      while (state.cards[i] == 0) {
        const auto card = static_cast<std::uint8_t>(rng.below(view.options.cards) + 1);
        if (card != state.cards[1 - i]) state.cards[i] = card;
      }
    return state;
  }
  static Violation check(const View& view) {
    if (view.options.players != 2) return {"players", "two play"};
    if (view.options.cards < 3 || view.options.cards > 5) return {"cards", "three to five"};
    if (view.viewer() < kSpectator || view.viewer() > 1) return {"viewer", "a seat, or -1 for a spectator"};
    if (view.dealt > 2) return {"dealt", "one card each"};
    if (!view.moves.possible()) return {"moves", "a line of play"};
    if (view.dealt < 2 && view.moves.count != 0) return {"moves", "none before the deal"};
    for (int i = 0; i < 2; ++i) {
      const std::uint8_t card = view.cards[static_cast<std::size_t>(i)];
      const bool seen = i < view.dealt && (i == view.viewer() || view.moves.showdown());
      if (seen ? card >= view.options.cards : card != kNone) return {"cards", "one's own, and all at a showdown"};
    }
    if (view.cards[0] != kNone && view.cards[0] == view.cards[1]) return {"cards", "no card twice"};
    return {};
  }

  Action sample_uniform(Rng& rng) const { return pack(rng.below(2)); }
  Action sample_light(Rng& rng) const { return pack(rng.below(3) == 0 ? kPass : kBet); }
  static constexpr std::int32_t kHeuristicPoint = 1;
  std::uint32_t round() const { return 0; }
  static constexpr Horizon kHorizon{};
  static constexpr SelectionRule kSelection = SelectionRule::kUcb1;
  OutlookLead outlook_lead() const { return {}; }
  Outlook outlook() const { return {kOutlookPoint * (cards[0] - cards[1]) / 2, kOutlookPoint * (cards[1] - cards[0]) / 2}; }
  std::int32_t heuristic(Action action) const { return kind_of(action) == kBet ? cards[static_cast<std::size_t>(current_player())] : 2; }

  bool operator==(const State&) const = default;

  Options setup = {};
  std::array<std::uint8_t, 2> cards = {};
  Moves moves = {};
  std::array<std::uint8_t, 10> zero = {};
};

static_assert(GameState<State>);

}  // namespace kingsbridge::kuhn
