// Views from outside: whatever is changed in one, check refuses it with field and rule, or play from it keeps every law. Run it under the
// sanitizers too: nothing may crash.
#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "accepted.hpp"

namespace kingsbridge::tests {
namespace {

// One change: of a bit or a byte, a byte copied from elsewhere, or a bit moved to another word (a card to another pile).
void change(std::span<unsigned char> bytes, Rng& rng) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  unsigned char& byte = bytes[rng.below(size)];
  switch (rng.below(6)) {
    case 0: byte = static_cast<unsigned char>(byte ^ 1u << rng.below(8)); break;
    case 1: byte = static_cast<unsigned char>(rng.next()); break;
    case 2: byte = static_cast<unsigned char>(byte + 1); break;
    case 3: byte = static_cast<unsigned char>(byte - 1); break;
    case 4: byte = bytes[rng.below(size)]; break;
    default:
      for (int tries = 0; tries < 200; ++tries) {
        const std::uint32_t from = rng.below(size), to = (from & 7) + 8 * rng.below(size / 8);
        const auto bit = static_cast<unsigned char>(1u << rng.below(8));
        if (to >= size || (bytes[from] & bit) == 0 || (bytes[to] & bit) != 0) continue;
        bytes[from] = static_cast<unsigned char>(bytes[from] ^ bit);
        bytes[to] = static_cast<unsigned char>(bytes[to] ^ bit);
        break;
      }
  }
}

// All fields with values, in groups too.
void collect(Fields& fields, std::vector<Field*>& leaves) {
  for (Field& field : fields) {
    if (field.items.empty()) leaves.push_back(&field);
    for (Fields& item : field.items) collect(item, leaves);
  }
}

// One change: of a number or component, a component added, dropped or moved to another pile, an entry of a group dropped or doubled.
void change(Fields& fields, Rng& rng) {
  const auto any = [&](auto& list) -> auto& { return list[rng.below(static_cast<std::uint32_t>(list.size()))]; };
  Field& top = any(fields);
  if (!top.items.empty() && rng.below(8) == 0) {
    if (rng.below(2) == 0)
      top.items.pop_back();
    else
      top.items.push_back(Fields(any(top.items)));
    return;
  }
  std::vector<Field*> leaves;
  collect(fields, leaves);
  Field& field = *any(leaves);
  if (field.free && rng.below(4) != 0) {
    Field& other = *any(leaves);
    const auto bound = field.domain != nullptr ? static_cast<std::uint32_t>(field.domain->count) : 20;
    if (!field.values.empty() && rng.below(4) != 0) {
      std::int64_t& last = field.values.back();
      std::swap(any(field.values), last);
      if (other.domain == field.domain && other.free) other.values.push_back(last);
      field.values.pop_back();
    } else {
      field.values.push_back(static_cast<std::int64_t>(rng.below(bound)));
    }
    if (field.domain != nullptr) std::ranges::sort(field.values);
    if (other.free && other.domain != nullptr) std::ranges::sort(other.values);
  } else if (!field.values.empty()) {
    constexpr std::array<std::int64_t, 10> kOdd{-1, 0, 1, 2, 3, 5, 17, 40, 255, 65535};
    std::int64_t& value = any(field.values);
    value = rng.below(2) == 0 ? any(kOdd) : value + static_cast<std::int64_t>(rng.below(7)) - 3;
  }
}

// The view that the fields describe, unless the reader refuses them.
template <GameState S>
std::optional<typename S::View> try_read(const Fields& fields) {
  try {
    return read_view<typename S::View>(fields);
  } catch (const Refused&) {
    return std::nullopt;
  }
}

struct Tally {
  std::uint64_t refused = 0, accepted = 0;
};

// Judges a forged view: refused with its field, or lawful.
template <GameState S>
std::string judge(const typename S::View& view, Rng& rng, Tally& tally) {
  if (const Violation violation = S::check(view)) {
    ++tally.refused;
    return violation.field.empty() ? "a refusal that names no field" : "";
  }
  ++tally.accepted;
  return broken_accepted<S>(view, rng);
}

// Fails with the view, unless it is refused or lawful.
template <GameState S>
void require_lawful(const Game<S>& game, const typename S::View& view, Rng& rng, Tally& tally) {
  const std::string broken = judge<S>(view, rng, tally);
  if (broken.empty()) return;
  TextFields text;
  view.visit_fields(text);
  game.require(broken + "\nof this view, forged after the game below:\n" + text.text());
}

// Calls law(game, view, rng) with views of play, about `share` of each game.
template <GameState S, class Law>
void for_some_views(double share, Law&& law) {
  for_each_node<S>([&](const Game<S>& game) {
    Rng rng = game.fork();
    if (game.record().size() > 2 && rng.below(1'000'000) >= share * 1'000'000) return;
    const Player viewer = static_cast<Player>(rng.below(static_cast<std::uint32_t>(game.players()) + 1)) - 1;
    law(game, game.state().view(viewer), rng);
  });
}

// Calls forge(view, rng), which changes a view of play.
template <GameState S, class Forge>
void forge_views(Forge&& forge) {
  Tally tally;
  for_some_views<S>(0.005, [&](const Game<S>& game, const typename S::View& view, Rng& rng) {
    for (int i = 0; i < 8; ++i) {
      const std::optional<typename S::View> forged = forge(view, rng);
      if (!forged)
        ++tally.refused;
      else
        require_lawful(game, *forged, rng, tally);
    }
  });
  MESSAGE(tally.accepted << " accepted, " << tally.refused << " refused");
  CHECK(tally.accepted > 0);
  CHECK(tally.refused > 0);
}

TEST_CASE_TEMPLATE_DEFINE("A view with changed bytes is refused or obeys the laws", S, bytes) {
  using View = typename S::View;
  static_assert(std::is_trivially_copyable_v<View>);
  forge_views<S>([](const View& view, Rng& rng) -> std::optional<View> {
    std::array<unsigned char, sizeof(View)> bytes;
    std::memcpy(bytes.data(), &view, sizeof(View));
    for (std::uint32_t changes = 1 + rng.below(3); changes > 0; --changes) change(bytes, rng);
    View forged;
    std::memcpy(&forged, bytes.data(), sizeof(View));
    return forged;
  });
}
TEST_CASE_TEMPLATE_APPLY(bytes, Games);

TEST_CASE_TEMPLATE_DEFINE("A view with changed fields is refused or obeys the laws", S, fields) {
  forge_views<S>([](const auto& view, Rng& rng) {
    Fields fields = fields_of(view);
    for (std::uint32_t changes = 1 + rng.below(3); changes > 0; --changes) change(fields, rng);
    return try_read<S>(fields);
  });
}
TEST_CASE_TEMPLATE_APPLY(fields, Games);

// The bounds that check sets are the bounds of play: the highest number accepted in a field leads to no position that is refused.
TEST_CASE_TEMPLATE_DEFINE("The highest number that a field may have obeys the laws", S, highest) {
  Tally tally;
  for_some_views<S>(0.0002, [&](const Game<S>& game, const typename S::View& view, Rng& rng) {
    Fields fields = fields_of(view);
    std::vector<Field*> leaves;
    collect(fields, leaves);
    for (Field* field : leaves) {
      if (field->domain != nullptr || field->values.empty() || rng.below(8) != 0) continue;
      const auto value = field->values[0];
      field->values[0] = 2500;
      if (!try_read<S>(fields)) field->values[0] = 255;
      for (; field->values[0] > value; --field->values[0]) {
        const auto forged = try_read<S>(fields);
        if (!forged || S::check(*forged)) continue;
        require_lawful(game, *forged, rng, tally);
        break;
      }
      field->values[0] = value;
    }
  });
  CHECK(tally.accepted > 0);
}
TEST_CASE_TEMPLATE_APPLY(highest, Games);

}  // namespace
}  // namespace kingsbridge::tests
