// The pages of `navvy compare` and `navvy search`, as plain values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/flows.hpp"
#include "report/page.hpp"

namespace navvy::report {

/// One measure of a pair; the directions only where they differ.
struct ComparedMeasure {
  std::string name;
  double distance = 0;
  std::optional<double> forward;
  std::optional<double> backward;
  std::optional<double> share;  ///< of emd
};

/// What `navvy compare` found.
struct ComparisonReport {
  Head head;
  FlowComparison pair;
  std::vector<ComparedMeasure> measures;
  std::vector<WordMove> moves;  ///< the dearest of the exact plan
  Origin origin;
};

std::string page_of(const ComparisonReport& report);

/// One answer to a query; only the first ones have their flows.
struct FoundRow {
  Item item;
  std::string distance;
  std::vector<WordMove> moves;
  std::optional<FlowComparison> pair;
};

struct AnsweredQuery {
  Item query;
  std::string error;    ///< why there is no answer; empty: there is
  std::string unknown;  ///< its words without a vector, separated by commas
  std::vector<FoundRow> rows;
};

/// What `navvy search` found.
struct SearchReport {
  Head head;
  std::vector<AnsweredQuery> queries;
  Origin origin;
};

/// The section of one query, without the frame of a page.
void write(Markup& out, const AnsweredQuery& query);

std::string page_of(const SearchReport& report);

}  // namespace navvy::report
