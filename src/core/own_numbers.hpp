// Which numbers of coordinates are those of words without a vector.
#pragma once

#include <cstdint>

namespace navvy::core {

/// Numbers from here on are those of points of their own, which follow from the number: words that
/// share one share the point. No vectors file has as many words.
inline constexpr std::uint32_t first_own_number = std::uint32_t{1} << 31U;

}  // namespace navvy::core
