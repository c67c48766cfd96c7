// The memory of a search tree: chunks that never move, under a hard cap, freed all at once. So a tree that grows never stops to copy what
// it has, and what is stored in it may hold plain pointers.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace kingsbridge {

class Arena {
 public:
  static constexpr std::size_t kChunk = std::size_t{1} << 18;
  // A tree that has outgrown this many bytes grows by huge pages: to give pages of 4 kB back takes 0.1 ms a MB, and a decision waits for
  // it.
  static constexpr std::size_t kSlab = std::size_t{1} << 21;

  // `limit` is in bytes; at least one chunk is of use.
  explicit Arena(std::size_t limit) : limit_(limit) {}

  // Whether so many more bytes can be taken, in any number of pieces; false when the cap is reached.
  bool reserve(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - next_) >= bytes) return true;
    if (bytes > kChunk || bytes_ + kChunk > limit_) return false;
    const bool wide = bytes_ >= kSlab && bytes_ + kSlab <= limit_;
    const std::size_t size = wide ? kSlab : kChunk;
    Piece piece(static_cast<std::byte*>(wide ? std::aligned_alloc(kSlab, kSlab) : std::malloc(kChunk)));
    if (piece == nullptr) return false;  // the machine's cap came first
#ifdef __linux__
    if (wide) madvise(piece.get(), kSlab, MADV_HUGEPAGE);  // a wish
#endif
    bytes_ += size;
    pieces_.push_back(std::move(piece));
    next_ = pieces_.back().get();
    end_ = next_ + size;
    return true;
  }

  // Bytes that were reserved, aligned for any number or pointer.
  void* take(std::size_t bytes) {
    assert(static_cast<std::size_t>(end_ - next_) >= rounded(bytes));
    void* const result = next_;
    next_ += rounded(bytes);
    return result;
  }

  // A block of 2^log bytes, or null when the cap is reached. Blocks that were given back are used again.
  void* take_block(unsigned log) {
    if (Free* const block = free_[log]) {
      free_[log] = block->next;
      return block;
    }
    return reserve(std::size_t{1} << log) ? take(std::size_t{1} << log) : nullptr;
  }
  void give_back(void* block, unsigned log) { free_[log] = new (block) Free{free_[log]}; }

  // Counts bytes held elsewhere under the cap; false when it is reached.
  bool charge(std::size_t bytes) {
    if (bytes > limit_ - bytes_) return false;
    bytes_ += bytes;
    return true;
  }

  // All that was charged, all chunks and slabs.
  std::size_t bytes() const { return bytes_; }

  static constexpr std::size_t rounded(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

 private:
  struct Free {
    Free* next;
  };
  struct Release {
    void operator()(std::byte* piece) const { std::free(piece); }
  };
  using Piece = std::unique_ptr<std::byte[], Release>;

  std::size_t limit_;
  std::size_t bytes_ = 0;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  std::array<Free*, std::bit_width(kChunk)> free_{};
  std::vector<Piece> pieces_;
};

// A list of plain values in an arena; its items move when it grows. It is never freed by itself.
template <class T>
class ArenaList {
 public:
  // Room for one more; false when the cap is reached.
  bool make_room(Arena& arena) { return size_ < capacity() || grow(log_ == 0 ? kFirst : log_ + 1u, arena); }
  // Room for `size` in all, for an empty list.
  bool make_room_for(std::size_t size, Arena& arena) { return grow(static_cast<unsigned>(std::bit_width(size * sizeof(T) - 1)), arena); }

  // Both need room.
  void push_back(const T& item) { items_[size_++] = item; }
  void insert(std::size_t place, const T& item) {
    for (std::size_t i = size_++; i > place; --i) items_[i] = items_[i - 1];
    items_[place] = item;
  }

  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }

  // The first block of a list that grows from nothing.
  static constexpr unsigned kFirst = static_cast<unsigned>(std::bit_width(sizeof(T) - 1));

 private:
  std::size_t capacity() const { return log_ == 0 ? 0 : (std::size_t{1} << log_) / sizeof(T); }
  bool grow(unsigned log, Arena& arena) {
    if (log >= std::bit_width(Arena::kChunk)) return false;
    auto* const block = static_cast<T*>(arena.take_block(log));
    if (block == nullptr) return false;
    std::uninitialized_copy_n(items_, size_, block);
    if (log_ != 0) arena.give_back(items_, log_);
    items_ = block;
    log_ = static_cast<std::uint8_t>(log);
    return true;
  }

  T* items_ = nullptr;
  std::uint16_t size_ = 0;
  std::uint8_t log_ = 0;  // of the block's bytes; 0 is no block
};

}  // namespace kingsbridge
