// One logarithm for all platforms.
#pragma once

namespace navvy::core {

/// The natural logarithm of a finite x > 0, rounded to the nearest double in all but about one of
/// 10^12 cases and never off by more than the next one. C libraries differ in the last bit of
/// theirs, and weights of words must not: they are kept in files and compared to the bit.
[[nodiscard]] double natural_log(double x) noexcept;

}  // namespace navvy::core
