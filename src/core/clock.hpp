// The clock that stages are timed with.
#pragma once

#include <chrono>

namespace navvy::core {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace navvy::core
