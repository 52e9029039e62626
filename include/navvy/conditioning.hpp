// What word vectors have in common, and how it is taken from them.
#pragma once

#include <cstddef>

#include "navvy/array.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy {

/// The mean of word vectors and the directions in which they vary most: these tell how frequent
/// words are more than what they mean, and without them vectors of words that mean the same are
/// nearer to each other ("all-but-the-top", Mu and Viswanath 2018).
class Conditioning {
 public:
  Conditioning() = default;

  /// `values` are the mean and then the components, which are orthonormal, each of `dimensions`
  /// values. Throws Error(bad_input) where sizes do not fit or a value is not finite.
  Conditioning(std::size_t dimensions, Array<double> values);

  /// Whether nothing is taken away.
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  [[nodiscard]] std::size_t dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] std::size_t components() const noexcept {
    return empty() ? 0 : values_.size() / dimensions_ - 1;
  }
  [[nodiscard]] const Array<double>& values() const noexcept { return values_; }

  /// The vectors without the mean and the components; not scaled. Throws Error(bad_input) where
  /// they have other dimensions.
  [[nodiscard]] Vocabulary apply(const Vocabulary& vectors) const;

 private:
  std::size_t dimensions_ = 0;
  Array<double> values_;
};

/// Equal to the bit.
bool operator==(const Conditioning& a, const Conditioning& b) noexcept;

}  // namespace navvy
