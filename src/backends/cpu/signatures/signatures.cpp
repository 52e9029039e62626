// Weights are summed up in double; units are chosen so that few bytes are full.
#include "backends/cpu/signatures/signatures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backends/cpu/signatures/groups.hpp"

namespace navvy::backends {
namespace {

constexpr double full_byte = std::numeric_limits<std::uint8_t>::max();
constexpr std::uint16_t no_bound = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t rows_per_step = 1024;

// body(row, thread) of all rows, in blocks.
template <class Body>
void for_rows_in_steps(std::size_t rows, core::Run& run, const Body& body) {
  run.pool.run((rows + rows_per_step - 1) / rows_per_step, [&](std::size_t block, unsigned thread) {
    const std::size_t last = std::min((block + 1) * rows_per_step, rows);
    for (std::size_t row = block * rows_per_step; row < last; ++row) body(row, thread);
  });
}

// A sum of so many terms that are not negative, each rounded a few times, in floats.
float left_by_rounding(std::size_t terms) {
  const double lost = static_cast<double>(terms + 16) * std::numeric_limits<float>::epsilon();
  return static_cast<float>(std::max(0.0, 1 - lost));
}

}  // namespace

RowSignatures::RowSignatures(const Vocabulary& vocabulary, const Histograms& rows, float spacing,
                             const kernels::KernelTable& kernels, core::Run& run)
    : kernels_(kernels),
      spacing_(spacing),
      groups_(signature_groups(vocabulary, rows, groups)),
      bytes_(rows.size() * groups, run.budget.for_kept(), "the signatures of rows"),
      slacks_(rows.size(), run.budget.for_kept(), "the signatures of rows") {
  units_ = units_for(rows, run);
  std::size_t most = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) most = std::max(most, rows[row].size());
  rounded_ = left_by_rounding(most);
  for_rows_in_steps(rows.size(), run, [&](std::size_t row, unsigned) {
    const Signature made = sign(rows[row]);
    std::ranges::copy(made.bytes, bytes_.data() + row * groups);
    slacks_[row] = made.slack;
  });
}

RowSignatures::Sums RowSignatures::sums(const Histogram& row) const {
  Sums sums{};
  for (std::size_t bin = 0; bin < row.size(); ++bin)
    sums[groups_[row.coordinates[bin]]] += row.weights[bin];
  return sums;
}

// The largest group of most rows fills a byte: of three times their mean, since one row that has
// all its weight in one place should not make those of all others coarse.
double RowSignatures::units_for(const Histograms& rows, core::Run& run) const {
  std::vector<double> largest(rows.size());
  for_rows_in_steps(rows.size(), run, [&](std::size_t row, unsigned) {
    largest[row] = std::ranges::max(sums(rows[row]));
  });
  double total = 0;
  double most = 0;
  std::size_t count = 0;
  for (const double value : largest) {
    total += value;
    most = std::max(most, value);
    count += value > 0 ? 1 : 0;
  }
  return count == 0 ? 1 : full_byte / std::min(most, 3 * total / static_cast<double>(count));
}

// Weights sum to 1 but for rounding, which is slack as well: moving p into q leaves q_i - p_i out.
RowSignatures::Signature RowSignatures::sign(const Histogram& row) const {
  Signature made{};
  double mass = 0;
  double slack = 1;  // for the rounding of the sums themselves
  const Sums weights = sums(row);
  for (std::size_t group = 0; group < groups; ++group) {
    const double exact = weights[group] * units_;
    const double byte = std::min(std::round(exact), full_byte);
    made.bytes[group] = static_cast<std::uint8_t>(byte);
    slack += std::abs(exact - byte);
    mass += weights[group];
  }
  slack = std::ceil(slack + std::abs(mass - 1) * units_);
  made.slack = slack < no_bound ? static_cast<std::uint16_t>(slack) : no_bound;
  return made;
}

void RowSignatures::bounds(const Histogram& query, std::span<float> out, core::Run& run) const {
  const Signature asked = sign(query);
  // The query's own bins are charged where it is what is moved.
  const float rounded = std::min(rounded_, left_by_rounding(query.size()));
  const auto unit = static_cast<float>(rounded * rounded * spacing_ / (2 * units_));
  run.pool.run((out.size() + rows_per_step - 1) / rows_per_step, [&](std::size_t block, unsigned) {
    const std::size_t first = block * rows_per_step;
    const std::size_t count = std::min(rows_per_step, out.size() - first);
    kernels_.signature_bounds({bytes_.data() + first * groups, slacks_.data() + first, count},
                              asked.bytes.data(), asked.slack, unit, out.data() + first);
  });
}

}  // namespace navvy::backends
