// Queries over other coordinates, brought to those of an index.
#pragma once

#include "navvy/histograms.hpp"
#include "navvy/index.hpp"
#include "navvy/vocabulary.hpp"

/// Bringing queries and an index onto one vocabulary. Coordinates are the same where their numbers
/// are; what an index gains by it changes no bit of any distance.
namespace navvy {

/// Adds the coordinates that the index lacks; false where it has them all. Its rows stay what they
/// are. Words stay only where both have them. Throws Error(bad_input) where dimensions differ or
/// coordinates of the same number do.
bool extend(Index& index, const Vocabulary& more);

/// Rows over one vocabulary as rows over another that has all coordinates they use.
Histograms renumbered(const Histograms& rows, const Vocabulary& from, const Vocabulary& to);

/// Rows over numbers of coordinates (columns of a matrix) as rows over their ids. Throws
/// Error(bad_input) naming the first query and coordinate that the vocabulary does not have.
Histograms over_vocabulary(const Histograms& rows, const Vocabulary& vocabulary);

}  // namespace navvy
