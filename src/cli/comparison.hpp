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

/// From crude to exact.
inline constexpr std::string_view all_measures =
    "wcd,bow,rwmd,omr,act-1,act-3,act-7,act-15,ict,sinkhorn,emd";

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

/// A line per measure on stdout.
void print_table(std::span<const Outcome> outcomes);

}  // namespace navvy::cli
