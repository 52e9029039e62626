// The coordinates that histograms refer to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "navvy/array.hpp"
#include "navvy/strings.hpp"

namespace navvy {

/// The coordinates that histograms refer to: v points of m dimensions (the matrix V of the paper).
/// A coordinate's id is its row here.
///
/// Every coordinate also has a *number*: its place in the source it came from (pixel number, rank
/// in the vectors file, row of the coordinates array). Numbers ascend with ids. Sums over bins are
/// cut at fixed numbers, so a distance has the same bits whatever other coordinates an index holds.
class Vocabulary {
 public:
  Vocabulary() = default;

  /// `coordinates` is row-major, size() x dimensions. Empty `numbers` mean 0, 1, 2, ...; empty
  /// `words` mean that coordinates have no names, empty `lengths` that nobody asks for them. Throws
  /// Error(bad_input) where sizes do not fit, numbers do not ascend strictly, a value is not
  /// finite, or a length is negative.
  Vocabulary(std::size_t dimensions, Array<float> coordinates, Array<std::uint32_t> numbers = {},
             Strings words = {}, Array<float> lengths = {});

  [[nodiscard]] std::size_t size() const noexcept { return numbers_.size(); }
  [[nodiscard]] std::size_t dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] std::span<const float> coordinate(std::size_t id) const noexcept {
    return coordinates_.span().subspan(id * dimensions_, dimensions_);
  }
  [[nodiscard]] std::uint32_t number(std::size_t id) const noexcept { return numbers_[id]; }
  [[nodiscard]] bool has_words() const noexcept { return !words_.empty(); }
  /// Empty where coordinates have no names.
  [[nodiscard]] std::string_view word(std::size_t id) const noexcept {
    return has_words() ? words_[id] : std::string_view{};
  }

  [[nodiscard]] const Array<float>& coordinates() const noexcept { return coordinates_; }
  [[nodiscard]] const Array<std::uint32_t>& numbers() const noexcept { return numbers_; }
  [[nodiscard]] const Strings& words() const noexcept { return words_; }
  /// Per coordinate its length before it was scaled, where weights of words depend on it (weighting
  /// norm); empty otherwise.
  [[nodiscard]] const Array<float>& lengths() const noexcept { return lengths_; }

 private:
  std::size_t dimensions_ = 0;
  Array<float> coordinates_;
  Array<std::uint32_t> numbers_;
  Strings words_;
  Array<float> lengths_;
};

/// Euclidean distance between two coordinates of a vocabulary, in double; exactly 0 for equal ids.
double ground_distance(const Vocabulary& vocabulary, std::size_t a, std::size_t b);

/// Its square, which is exact for small integer coordinates.
double squared_ground_distance(const Vocabulary& vocabulary, std::size_t a, std::size_t b);

/// Scales every coordinate to length 1 (computed in double). A zero vector stays zero. Lengths that
/// were noted stay.
Vocabulary normalized(const Vocabulary& vocabulary);

/// The same coordinates with their lengths.
Vocabulary with_lengths(const Vocabulary& vocabulary);

}  // namespace navvy
