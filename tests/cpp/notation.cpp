// Actions as numbers, as places in a mask and as text, for every game; and the words of a refusal.
#include "core/notation.hpp"

#include <set>

#include "games.hpp"

namespace kingsbridge::tests {
namespace {

// Calls f(action) for every combination of a kind's arguments, ascending.
template <class F>
void for_each_action(const GameInfo& info, unsigned kind, F&& f) {
  const auto arguments = info.kinds[kind].arguments;
  const auto size = [&](std::size_t i) { return i < arguments.size() ? info.domains[arguments[i].domain].count : 1; };
  for (int a = 0; a < size(0); ++a)
    for (int b = 0; b < size(1); ++b)
      for (int c = 0; c < size(2); ++c) f(pack(kind, static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c)));
}

TEST_CASE_TEMPLATE_DEFINE("Every action of every kind survives text and back", S, texts) {
  std::set<std::string> seen;
  for (unsigned kind = 0; kind < S::kInfo.kinds.size(); ++kind)
    for_each_action(S::kInfo, kind, [&](Action action) {
      REQUIRE(is_action(S::kInfo, action));
      const std::string text = action_text(S::kInfo, action);
      const Parsed parsed = parse_action(S::kInfo, text);
      REQUIRE_MESSAGE(parsed.action == action, text << ": " << parsed.error);
      REQUIRE(parsed.error.empty());
      REQUIRE_MESSAGE(seen.insert(text).second, text);
    });
}
TEST_CASE_TEMPLATE_APPLY(texts, Games);

TEST_CASE_TEMPLATE_DEFINE("Decisions are numbered without gaps in the order of their numbers", S, indices) {
  int index = 0;
  for (unsigned kind = 0; kind < S::kInfo.kinds.size(); ++kind) {
    if (S::kInfo.kinds[kind].chance) continue;
    for_each_action(S::kInfo, kind, [&](Action action) {
      REQUIRE(action_index(S::kInfo, action) == index);
      REQUIRE(action_at(S::kInfo, index) == action);
      ++index;
    });
  }
  CHECK(index == action_count(S::kInfo));
}
TEST_CASE_TEMPLATE_APPLY(indices, Games);

TEST_CASE_TEMPLATE_DEFINE("Numbers outside the domains are no actions", S, outside) {
  Rng rng(3);
  for (unsigned kind = 0; kind < S::kInfo.kinds.size(); ++kind) {
    const auto arguments = S::kInfo.kinds[kind].arguments;
    for (std::size_t i = 0; i < 3; ++i) {
      const int size = i < arguments.size() ? S::kInfo.domains[arguments[i].domain].count : 1;
      if (size == 256) continue;  // a set of eight: every byte is a value
      CHECK_FALSE(is_action(S::kInfo, pack(kind) | static_cast<unsigned>(size) << (16 - 8 * i)));
      CHECK_FALSE(is_action(S::kInfo, pack(kind) | 0xFFu << (16 - 8 * i)));
    }
  }
  CHECK_FALSE(is_action(S::kInfo, pack(static_cast<unsigned>(S::kInfo.kinds.size()))));
  CHECK_FALSE(is_action(S::kInfo, kNoAction));
  // Whatever number is called an action has a text, and the text means it.
  for (int i = 0; i < 100'000; ++i) {
    const auto number = static_cast<Action>(rng.next() & 0x0F3F3F3Fu);
    if (is_action(S::kInfo, number)) REQUIRE(parse_action(S::kInfo, action_text(S::kInfo, number)).action == number);
  }
}
TEST_CASE_TEMPLATE_APPLY(outside, Games);

TEST_CASE_TEMPLATE_DEFINE("Arbitrary text is read or refused with a reason, and what is read has one text", S, garbage) {
  Rng rng(4);
  const std::string letters = "abekprwsetMWB0159=(), _-\t\n\xC3";
  for (int i = 0; i < 50'000; ++i) {
    const auto kind = rng.below(static_cast<std::uint32_t>(S::kInfo.kinds.size()));
    std::string text = action_text(S::kInfo, pack(kind));
    for (std::uint32_t changes = 1 + rng.below(4); changes > 0; --changes) {
      const auto at = rng.below(static_cast<std::uint32_t>(text.size()) + 1);
      const char letter = letters[rng.below(static_cast<std::uint32_t>(letters.size()))];
      if (rng.below(2) == 0 || at == text.size())
        text.insert(at, 1, letter);
      else if (rng.below(2) == 0)
        text[at] = letter;
      else
        text.erase(at, 1);
    }
    const Parsed parsed = parse_action(S::kInfo, text);
    REQUIRE((parsed.action == kNoAction) != parsed.error.empty());
    if (!parsed.error.empty()) continue;
    REQUIRE(is_action(S::kInfo, parsed.action));
    REQUIRE(parse_action(S::kInfo, action_text(S::kInfo, parsed.action)).action == parsed.action);
  }
}
TEST_CASE_TEMPLATE_APPLY(garbage, Games);

TEST_CASE_TEMPLATE_DEFINE("Decision kinds come before chance kinds, and a kind has at most three arguments", S, kinds) {
  bool chance = false;
  std::set<std::string_view> names;
  for (const ActionKind& kind : S::kInfo.kinds) {
    CHECK((kind.chance || !chance));
    chance = kind.chance;
    CHECK(kind.arguments.size() <= 3);
    CHECK(names.insert(kind.name).second);
    CHECK((kind.chance || (!kind.pooled && kind.deck.empty())));
    CHECK_FALSE(kind.phrase.en.empty());
    CHECK(kind.owner < static_cast<int>(kind.arguments.size()));
    for (const Argument& argument : kind.arguments) {
      REQUIRE(argument.domain < S::kInfo.domains.size());
      const Domain& domain = S::kInfo.domains[argument.domain];
      CHECK(domain.count >= 1);
      CHECK(domain.count <= 256);
      if (domain.symbols.empty()) continue;
      CHECK(static_cast<int>(domain.symbols.size()) == domain.count);
      CHECK(static_cast<int>(domain.copies.size()) == domain.count);
    }
  }
  CHECK(chance);
}
TEST_CASE_TEMPLATE_APPLY(kinds, Games);

TEST_CASE("A seat observes its own card, and of another's only the deal") {
  const GameInfo& info = kuhn::State::kInfo;
  const Action deal = pack(kuhn::kDeal, 1, 2);
  CHECK(observed(info, deal, 1) == deal);
  CHECK(observed(info, deal, 0) == pack(kuhn::kDeal, 1));
  CHECK(observed(info, deal, kSpectator) == pack(kuhn::kDeal, 1));
  CHECK(observed(info, pack(kuhn::kBet), 0) == pack(kuhn::kBet));
  // An owner among the later arguments, and pooled outcomes.
  static constexpr std::array<Argument, 3> kThree{{{"card", 1}, {"seat", 0}, {"card", 1}}};
  static constexpr std::array<ActionKind, 2> kTwo{{
      {.name = "give", .arguments = kThree, .owner = 1, .phrase = {}},
      {.name = "roll", .arguments = kThree, .pooled = true, .phrase = {}},
  }};
  GameInfo other = info;
  other.kinds = kTwo;
  CHECK(observed(other, pack(0, 3, 1, 4), 1) == pack(0, 3, 1, 4));
  CHECK(observed(other, pack(0, 3, 1, 4), 0) == pack(0, 0, 1));
  CHECK(observed(other, pack(1, 3, 1, 4), 1) == pack(1));
}

Parsed parse_kuhn(std::string_view text) { return parse_action(kuhn::State::kInfo, text); }

TEST_CASE("Blanks are free between the parts of an action") {
  CHECK(parse_kuhn("  deal ( seat = 1 ,\tcard= Q ) ").action == pack(kuhn::kDeal, 1, 1));
  CHECK(parse_kuhn("bet()").action == pack(kuhn::kBet));
  CHECK(parse_kuhn("bet ( )").action == pack(kuhn::kBet));
}

TEST_CASE("A refused text says what was expected") {
  CHECK(parse_kuhn("raise()").error == "unknown action 'raise'; known: pass, bet, deal");
  CHECK(parse_kuhn("").error == "unknown action ''; known: pass, bet, deal");
  CHECK(parse_kuhn("deal").error == "expected deal(seat=..., card=...)");
  CHECK(parse_kuhn("deal(seat=0)").error == "expected deal(seat=..., card=...)");
  CHECK(parse_kuhn("deal(card=Q, seat=0)").error == "expected deal(seat=..., card=...)");
  CHECK(parse_kuhn("deal(seat=0, card=Q").error == "expected deal(seat=..., card=...)");
  CHECK(parse_kuhn("deal(seat=0, card=Q) now").error == "expected deal(seat=..., card=...)");
  CHECK(parse_kuhn("bet(1)").error == "expected bet()");
  CHECK(parse_kuhn("deal(seat=2, card=Q)").error == "seat=2 is not 0..1");
  CHECK(parse_kuhn("deal(seat=-1, card=Q)").error == "seat=-1 is not 0..1");
  CHECK(parse_kuhn("deal(seat=99999999999999999999, card=Q)").error == "seat=99999999999999999999 is not 0..1");
  CHECK(parse_kuhn("deal(seat=, card=Q)").error == "seat= is not 0..1");
  CHECK(parse_kuhn("deal(seat=0, card=q)").error == "card=q is not a card, J..X");
}

}  // namespace
}  // namespace kingsbridge::tests
