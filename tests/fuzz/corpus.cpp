// Writes the first corpora: fuzz_corpus DIRECTORY makes DIRECTORY/play, bytes that play on, and DIRECTORY/views, views of random games.
#include <filesystem>
#include <fstream>

#include "bytes.hpp"

namespace kingsbridge::fuzz {
namespace {

constexpr int kGames = 9;     // for each number of players
constexpr int kLength = 600;  // bytes of a game

using tests::for_each_start;
using tests::for_each_viewer;

class Folder {
 public:
  explicit Folder(const std::filesystem::path& path) : path_(path) { std::filesystem::create_directories(path); }
  void add(const std::vector<std::uint8_t>& bytes) {
    std::ofstream file(path_ / std::to_string(count_++), std::ios::binary);
    for (const std::uint8_t byte : bytes) file.put(static_cast<char>(byte));
  }

 private:
  std::filesystem::path path_;
  int count_ = 0;
};

template <GameState S>
void add_views(const S& state, std::uint8_t number, Rng& rng, Folder& views) {
  for_each_viewer(state, [&](Player viewer) {
    if (rng.below(600) != 0) return;
    ByteWriter writer;
    const auto view = state.view(viewer);
    view.visit_fields(writer);
    std::vector<std::uint8_t> bytes = writer.take();
    bytes.insert(bytes.begin(), number);
    views.add(bytes);
  });
}

void write(const std::filesystem::path& path) {
  Folder play(path / "play"), views(path / "views");
  Rng rng(1);
  for (unsigned number = 0; number < std::tuple_size_v<Games>; ++number)
    with_game(number, [&]<GameState S>() {
      for_each_start<S>(kGames, [&](tests::Game<S>& game) {
        std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(number), 1};
        while (bytes.size() < kLength) bytes.push_back(static_cast<std::uint8_t>(rng.next()));
        play.add(bytes);
        while (!game.over()) {
          add_views(game.state(), static_cast<std::uint8_t>(number), rng, views);
          game.step();
        }
      });
    });
}

}  // namespace
}  // namespace kingsbridge::fuzz

int main(int count, char** arguments) {
  if (count != 2) return 2;
  kingsbridge::fuzz::write(arguments[1]);
  return 0;
}
