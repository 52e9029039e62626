// One pair under several measures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/json.hpp"
#include "app/moves.hpp"
#include "navvy/index.hpp"
#include "navvy/measure.hpp"

namespace navvy::app {

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

/// `memory`: as in TransportOptions.
std::vector<Outcome> compare_all(const Index& index, const Histogram& a, const Histogram& b,
                                 std::span<const Measure> measures, std::uint64_t memory = 0);

Json to_json(const Outcome& outcome);

/// Per cent of emd that `distance` lies below it; unset where emd is not among the outcomes or 0.
std::optional<double> gap(std::span<const Outcome> outcomes, double distance);

/// What to find out about a pair.
struct ComparisonRequest {
  std::vector<Measure> measures = parse_measures(all_measures);
  Measure flow_measure{MeasureKind::emd};
  bool flow = false;         ///< the moves under `flow_measure` as well,
  std::size_t moves = 10;    ///< at most so many
  std::uint64_t memory = 0;  ///< as in TransportOptions
};

/// Two rows of an index, compared.
struct Comparison {
  std::size_t a = 0;
  std::size_t b = 0;
  std::vector<Outcome> outcomes;
  double upper = 0;  ///< the cost of a greedy plan: emd lies below
  std::vector<NamedMove> moves;
};

Comparison compare_rows(const Index& index, std::size_t a, std::size_t b,
                        const ComparisonRequest& request);

/// The document of a comparison.
Json to_json(const Index& index, const Comparison& pair, const ComparisonRequest& request);

}  // namespace navvy::app
