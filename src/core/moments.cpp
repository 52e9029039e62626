// Sums vectors in small batches, so that the matrix of products passes through the cache once for
// each batch.
#include "core/moments.hpp"

#include <string>
#include <utility>

#include "core/eigenvectors.hpp"
#include "navvy/error.hpp"

namespace navvy::core {
namespace {

constexpr std::size_t batch_size = 32;

// row += first value of each vector times the vector, vector by vector.
void add_products(std::span<double> row, const double* vectors, std::size_t dimensions,
                  std::size_t count) {
  std::size_t vector = 0;
  // Four at a time, added in order: the same sum with a quarter of the loads and stores.
  for (; vector + 4 <= count; vector += 4) {
    const double* const a = vectors + vector * dimensions;
    const double* const b = a + dimensions;
    const double* const c = b + dimensions;
    const double* const d = c + dimensions;
    for (std::size_t j = 0; j < row.size(); ++j)
      row[j] = (((row[j] + a[0] * a[j]) + b[0] * b[j]) + c[0] * c[j]) + d[0] * d[j];
  }
  for (; vector < count; ++vector) {
    const double* const a = vectors + vector * dimensions;
    for (std::size_t j = 0; j < row.size(); ++j) row[j] += a[0] * a[j];
  }
}

}  // namespace

Moments::Moments(std::size_t dimensions)
    : dimensions_(dimensions), sums_(dimensions), products_(dimensions * dimensions) {
  waiting_.reserve(batch_size * dimensions);
}

void Moments::add(std::span<const float> vector) {
  waiting_.insert(waiting_.end(), vector.begin(), vector.end());
  ++count_;
  if (waiting_.size() == batch_size * dimensions_) flush();
}

void Moments::flush() {
  const std::size_t count = waiting_.size() / dimensions_;
  for (std::size_t i = 0; i < dimensions_; ++i) {
    const std::span row(products_.data() + i * dimensions_ + i, dimensions_ - i);
    add_products(row, waiting_.data() + i, dimensions_, count);
  }
  for (std::size_t vector = 0; vector < count; ++vector)
    for (std::size_t i = 0; i < dimensions_; ++i) sums_[i] += waiting_[vector * dimensions_ + i];
  waiting_.clear();
}

Conditioning Moments::conditioning(std::uint32_t components) {
  if (components == 0) return {};
  if (components >= dimensions_)
    throw Error(ErrorCode::usage, "cannot condition vectors of " + std::to_string(dimensions_) +
                                      " dimensions by " + std::to_string(components) +
                                      " components; expected fewer than there are dimensions");
  // Of fewer vectors nothing but rounding would be left.
  if (count_ < components + std::uint64_t{2})
    throw Error(ErrorCode::usage, "cannot condition " + std::to_string(count_) +
                                      " word vectors by " + std::to_string(components) +
                                      " components; expected at least " +
                                      std::to_string(components + std::uint64_t{2}) + " vectors");
  flush();
  const auto count = static_cast<double>(count_);
  std::vector<double> values;
  for (const double sum : sums_) values.push_back(sum / count);
  std::vector<double> covariance(products_.size());
  for (std::size_t i = 0; i < dimensions_; ++i) {
    for (std::size_t j = i; j < dimensions_; ++j) {
      const double value = products_[i * dimensions_ + j] / count - values[i] * values[j];
      covariance[i * dimensions_ + j] = value;
      covariance[j * dimensions_ + i] = value;
    }
  }
  const std::vector<double> directions = leading_eigenvectors(covariance, dimensions_, components);
  values.insert(values.end(), directions.begin(), directions.end());
  return {dimensions_, Array(std::move(values))};
}

}  // namespace navvy::core
