// The parts every game is built of, against plain versions of themselves.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/bits.hpp"
#include "core/fixed_vector.hpp"
#include "core/hash.hpp"
#include "core/returns.hpp"
#include "core/rng.hpp"

namespace kingsbridge::tests {
namespace {

std::vector<unsigned> members(Bits set) {
  std::vector<unsigned> list;
  for (unsigned index = 0; index < 64; ++index)
    if (contains(set, index)) list.push_back(index);
  return list;
}

// Sets of every density, with the ends of the word in and out.
std::vector<Bits> sets() {
  std::vector<Bits> list{0, 1, Bits{1} << 63, ~Bits{0}, 0xFFFFFFFFu, ~Bits{0} << 32};
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    Bits set = rng.next();
    for (int thin = i % 7; thin > 3; --thin) set &= rng.next();
    for (int fill = i % 7; fill < 3; ++fill) set |= rng.next();
    list.push_back(set);
  }
  return list;
}

TEST_CASE("Sets of bits count, list and number their members") {
  for (const Bits set : sets()) {
    const auto list = members(set);
    REQUIRE(count(set) == list.size());
    for (unsigned n = 0; n < list.size(); ++n) REQUIRE(nth(set, n) == list[n]);
    if (set != 0) REQUIRE(lowest(set) == list.front());
    std::vector<unsigned> visited;
    for_each(set, [&](unsigned index) { visited.push_back(index); });
    REQUIRE(visited == list);
  }
}

// Numbers computed apart from the engine, with programs that give the published vectors of splitmix64 (seed 1234567:
// 6457827717110365317, 3203168211198807973, ...) and of xoshiro256++ (state 1, 2, 3, 4: 41943041, 58720359, 3588806011781223, ...).
TEST_CASE("The generator is xoshiro256++ seeded by splitmix64") {
  struct Known {
    std::uint64_t seed, stream, first, second, third, fourth, thousandth;
  };
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  for (const Known& known : {
           Known{0, 0, 0x84f09bf307c1073a, 0xc82ffb597ceee51b, 0xadf96905c5df4417, 0xe9d9a8489d042c93, 0xd63f5007d7a5cc3a},
           Known{1, 0, 0x4887886c7244e091, 0x4cfafb3b6cc3ea99, 0xfbce21167403a2c1, 0x2a5a56f477b61858, 0xe0ff8a003ae5bf94},
           Known{42, 7, 0x0d9893fc677d6169, 0x8c202a1a1dd3b94d, 0xb20f071eca7887c8, 0x092b21a6dc9a40cb, 0xfe415053f40800dd},
           Known{kMost, kMost, 0x5f7e53d0a0e9db9a, 0x20378f93c1450ce7, 0x97749e115e365c77, 0x726dccf3aee9d1a3, 0xb9239d9157e6a774},
       }) {
    Rng rng(known.seed, known.stream);
    CHECK(rng.next() == known.first);
    CHECK(rng.next() == known.second);
    CHECK(rng.next() == known.third);
    CHECK(rng.next() == known.fourth);
    for (int i = 4; i < 999; ++i) rng.next();
    CHECK(rng.next() == known.thousandth);
  }
}

// This seed cancels the stream, so that the four words of the state are published numbers.
TEST_CASE("The state of a generator is four outputs of splitmix64") {
  Rng rng(1234567u ^ 0xE220A8397B1DCDAFu);
  const std::uint64_t first = 6457827717110365317u, fourth = 4593380528125082431u;
  CHECK(rng.next() == std::rotl(first + fourth, 23) + first);
}

TEST_CASE("Bounded numbers take the upper bits, stay below the bound and are uniform") {
  Rng rng(2024, 3);
  for (const std::uint32_t known : {24u, 6u, 0u, 17u, 45u, 38u, 14u, 49u, 4u, 2u, 41u, 23u}) CHECK(rng.below(52) == known);
  for (const std::uint32_t bound : {1u, 2u, 3u, 49u, 2304u}) {
    std::vector<int> seen(bound);
    for (std::uint32_t i = 0; i < 200 * bound; ++i) ++seen.at(rng.below(bound));
    for (const int times : seen) CHECK((times > 100 && times < 320));
  }
}

TEST_CASE("Streams of one seed differ") {
  std::unordered_set<std::uint64_t> first;
  for (std::uint64_t stream = 0; stream < 1000; ++stream) first.insert(Rng(5, stream).next());
  CHECK(first.size() == 1000);
}

template <std::size_t Words>
struct Value {
  std::array<std::uint64_t, Words> words{};
};

// Flips each bit of some values: the keys differ, and about half of their bits do.
template <std::size_t Words>
void check_flips() {
  Rng rng(Words);
  for (int sample = 0; sample < 20; ++sample) {
    Value<Words> value;
    for (auto& word : value.words) word = sample == 0 ? 0 : rng.next();
    const Key key = hash_bytes(value);
    unsigned changed = 0;
    for (unsigned bit = 0; bit < 64 * Words; ++bit) {
      Value<Words> other = value;
      other.words[bit / 64] ^= Bits{1} << bit % 64;
      const unsigned distance = count(key ^ hash_bytes(other));
      REQUIRE(distance > 0);
      changed += distance;
    }
    CHECK(changed / (64 * Words) >= 28);
    CHECK(changed / (64 * Words) <= 36);
  }
}

TEST_CASE("Each bit of a value changes the key, and about half of its bits") {
  check_flips<2>();
  check_flips<4>();
  check_flips<6>();
  check_flips<46>();
}

// States differ in few bits: sums of small fields must not fall together, in the whole key or in the bits that index a table.
TEST_CASE("Keys of values that differ little fill a table evenly") {
  std::unordered_set<Key> keys;
  std::vector<int> low(1 << 12), high(1 << 12);
  for (unsigned a = 0; a < 46 * 8; ++a)
    for (unsigned b = 1; b <= 64; ++b) {
      Value<46> other;
      reinterpret_cast<unsigned char*>(&other)[a] = static_cast<unsigned char>(b);
      other.words[45 - a / 8] += 3 * b;
      const Key key = hash_bytes(other);
      keys.insert(key);
      ++low[key & 0xFFF];
      ++high[key >> 52];
    }
  CHECK(keys.size() == 46 * 8 * 64);
  for (std::size_t i = 0; i < low.size(); ++i) CHECK((low[i] < 30 && high[i] < 30));
}

TEST_CASE("Hashes of number sequences depend on each number and its place") {
  std::unordered_set<Key> keys;
  for (std::uint64_t a = 0; a < 300; ++a)
    for (std::uint64_t b = 0; b < 300; ++b) keys.insert(hash_step(hash_step(0, a), b));
  CHECK(keys.size() == 300 * 300);
}

TEST_CASE("A fixed vector holds what was pushed, up to its capacity") {
  FixedVector<int, 5> list;
  CHECK(list.empty());
  for (int i = 0; i < 5; ++i) list.push_back(10 * i);
  CHECK(list.size() == list.capacity());
  CHECK(std::vector<int>(list.begin(), list.end()) == std::vector<int>{0, 10, 20, 30, 40});
  list[2] = 7;
  const auto copy = list;
  CHECK(copy[2] == 7);
  list.clear();
  CHECK(list.empty());
  CHECK(copy.size() == 5);
}

Returns of(std::initializer_list<std::int32_t> scores) {
  Returns returns;
  std::copy(scores.begin(), scores.end(), returns.score.begin());
  returns.rank = returns.score;
  return returns;
}

// Whether a utility or a share of the win is as expected, but for rounding.
bool near(Utility value, double expected) { return std::abs(value - kUtilityOne * expected) <= 2; }

// Worked by hand: half the share of the win, half the margin of -16..16 points on a scale from 0 to 1.
TEST_CASE("An evaluation is worth half the odds of the win and half the margin") {
  const auto even = expected_worth({160, 160}, 2).utilities;
  CHECK(near(even[0], 0.5));
  CHECK(near(even[1], 0.5));
  // A lead of 12 points: odds 4 to 1; the margin is 28 of 32.
  const auto led = expected_worth({12 * 16, 0}, 2).utilities;
  CHECK(near(led[0], (0.8 + 28.0 / 32) / 2));
  CHECK(near(led[1], (0.2 + 4.0 / 32) / 2));
  // Odds 4 : 2 : 1; margins +6, -6 and -12.
  const auto three = expected_worth({12 * 16, 6 * 16, 0}, 3).utilities;
  CHECK(near(three[0], (4.0 / 7 + 22.0 / 32) / 2));
  CHECK(near(three[1], (2.0 / 7 + 10.0 / 32) / 2));
  CHECK(near(three[2], (1.0 / 7 + 4.0 / 32) / 2));
  // Beyond 16 points a margin is as good as another; the odds go on.
  CHECK(near(expected_worth({40 * 16, 0}, 2).utilities[0], (1 / (1 + std::exp2(-80.0 / 12)) + 1) / 2));
}

// Worked by hand: 4 to 1 for every 4 points make 64 to 1 for 12, and 64 : 8 : 1 for 12 and 6.
TEST_CASE("The lead that makes odds of 4 to 1 is of the share that is told, not of the utility") {
  const Worth two = expected_worth({12 * 16, 0}, 2, {.share = 4 * 16});
  CHECK(near(two.shares[0], 64.0 / 65));
  CHECK(near(two.shares[1], 1.0 / 65));
  const Worth three = expected_worth({12 * 16, 6 * 16, 0}, 3, {.share = 4 * 16});
  CHECK(near(three.shares[0], 64.0 / 73));
  CHECK(near(three.shares[1], 8.0 / 73));
  CHECK(near(three.shares[2], 1.0 / 73));
  CHECK(three.shares[3] == 0);
  CHECK(two.utilities == expected_worth({12 * 16, 0}, 2).utilities);
  CHECK(three.utilities == expected_worth({12 * 16, 6 * 16, 0}, 3).utilities);
  // The other way round: the utility is that of 4 points, half of it of the margin, which is 28 of 32; the share is 4 to 1.
  const Worth keen = expected_worth({12 * 16, 0}, 2, {.utility = 4 * 16, .share = 12 * 16});
  CHECK(near(keen.utilities[0], (64.0 / 65 + 28.0 / 32) / 2));
  CHECK(near(keen.shares[0], 0.8));
}

// Worked by hand.
TEST_CASE("Beside its utility a game is worth a share of the win and a score") {
  const Worth led = expected_worth({12 * 16, 6 * 16, -8}, 3);
  CHECK(led.scores == Outlook{12 * 16, 6 * 16, -8});
  // Odds 4 : 2 : 2^(-1/12).
  const double sum = 6 + std::exp2(-1.0 / 12);
  CHECK(near(led.shares[0], 4 / sum));
  CHECK(near(led.shares[1], 2 / sum));
  CHECK(near(led.shares[2], 1 - 6 / sum));
  CHECK(led.shares[3] == 0);
  const Worth tied = worth_of(of({9, 9, 1, 9}), 4);
  CHECK(tied.shares == std::array<Utility, kMaxSeats>{kUtilityOne / 3, kUtilityOne / 3, 0, kUtilityOne / 3});
  CHECK(tied.scores == Outlook{144, 144, 16, 144});
  // The margin's part of the utility does not matter to either.
  const Worth won = worth_of(of({20, -3}), 2, {.margin = kUtilityOne});
  CHECK(won.shares == std::array<Utility, kMaxSeats>{kUtilityOne});
  CHECK(won.scores == Outlook{320, -48});
}

TEST_CASE("Utility is half the share of the win and half the margin to the best other seat") {
  const auto one = worth_of(of({20, 12}), 2).utilities;
  CHECK(one[0] == kUtilityOne / 2 + kUtilityOne * 24 / 32 / 2);
  CHECK(one[1] == kUtilityOne * 8 / 32 / 2);
  CHECK(one[0] + one[1] == kUtilityOne);
  const auto far = worth_of(of({100, 0, 90}), 3).utilities;
  CHECK(far[0] == kUtilityOne / 2 + kUtilityOne * 26 / 32 / 2);
  CHECK(far[1] == 0);
  CHECK(far[2] == kUtilityOne * 6 / 32 / 2);
  CHECK(far[3] == 0);
  const auto tied = worth_of(of({9, 9, 1, 9}), 4).utilities;
  CHECK(tied[0] == (kUtilityOne / 3 + kUtilityOne / 2) / 2);
  CHECK(tied[0] == tied[1]);
  CHECK(tied[0] == tied[3]);
  CHECK(tied[2] == kUtilityOne * 8 / 32 / 2);
  CHECK(winners(of({9, 9, 1, 9}), 4) == 3);
  // A seat that does not play does not win.
  CHECK(winners(of({-5, -7, 0, 0}), 2) == 1);
}

}  // namespace
}  // namespace kingsbridge::tests
