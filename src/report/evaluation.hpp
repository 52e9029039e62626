// The page of `navvy evaluate`, as plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/items.hpp"
#include "report/page.hpp"
#include "report/plots.hpp"

namespace navvy::report {

/// A label that asked, by so many queries.
struct LabelLine {
  std::string name;
  std::uint64_t queries = 0;
};

/// What `navvy evaluate` found: precision and time of several measures.
struct EvaluationReport {
  Head head;
  std::vector<std::size_t> tops;        ///< lengths of lists in the table and the plots
  std::vector<std::size_t> curve_tops;  ///< those of the curves
  std::vector<MeasuredLine> measures;
  std::vector<LabelLine> labels;  ///< of the measures' classes, in their order
  std::vector<Gallery> galleries;
  std::vector<Fact> data;  ///< what `build` found
  Origin origin;
};

/// The names of its measures, in order.
std::vector<std::string> names_of(const EvaluationReport& report);

/// Table, plots and galleries, without the frame of a page.
void write_body(Markup& out, const EvaluationReport& report);

/// The whole page.
std::string page_of(const EvaluationReport& report);

/// The plot of accuracy against time alone, for the first of the tops.
std::string picture_of(const EvaluationReport& report);

}  // namespace navvy::report
