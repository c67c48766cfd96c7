// Every operator new of the test executable is counted: allocation.cpp.
#pragma once

#include <atomic>
#include <cstdint>

namespace kingsbridge::tests {

extern std::atomic<std::uint64_t> allocations;

template <class F>
std::uint64_t allocations_in(F&& f) {
  const std::uint64_t before = allocations;
  f();
  return allocations - before;
}

}  // namespace kingsbridge::tests
