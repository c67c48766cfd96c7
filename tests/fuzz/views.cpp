// Bytes as a View: refused with its field, or as good as a view of play.
#include "accepted.hpp"
#include "bytes.hpp"

namespace kingsbridge::fuzz {
namespace {

template <GameState S>
void judge(Bytes& bytes) {
  typename S::View view{};
  try {
    ByteReader reader(bytes);
    view.visit_fields(reader);
  } catch (const Refused&) {
    return;
  }
  if (const Violation violation = S::check(view)) {
    require(!violation.field.empty(), "a refusal that names no field");
    return;
  }
  Rng rng(info_key(view));
  require(tests::broken_accepted<S>(view, rng, {.first = 3, .one_in = 40}));
}

void run(Bytes bytes) {
  with_game(bytes.below(std::tuple_size_v<Games>), [&]<GameState S>() { judge<S>(bytes); });
}

}  // namespace
}  // namespace kingsbridge::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kingsbridge::fuzz::run(kingsbridge::fuzz::Bytes({data, size}));
  return 0;
}
