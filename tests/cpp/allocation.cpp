// Play allocates nothing: every operator new of this executable is counted.
#include "allocations.hpp"

#include <cstdlib>
#include <new>

#include "algorithms/perft.hpp"
#include "games.hpp"

namespace kingsbridge::tests {
std::atomic<std::uint64_t> allocations = 0;
}

// Not inlined: the compiler would take malloc and delete for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++kingsbridge::tests::allocations;
  if (void* memory = std::malloc(size != 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace kingsbridge::tests {
namespace {

TEST_CASE("The counter sees an allocation") {
  CHECK(allocations_in([] { ::operator delete(::operator new(8)); }) == 1);
}

TEST_CASE_TEMPLATE_DEFINE("Play, views and imagining allocate nothing", S, play) {
  for_each_start<S>(30, [](Game<S>& game) {
    Rng rng = game.fork();
    std::uint64_t sum = 0;
    const std::uint64_t used = allocations_in([&] {
      for (const auto policy : {Policy::kUniform, Policy::kLight}) {
        S state = S::initial(game.options());
        for (int events = 0; events < 100 && !is_terminal(state); ++events) {
          if (state.current_player() == kChance)
            state.apply(state.sample_chance(rng));
          else
            state.apply(sample_action(state, rng, policy));
          const auto view = state.view(0);
          sum += key(state) + info_key(view) + key(S::imagine(view, rng));
          sum += static_cast<std::uint64_t>(rollout(state, rng, policy).score[0]);
        }
        play_out(state, rng, policy);
        sum += perft(S::initial(game.options()), 2, Chance::kFixed);
      }
    });
    game.require(used == 0, "play allocated");
    CHECK(sum != 0);
  });
}
TEST_CASE_TEMPLATE_APPLY(play, Games);

}  // namespace
}  // namespace kingsbridge::tests
