// Takes the mean and some components from word vectors.
#include "navvy/conditioning.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "navvy/error.hpp"

namespace navvy {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::bad_input, "conditioning of word vectors: " + message);
}

}  // namespace

Conditioning::Conditioning(std::size_t dimensions, Array<double> values)
    : dimensions_(values.empty() ? 0 : dimensions), values_(std::move(values)) {
  if (values_.empty()) return;
  if (dimensions_ == 0 || values_.size() % dimensions_ != 0 || values_.size() < 2 * dimensions_)
    refuse(std::to_string(values_.size()) +
           " values, expected a mean and at least one component of " + std::to_string(dimensions_) +
           " values each");
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (!std::isfinite(values_[i]))
      refuse("value " + std::to_string(i) + " is not a finite number");
}

Vocabulary Conditioning::apply(const Vocabulary& vectors) const {
  if (empty() || vectors.size() == 0) return vectors;
  if (vectors.dimensions() != dimensions_)
    refuse("vectors of " + std::to_string(vectors.dimensions()) + " dimensions, expected " +
           std::to_string(dimensions_));
  const auto part = [this](std::size_t i) {
    return values_.span().subspan(i * dimensions_, dimensions_);
  };
  std::vector<float> values;
  values.reserve(vectors.coordinates().size());
  std::vector<double> rest(dimensions_);
  for (std::size_t id = 0; id < vectors.size(); ++id) {
    const auto vector = vectors.coordinate(id);
    for (std::size_t i = 0; i < dimensions_; ++i)
      rest[i] = static_cast<double>(vector[i]) - values_[i];
    for (std::size_t component = 1; component <= components(); ++component) {
      const auto direction = part(component);
      double along = 0;
      for (std::size_t i = 0; i < dimensions_; ++i) along += rest[i] * direction[i];
      for (std::size_t i = 0; i < dimensions_; ++i) rest[i] -= along * direction[i];
    }
    for (const double value : rest) values.push_back(static_cast<float>(value));
  }
  return {dimensions_, Array(std::move(values)), vectors.numbers(), vectors.words()};
}

bool operator==(const Conditioning& a, const Conditioning& b) noexcept {
  const auto x = a.values().span();
  const auto y = b.values().span();
  return a.dimensions() == b.dimensions() && x.size() == y.size() &&
         (x.empty() || std::memcmp(x.data(), y.data(), x.size_bytes()) == 0);
}

}  // namespace navvy
