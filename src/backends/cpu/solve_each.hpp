// Pairs that are solved one by one, in as many threads as the memory of their solvers allows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/run.hpp"

namespace navvy::backends {

/// Calls try_one(i, thread) for every i below count from all threads. It returns false, with
/// nothing done, where there is no room for what the pair takes beside those of other threads; such
/// pairs are left to the end, when `make_room()` has freed what others keep, and done alone by
/// one(i). That throws Error(limit) where not even one pair fits.
template <class TryOne, class MakeRoom, class One>
void solve_each(std::size_t count, const core::Run& run, const TryOne& try_one,
                const MakeRoom& make_room, const One& one) {
  std::vector<std::uint8_t> waits(count);
  run.pool.run(
      count, [&](std::size_t i, unsigned thread) { waits[i] = try_one(i, thread) ? 0 : 1; },
      &run.monitor);
  if (std::ranges::count(waits, 1) == 0) return;
  make_room();
  for (std::size_t i = 0; i < count; ++i) {
    if (waits[i] == 0) continue;
    run.monitor.throw_if_stopped();
    one(i);
  }
}

}  // namespace navvy::backends
