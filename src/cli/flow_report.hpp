// Flows as pictures: the pages of `compare` and `search`.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cli/answers.hpp"
#include "cli/comparison.hpp"
#include "cli/options.hpp"
#include "report/comparison.hpp"

namespace navvy::cli {

/// The flows from `a` to `b` under the relaxations given and under emd.
report::FlowComparison flows_between(const Index& index, const Histogram& a, const Histogram& b,
                                     std::span<const Measure> relaxations, Direction direction);

struct ComparedPair {
  const Index& index;
  std::size_t a;
  std::size_t b;
  std::span<const app::Outcome> outcomes;
  Measure flow_measure;  ///< a relaxation to be shown, or emd: rwmd and act-1 are
};
report::ComparisonReport comparison_report(const ComparedPair& pair, const CommonOptions& options);

report::SearchReport search_report(const app::Answers& answers, const CommonOptions& options);

/// One query of a search with its rows.
report::AnsweredQuery answered_query(const app::Answers& answers, std::size_t query);

}  // namespace navvy::cli
