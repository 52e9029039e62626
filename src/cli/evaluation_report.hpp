// The page that `evaluate` and `demo` write.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "cli/evaluation.hpp"
#include "cli/options.hpp"
#include "navvy/search.hpp"
#include "report/evaluation.hpp"

namespace navvy::cli {

/// The lengths asked for and the powers of two below the longest, ascending: enough for a curve.
std::vector<std::size_t> curve_tops(std::span<const std::size_t> tops);

struct ReportRequest {
  const Searcher& searcher;
  std::string name;  ///< of the data
  std::span<const Evaluation> results;
  std::span<const std::size_t> tops;  ///< of the table; the results have more, for curves
  EvaluationAsked asked;
  const app::Queries* test = nullptr;  ///< null: rows ask
  CommonOptions common;
  bool examples = true;  ///< search for examples as well
};

/// Figures, curves and examples; searches once more for the examples.
report::EvaluationReport evaluation_report(const ReportRequest& request);

/// Writes the page, or the plot of accuracy against time alone where the name ends in ".svg", and
/// says so.
void write_report(const report::EvaluationReport& report, const std::filesystem::path& path);

}  // namespace navvy::cli
