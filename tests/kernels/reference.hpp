// Plain loops in the canonical order, and random problems for them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/pieces.hpp"
#include "kernels/kernels.hpp"

namespace navvy::kernels::reference {

/// Random rows in both forms that kernels read: whole, and cut into segments piece after piece.
struct Problem {
  std::uint32_t coordinates_count = 0;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;
  std::vector<std::uint64_t> segment_offsets{0};
  std::vector<std::uint32_t> segment_ends;
  std::vector<Segment> segments;
  std::vector<Bin> bins;
  std::vector<std::size_t> call_borders{0};  ///< segments of one piece are one call

  std::size_t size() const { return offsets.size() - 1; }
  Rows rows() const {
    return {offsets.data(), coordinates.data(), weights.data(), segment_offsets.data(),
            segment_ends.data()};
  }
};

using Random = std::mt19937;

/// Random values: small integers make every sum exact, otherwise anything in (0, 1).
inline float random_value(Random& random, bool integers) {
  if (integers) return static_cast<float>(std::uniform_int_distribution<int>(0, 7)(random));
  return std::uniform_real_distribution<float>(0.0F, 1.0F)(random);
}

inline std::vector<float> random_values(Random& random, std::size_t count, bool integers) {
  std::vector<float> values(count);
  for (float& value : values) value = random_value(random, integers);
  return values;
}

inline void append_row(Problem& problem, Random& random, double density, bool integers) {
  std::bernoulli_distribution has_bin(density);
  const std::uint64_t first = problem.coordinates.size();
  for (std::uint32_t c = 0; c < problem.coordinates_count; ++c) {
    if (!has_bin(random)) continue;
    problem.coordinates.push_back(c);
    problem.weights.push_back(random_value(random, integers));
  }
  const std::uint64_t last = problem.coordinates.size();
  for (std::uint64_t bin = first; bin < last; ++bin) {
    const bool ends = bin + 1 == last || core::piece_of(problem.coordinates[bin]) !=
                                             core::piece_of(problem.coordinates[bin + 1]);
    if (ends) problem.segment_ends.push_back(static_cast<std::uint32_t>(bin + 1 - first));
  }
  problem.offsets.push_back(last);
  problem.segment_offsets.push_back(problem.segment_ends.size());
}

/// Lists the segments piece after piece, longest first in each, as an engine would.
inline void order_by_piece(Problem& problem) {
  const std::uint32_t pieces = core::piece_of(problem.coordinates_count - 1) + 1;
  std::vector<std::vector<std::pair<Segment, std::uint64_t>>> by_piece(pieces);
  for (std::uint32_t row = 0; row < problem.size(); ++row) {
    std::uint32_t done = 0;
    for (auto s = problem.segment_offsets[row]; s < problem.segment_offsets[row + 1]; ++s) {
      const std::uint64_t first = problem.offsets[row] + done;
      const Segment segment{row, problem.segment_ends[s] - done};
      by_piece[core::piece_of(problem.coordinates[first])].emplace_back(segment, first);
      done = problem.segment_ends[s];
    }
  }
  for (auto& piece : by_piece) {
    std::stable_sort(piece.begin(), piece.end(),
                     [](const auto& a, const auto& b) { return a.first.count > b.first.count; });
    for (const auto& [segment, first] : piece) {
      problem.segments.push_back(segment);
      for (std::uint64_t bin = first; bin < first + segment.count; ++bin) {
        problem.bins.push_back({problem.coordinates[bin], problem.weights[bin]});
      }
    }
    problem.call_borders.push_back(problem.segments.size());
  }
}

inline Problem random_problem(Random& random, std::uint32_t coordinates, std::size_t rows,
                              double density, bool integers) {
  Problem problem;
  problem.coordinates_count = coordinates;
  for (std::size_t row = 0; row < rows; ++row) append_row(problem, random, density, integers);
  order_by_piece(problem);
  return problem;
}

/// Calls charge(segments) piece after piece.
template <class Charge>
void for_pieces(const Problem& problem, const Charge& charge) {
  const Bin* bins = problem.bins.data();
  for (std::size_t piece = 0; piece + 1 < problem.call_borders.size(); ++piece) {
    const Segment* first = problem.segments.data() + problem.call_borders[piece];
    const std::size_t count = problem.call_borders[piece + 1] - problem.call_borders[piece];
    charge(Segments{first, count, bins, problem.bins.data() + problem.bins.size()});
    for (std::size_t s = 0; s < count; ++s) bins += first[s].count;
  }
}

/// Sum over a row's pieces of the sums of add(sum, coordinate, weight) over each piece's bins.
template <class Real, class Add>
Real sum_by_pieces(const Problem& problem, std::size_t row, const Add& add) {
  Real total = 0;
  Real sum = 0;
  for (std::uint64_t bin = problem.offsets[row]; bin < problem.offsets[row + 1]; ++bin) {
    const std::uint32_t c = problem.coordinates[bin];
    sum = add(sum, c, problem.weights[bin]);
    const bool ends = bin + 1 == problem.offsets[row + 1] ||
                      core::piece_of(problem.coordinates[bin + 1]) != core::piece_of(c);
    if (!ends) continue;
    total += sum;
    sum = 0;
  }
  return total;
}

inline float nearest_cost(const Problem& problem, std::size_t row, const LaneTable& table,
                          std::size_t lane) {
  return sum_by_pieces<float>(problem, row, [&](float sum, std::uint32_t c, float weight) {
    return std::fma(weight, table.values[c * table.stride + lane], sum);
  });
}

inline float overflow_cost(const Problem& problem, std::size_t row, const OverflowTable& table,
                           std::size_t lane) {
  return sum_by_pieces<float>(problem, row, [&](float sum, std::uint32_t c, float weight) {
    const std::size_t place = c * table.stride + lane;
    return std::fma(table.steps[place], std::max(0.0F, weight - table.capacities[place]), sum);
  });
}

inline double dot(const Problem& problem, std::size_t row, const LaneTable& table,
                  std::size_t lane) {
  return sum_by_pieces<double>(problem, row, [&](double sum, std::uint32_t c, float weight) {
    return sum + double{weight} * double{table.values[c * table.stride + lane]};
  });
}

}  // namespace navvy::kernels::reference
