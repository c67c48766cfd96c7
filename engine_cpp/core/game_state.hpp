// The contract every game fulfils, whole: there are no defaults and no optional parts.
//
// A State is a canonical value: trivially copyable, without padding, pointers, history or randomness. Equal positions have equal bytes:
// what is not in use is zero, a pile is a set or a count per card. It never contains the future: a deck is the multiset of its unseen
// cards, and a draw is a chance event at the moment of the reveal. So copy, ==, hash, serialization and replay are written once.
//
// The laws of tests/cpp/conformance.cpp hold for every type that satisfies the concept.
#pragma once

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "core/fields.hpp"
#include "core/fixed_vector.hpp"
#include "core/game_info.hpp"
#include "core/hash.hpp"
#include "core/returns.hpp"
#include "core/rng.hpp"
#include "core/types.hpp"

namespace kingsbridge {

// How a rollout chooses: uniformly, or by the game's light policy (games/<g>/heuristic.hpp).
enum class Policy : std::uint8_t { kUniform, kLight };

// How a search tree weighs actions (algorithms/bandit.hpp): UCB1, by what they brought and how often; PUCT, also by the game's heuristic.
enum class SelectionRule : std::uint8_t { kUcb1, kPuct };

// No bound of a rollout: it goes on to the end of the game.
inline constexpr std::uint32_t kToTheEnd = UINT32_MAX;

// Where a rollout is cut off, if the game is not over before: whatever is reached first.
struct Horizon {
  std::uint32_t decisions = kToTheEnd;  // taken
  std::uint32_t rounds = kToTheEnd;     // ended, that of the beginning included

  bool operator==(const Horizon&) const = default;
};

template <class S>
concept GameState = std::is_trivially_copyable_v<S> && std::equality_comparable<S> && std::has_unique_object_representations_v<S> &&
                    std::is_trivially_copyable_v<typename S::Options> && sizeof(typename S::Options) <= 8 &&
                    requires(S s, const S cs, const typename S::View view, typename S::Options options, Action action, Player seat,
                             Rng& rng, ActionList& actions, OutcomeList& outcomes, HashFields& fields) {
                      // Names, seats, bounds, action kinds, components.
                      { S::kInfo } -> std::convertible_to<const GameInfo&>;
                      // Calls f(const OptionInfo&, value&) for each option but the number of players.
                      options.visit([](const OptionInfo&, auto&) {});
                      { options.players } -> std::convertible_to<int>;
                      // The first node of a game, usually chance. Requires options within kInfo.
                      { S::initial(options) } -> std::same_as<S>;
                      { cs.options() } -> std::same_as<typename S::Options>;

                      // Seat to move, or kChance, or kTerminal.
                      { cs.current_player() } -> std::same_as<Player>;
                      // At a decision: the legal actions, ascending, unique, never empty. Elsewhere: nothing.
                      { cs.legal_actions(actions) } -> std::same_as<void>;
                      // At a decision: one of the legal actions, each with the same probability.
                      { cs.sample_uniform(rng) } -> std::same_as<Action>;
                      // At a chance node: the outcomes, ascending, with positive integer weights. Elsewhere: nothing.
                      { cs.chance_outcomes(outcomes) } -> std::same_as<void>;
                      // At a chance node: one outcome, drawn by weight.
                      { cs.sample_chance(rng) } -> std::same_as<Action>;
                      // Plays a legal action or an outcome: a pure function of state and action. Asserts legality, never throws.
                      { s.apply(action) } -> std::same_as<void>;
                      // Score and rank value per seat of the present standing; the result of a finished game.
                      { cs.returns() } -> std::same_as<Returns>;

                      // All that the seat (or kSpectator) may know, and could remember.
                      { cs.view(seat) } -> std::same_as<typename S::View>;
                      // The View's fields, the same for reading and writing. A reading visitor also
                      // verifies what follows from other fields.
                      view.visit_fields(fields);
                      { view.viewer() } -> std::same_as<Player>;
                      { view == view } -> std::same_as<bool>;
                      // A State with that view; its hidden part uniform over the unseen multiset the view leaves possible. Requires
                      // check(view) clean.
                      { S::imagine(view, rng) } -> std::same_as<S>;
                      // The first broken invariant of a View from outside; none if a game can come to it.
                      { S::check(view) } -> std::same_as<Violation>;

                      // One legal action, drawn fast, as the light policy plays: few words of knowledge, never a search.
                      { cs.sample_light(rng) } -> std::same_as<Action>;
                      // Rough value of a legal action for the seat to move; higher is better. kHeuristicPoint of it are worth a
                      // point of the score; only differences between actions of one decision count.
                      { cs.heuristic(action) } -> std::same_as<std::int32_t>;
                      { S::kHeuristicPoint } -> std::convertible_to<std::int32_t>;
                      // What each seat may have in the end, in 1 / kOutlookPoint points: the evaluation of a game cut off here.
                      { cs.outlook() } -> std::same_as<Outlook>;
                      // What a lead in it is worth here; found by matches, and in games between searches. Positive.
                      { cs.outlook_lead() } -> std::same_as<OutlookLead>;
                      // Rounds begun so far. A position at the beginning of one is even: every seat had as many turns.
                      { cs.round() } -> std::same_as<std::uint32_t>;
                      // Where a rollout is best cut off; found by matches at equal time.
                      { S::kHorizon } -> std::convertible_to<Horizon>;
                      // How actions are best weighed; found likewise.
                      { S::kSelection } -> std::convertible_to<SelectionRule>;
                    };

// Whether an action may be played here: a legal decision, or an outcome of this chance node.
template <class S>
bool allows(const S& state, Action action) {
  if (state.current_player() == kChance) {
    OutcomeList outcomes;
    state.chance_outcomes(outcomes);
    return std::any_of(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) { return outcome.action == action; });
  }
  ActionList actions;
  state.legal_actions(actions);
  return std::binary_search(actions.begin(), actions.end(), action);
}

template <GameState S>
bool is_terminal(const S& state) {
  return state.current_player() == kTerminal;
}

// Hash of the position: equal states have equal keys in every process.
template <GameState S>
Key key(const S& state) {
  return hash_bytes(state);
}

// Hash of what a View shows.
template <class View>
Key info_key(const View& view) {
  HashFields fields;
  view.visit_fields(fields);
  return fields.key();
}

}  // namespace kingsbridge
