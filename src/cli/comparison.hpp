#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/json.hpp"
#include "navvy/index.hpp"
#include "navvy/measure.hpp"

/// One pair under several measures. `compare` and `demo` share it.
namespace navvy::cli {

/// From crude to exact, then what lies above.
inline constexpr std::string_view all_measures =
    "bow,wcd,rwmd,omr,act-1,act-3,act-7,act-15,ict,emd,sinkhorn";

/// One measure of the pair: both directions where they differ, and how far below emd it lies.
struct Outcome {
  Measure measure;
  double distance = 0;
  std::optional<double> forward = {};
  std::optional<double> backward = {};
  std::optional<double> gap = {};  ///< per cent of emd; unset where emd was not asked for or is 0
  bool converged = true;
};

std::vector<Outcome> compare_all(const Index& index, const Histogram& a, const Histogram& b,
                                 std::span<const Measure> measures);

Json to_json(const Outcome& outcome);

/// Per cent of emd that `distance` lies below it; unset where emd is not among the outcomes or 0.
std::optional<double> gap(std::span<const Outcome> outcomes, double distance);

/// A line per measure on stdout, and one for the cost of a plan, the upper bound of emd.
void print_table(std::span<const Outcome> outcomes, std::optional<double> upper = {});

}  // namespace navvy::cli
