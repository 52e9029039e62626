// Finds the pieces of a histogram.
#include "core/pieces.hpp"

#include <cstddef>

namespace navvy::core {

std::vector<std::uint32_t> piece_ends(const Vocabulary& vocabulary, const Histogram& histogram) {
  std::vector<std::uint32_t> ends;
  const auto piece = [&](std::size_t bin) {
    return piece_of(vocabulary.number(histogram.coordinates[bin]));
  };
  for (std::size_t bin = 1; bin <= histogram.size(); ++bin)
    if (bin == histogram.size() || piece(bin) != piece(bin - 1))
      ends.push_back(static_cast<std::uint32_t>(bin));
  return ends;
}

}  // namespace navvy::core
