// A measure with a share of bow: words that two histograms have in common count by themselves.
#pragma once

#include <memory>

#include "backends/backend.hpp"
#include "navvy/options.hpp"

namespace navvy::search {

/// A block of queries under the question's measure, mixed with its share of bow where it has one.
std::unique_ptr<backends::QueryBlock> query_block(const backends::PreparedRows& rows,
                                                  const Question& question, std::size_t batch,
                                                  std::size_t queries, core::Run& run);

}  // namespace navvy::search
