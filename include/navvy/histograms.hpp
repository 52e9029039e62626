// Histograms: weights at coordinates, as compressed rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "navvy/array.hpp"

namespace navvy {

/// Histograms have 32-bit row numbers and coordinates; the largest number stands for none.
inline constexpr std::uint32_t row_limit = 0xffffffff;

/// A view of one histogram: bins in ascending order of coordinate id, one bin per coordinate.
/// Weights are nonnegative and sum to 1 up to float rounding, or there is no bin with weight at
/// all.
struct Histogram {
  std::span<const std::uint32_t> coordinates;
  std::span<const float> weights;
  double mass = 1;  ///< what the weights summed to before they were scaled; 1 where nobody knows

  [[nodiscard]] std::size_t size() const noexcept { return coordinates.size(); }
};

/// True where no bin carries weight: such a histogram has no distance to anything.
bool is_empty(const Histogram& histogram) noexcept;

/// The database X of the paper: n histograms as compressed sparse rows; row u has the bins
/// [offsets[u], offsets[u + 1]).
class Histograms {
 public:
  Histograms() = default;

  /// Throws Error(bad_input), naming the row, unless offsets ascend from 0 to the number of bins,
  /// coordinates ascend strictly within each row and stay below `vocabulary_size`, and weights are
  /// finite and not negative. `masses`: one per row, finite and above 0, or 0 where the row has no
  /// weight; empty where they are not known.
  Histograms(std::size_t vocabulary_size, Array<std::uint64_t> offsets,
             Array<std::uint32_t> coordinates, Array<float> weights, Array<double> masses = {});

  [[nodiscard]] std::size_t size() const noexcept {
    return offsets_.empty() ? 0 : offsets_.size() - 1;
  }
  [[nodiscard]] std::size_t vocabulary_size() const noexcept { return vocabulary_size_; }
  [[nodiscard]] std::uint64_t bins() const noexcept { return coordinates_.size(); }
  [[nodiscard]] Histogram operator[](std::size_t row) const noexcept {
    const std::size_t first = offsets_[row];
    const std::size_t count = offsets_[row + 1] - first;
    return {coordinates_.span().subspan(first, count), weights_.span().subspan(first, count),
            masses_.empty() ? 1 : masses_[row]};
  }

  [[nodiscard]] const Array<std::uint64_t>& offsets() const noexcept { return offsets_; }
  [[nodiscard]] const Array<std::uint32_t>& coordinates() const noexcept { return coordinates_; }
  [[nodiscard]] const Array<float>& weights() const noexcept { return weights_; }
  /// What the weights of each row summed to before they were scaled: so much earth there was. Empty
  /// where that is not known.
  [[nodiscard]] const Array<double>& masses() const noexcept { return masses_; }
  [[nodiscard]] bool has_masses() const noexcept { return masses_.size() == size(); }

 private:
  std::size_t vocabulary_size_ = 0;
  Array<std::uint64_t> offsets_;
  Array<std::uint32_t> coordinates_;
  Array<float> weights_;
  Array<double> masses_;
};

/// Whether bins of weight zero stay. They carry no mass, but as destinations they have a
/// coordinate: the paper's images "with background" keep them.
enum class ZeroBins { drop, keep };

/// Turns raw weights into histograms: merges duplicate coordinates, drops or keeps zero bins, sorts
/// by coordinate and scales each row to sum 1, all in double before rounding to float. What a row
/// summed to stays as its mass.
class HistogramsBuilder {
 public:
  explicit HistogramsBuilder(std::size_t vocabulary_size, ZeroBins zero_bins = ZeroBins::drop);

  /// Adds one row; order and duplicates do not matter. A row without positive weight becomes an
  /// empty row. Throws Error(bad_input) naming row and bin on a coordinate out of range, or a
  /// weight that is negative or not finite; the builder is then as before the call.
  void add(std::span<const std::uint32_t> coordinates, std::span<const double> weights);

  [[nodiscard]] std::size_t size() const noexcept { return offsets_.size() - 1; }

  /// Hands over the rows added so far and starts anew.
  Histograms build();

 private:
  struct Bin {
    std::uint32_t coordinate;
    double weight;
  };

  std::size_t vocabulary_size_;
  ZeroBins zero_bins_;
  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::uint32_t> coordinates_;
  std::vector<float> weights_;
  std::vector<double> masses_;
  std::vector<Bin> row_;  // scratch, kept to save allocations
};

}  // namespace navvy
