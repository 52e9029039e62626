#pragma once

#include <cstdlib>

namespace navvy::test {

/// Set by ./dev test --thorough.
inline bool thorough() { return std::getenv("NAVVY_THOROUGH") != nullptr; }

// Sanitizers and coverage make code slower and look for what it touches, not for what it computes:
// there a test may try less of the same.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(NAVVY_COVERAGE)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace navvy::test
