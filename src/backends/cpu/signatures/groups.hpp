// Which coordinates go together in a signature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "navvy/histograms.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy::backends {

/// The group of each coordinate, below `groups`: parts of space that carry about the same share of
/// all rows' weight, since mass that moves within a group is not seen.
std::vector<std::uint8_t> signature_groups(const Vocabulary& vocabulary, const Histograms& rows,
                                           std::size_t groups);

}  // namespace navvy::backends
