// One logarithm for all platforms.
#pragma once

namespace navvy::core {

/// The natural logarithm of a finite x > 0, computed with far more digits than a double has before
/// it is rounded. C libraries differ in the last bit of theirs, and weights of words must not: they
/// are kept in files and compared to the bit.
[[nodiscard]] double natural_log(double x) noexcept;

}  // namespace navvy::core
