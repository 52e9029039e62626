// Rows as 64 bytes each, from which a lower bound of omr, act-j and ict comes at a glance.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/buffer.hpp"
#include "core/run.hpp"
#include "kernels/kernels.hpp"
#include "navvy/histograms.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy::backends {

/// Where distinct coordinates are at least `spacing` apart, a relaxation with limited room at a
/// shared coordinate costs, in either direction,
///
///     at least spacing * sum_i max(0, p_i - q_i) = spacing / 2 * sum_i |p_i - q_i|
///     at least spacing / 2 * sum over groups |p_G - q_G|,
///
/// since what does not find room at its own coordinate has to leave it. A signature has p_G in
/// units as bytes; what rounding, and bytes that are full, put apart is the row's slack.
class RowSignatures {
 public:
  /// Bytes for so many rows.
  [[nodiscard]] static std::uint64_t memory(std::size_t rows) noexcept {
    return std::uint64_t{rows} * (kernels::signature_bytes + sizeof(std::uint16_t));
  }

  /// Charges what is kept as kept.
  RowSignatures(const Vocabulary& vocabulary, const Histograms& rows, float spacing,
                const kernels::KernelTable& kernels, core::Run& run);

  /// Of a query against all rows, certified against what kernels and pairs compute in floats.
  void bounds(const Histogram& query, std::span<float> out, core::Run& run) const;

 private:
  static constexpr std::size_t groups = kernels::signature_bytes;
  using Sums = std::array<double, groups>;
  struct Signature {
    std::array<std::uint8_t, groups> bytes;
    std::uint16_t slack;
  };

  [[nodiscard]] Sums sums(const Histogram& row) const;
  [[nodiscard]] Signature sign(const Histogram& row) const;
  [[nodiscard]] double units_for(const Histograms& rows, core::Run& run) const;

  const kernels::KernelTable& kernels_;
  float spacing_;
  std::vector<std::uint8_t> groups_;  // by coordinate
  double units_ = 0;                  // of weight 1
  float rounded_ = 1;                 // what is left of a cost once it was summed up in floats
  core::Buffer<std::uint8_t> bytes_;
  core::Buffer<std::uint16_t> slacks_;
};

}  // namespace navvy::backends
