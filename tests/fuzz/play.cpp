// Bytes as a game: options, then actions. Numbers that are no legal action are refused, whatever they are; legal ones keep the laws.
#include "bytes.hpp"
#include "laws.hpp"

namespace kingsbridge::fuzz {
namespace {

template <GameState S>
typename S::Options options_of(Bytes& bytes) {
  typename S::Options options;
  const auto seats = static_cast<std::size_t>(S::kInfo.max_players - S::kInfo.min_players + 1);
  options.players = static_cast<decltype(options.players)>(S::kInfo.min_players + static_cast<int>(bytes.below(seats)));
  options.visit([&](const OptionInfo& option, auto& value) {
    const auto choices = static_cast<std::size_t>(option.maximum - option.minimum + 1);
    value = static_cast<std::remove_reference_t<decltype(value)>>(option.minimum + static_cast<int>(bytes.below(choices)));
  });
  return options;
}

// What may be played here: decisions, or outcomes.
template <GameState S>
std::vector<Action> possible(const S& state) {
  ActionList actions;
  OutcomeList outcomes;
  state.legal_actions(actions);
  state.chance_outcomes(outcomes);
  std::vector<Action> all(actions.begin(), actions.end());
  for (const Outcome& outcome : outcomes) all.push_back(outcome.action);
  return all;
}

// An action that is possible, one like it, or any number.
Action wanted(const std::vector<Action>& all, Bytes& bytes) {
  const unsigned how = bytes.below(8);
  if (how == 0) return bytes.take<Action>();
  const Action action = all[bytes.below(all.size())];
  return how == 1 ? action ^ (Action{1} << bytes.below(32)) : action;
}

// The number reads as it is written, if it is an action at all.
template <GameState S>
void look_at_notation(Action action) {
  if (!is_action(S::kInfo, action)) return;
  const Parsed parsed = parse_action(S::kInfo, action_text(S::kInfo, action));
  require(parsed.error.empty() && parsed.action == action, "an action that is not read as it is written");
}

// Two equal states become equal ones, byte by byte, and so does one that was copied as bytes.
template <GameState S>
void play(S& state, Action action) {
  S other;
  std::memcpy(&other, &state, sizeof(S));
  state.apply(action);
  other.apply(action);
  require(tests::same_bytes(state, other) && key(state) == key(other), "apply is no function of its arguments");
}

template <GameState S>
void play_game(Bytes& bytes) {
  Rng rng(bytes.take<std::uint32_t>());
  S state = S::initial(options_of<S>(bytes));
  int length = 0;
  while (!is_terminal(state) && !bytes.empty()) {
    require(length <= S::kInfo.max_length, "a game longer than max_length");
    require(tests::broken_legal_list(state));
    require(tests::broken_outcomes(state));
    if (length % 64 == 0) require(tests::broken_law(state, rng));
    const std::vector<Action> all = possible(state);
    const Action action = wanted(all, bytes);
    const bool allowed = allows(state, action);
    require(allowed == (std::ranges::count(all, action) == 1), "allows differs from the lists");
    look_at_notation<S>(action);
    if (!allowed) continue;
    play(state, action);
    ++length;
  }
  require(tests::broken_law(state, rng));
}

// Any text is an action or an error.
template <GameState S>
void read_text(Bytes& bytes) {
  const auto rest = bytes.rest();
  const Parsed parsed = parse_action(S::kInfo, {reinterpret_cast<const char*>(rest.data()), rest.size()});
  if (parsed.error.empty()) look_at_notation<S>(parsed.action);
  require(!parsed.error.empty() || is_action(S::kInfo, parsed.action), "a text was read as a number that is no action");
}

void run(Bytes bytes) {
  with_game(bytes.below(std::tuple_size_v<Games>), [&]<GameState S>() {
    if (bytes.below(16) == 0)
      read_text<S>(bytes);
    else
      play_game<S>(bytes);
  });
}

}  // namespace
}  // namespace kingsbridge::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kingsbridge::fuzz::run(kingsbridge::fuzz::Bytes({data, size}));
  return 0;
}
