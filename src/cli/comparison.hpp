// How `compare` and `demo` show one pair under several measures.
#pragma once

#include <optional>
#include <span>

#include "app/comparison.hpp"

namespace navvy::cli {

/// A line per measure on stdout, and one for the cost of a plan, the upper bound of emd.
void print_table(std::span<const app::Outcome> outcomes, std::optional<double> upper = {});

}  // namespace navvy::cli
