// Everything static about a game, as constant tables: they drive notation, the proto messages, the component lists and the Dealer.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/types.hpp"

namespace kingsbridge {

// A text in the languages it has; the others are empty.
struct Text {
  std::string_view en = {}, fr = {}, ja = {}, de = {};
};

// Where a name or a row of numbers comes from. Names: "published", or "unofficial" for a translation of ours. Values: "certain",
// "likely" or "reconstructed", with the sources.
struct Provenance {
  Text names;
  std::string_view values;
  std::string_view sources;
};

struct Attribute {
  std::string_view name;
  int value;
  std::string_view word = {};  // what the value stands for, where it is a code
};

// A card of the box.
struct Component {
  std::string_view id;
  std::string_view set;   // "worker", "building", ...
  std::string_view face;  // id of the card with the same face that actions name; usually its own id
  Text names;
  Provenance provenance;
  std::array<Attribute, 12> attributes = {};  // those without a name are unused
  int copies = 1;                             // cards of this id in the box
};

// The values an argument can take: components by symbol, or numbers first .. first + count - 1.
struct Domain {
  std::string_view name;
  int first = 0;
  int count = 0;
  std::span<const std::string_view> symbols = {};  // empty for numbers
  std::span<const std::uint8_t> copies = {};       // of each symbol in the box
};

struct Argument {
  std::string_view name;
  std::uint8_t domain;  // index into GameInfo::domains
};

struct ActionKind {
  std::string_view name;
  std::span<const Argument> arguments = {};  // at most three
  bool chance = false;
  bool pooled = false;         // chance with so many outcomes that a search tree does not tell them apart
  int owner = -1;              // the argument that names the seat which alone sees the others, or -1 if all see all
  std::string_view deck = {};  // pile a chance kind draws from without replacement
  Text phrase;                 // the action in words, "{argument}" where an argument goes
};

struct OptionInfo {
  std::string_view name;
  int minimum;
  int maximum;
  int standard;  // default
  std::string_view text;
};

struct GameInfo {
  std::string_view name;
  Text title;
  int min_players;
  int max_players;
  int rules_revision;  // raised when a rule changes without a change in the tables
  int max_score;       // no seat scores more, whatever the options
  int max_length;      // no game has more decisions and chance events, whatever the options
  std::span<const OptionInfo> options;
  std::span<const Domain> domains;
  std::span<const ActionKind> kinds;  // indexed by the kind's number; decisions before chance
  std::span<const Component> components;
};

// Values a kind's arguments can take together.
constexpr int combinations(const GameInfo& info, const ActionKind& kind) {
  int product = 1;
  for (const Argument& argument : kind.arguments) product *= info.domains[argument.domain].count;
  return product;
}

// Length of a mask over all decisions of the game.
constexpr int action_count(const GameInfo& info) {
  int sum = 0;
  for (const ActionKind& kind : info.kinds)
    if (!kind.chance) sum += combinations(info, kind);
  return sum;
}

// Whether a number encodes an action: kind and arguments in their domains, unused arguments 0.
constexpr bool is_action(const GameInfo& info, Action action) {
  if (kind_of(action) >= info.kinds.size()) return false;
  const auto arguments = info.kinds[kind_of(action)].arguments;
  for (std::size_t i = 0; i < 3; ++i) {
    const unsigned value = argument(action, static_cast<int>(i));
    if (i >= arguments.size() ? value != 0 : value >= static_cast<unsigned>(info.domains[arguments[i].domain].count)) return false;
  }
  return true;
}

// Position of a decision among all decisions of the game, ascending with its number; requires is_action and not chance.
constexpr int action_index(const GameInfo& info, Action action) {
  int base = 0;
  for (unsigned k = 0; k < kind_of(action); ++k) base += combinations(info, info.kinds[k]);
  int offset = 0;
  const auto arguments = info.kinds[kind_of(action)].arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    offset = offset * info.domains[arguments[i].domain].count + static_cast<int>(argument(action, static_cast<int>(i)));
  return base + offset;
}

// The inverse; requires 0 <= index < action_count.
constexpr Action action_at(const GameInfo& info, int index) {
  unsigned kind = 0;
  while (index >= combinations(info, info.kinds[kind])) index -= combinations(info, info.kinds[kind++]);
  const auto arguments = info.kinds[kind].arguments;
  unsigned values[3] = {0, 0, 0};
  for (std::size_t i = arguments.size(); i-- > 0;) {
    const int size = info.domains[arguments[i].domain].count;
    values[i] = static_cast<unsigned>(index % size);
    index /= size;
  }
  return pack(kind, values[0], values[1], values[2]);
}

// What a viewer sees of an event, for the key of a search node: pooled outcomes look alike, and so do those only another seat sees.
constexpr Action observed(const GameInfo& info, Action action, Player viewer) {
  const ActionKind& kind = info.kinds[kind_of(action)];
  if (kind.pooled) return pack(kind_of(action));
  if (kind.owner < 0 || static_cast<Player>(argument(action, kind.owner)) == viewer) return action;
  return action & (0xFF000000u | 0xFF0000u >> (8 * kind.owner));
}

// 64-bit FNV-1a over all that decides how a record replays: tables, kinds, domains, options, revision. Names in words do not count.
Key rules_hash(const GameInfo& info);

}  // namespace kingsbridge
