// Answers of a search as lines of CSV or TSV.
#pragma once

#include "app/answers.hpp"
#include "cli/options.hpp"

namespace navvy::cli {

/// A line per match, below a line with the names of the columns where asked for. A query without an
/// answer has no line.
void print_records(const app::Answers& answers, Output output, bool with_head);

}  // namespace navvy::cli
