// Precision of measures as lines of CSV or TSV.
#pragma once

#include <cstddef>
#include <span>

#include "cli/options.hpp"
#include "navvy/evaluation.hpp"

namespace navvy::cli {

/// A line per measure and length of lists, below the names of the columns; with `per_class` also
/// one for each label, which the other lines have empty.
void print_records(std::span<const Evaluation> results, std::span<const std::size_t> tops,
                   Output output, bool per_class);

}  // namespace navvy::cli
