// The coordinates of bins, and distances between two of them.
#include "navvy/vocabulary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "navvy/error.hpp"

namespace navvy {
namespace {

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorCode::bad_input, "vocabulary: " + message);
}

void check_finite(std::span<const float> values, std::size_t dimensions) {
  // One pass without branches first: x - x is 0 for every finite x and NaN otherwise.
  float sum = 0;
  for (const float value : values) sum += value - value;
  if (sum == 0) return;
  const auto* bad = std::find_if(values.data(), values.data() + values.size(),
                                 [](float value) { return !std::isfinite(value); });
  const auto place = static_cast<std::size_t>(bad - values.data());
  fail("coordinate " + std::to_string(place / dimensions) + ", dimension " +
       std::to_string(place % dimensions) + " is not a finite number");
}

void check_lengths(std::span<const float> lengths, std::size_t count) {
  if (!lengths.empty() && lengths.size() != count)
    fail(std::to_string(lengths.size()) + " lengths for " + std::to_string(count) + " coordinates");
  for (std::size_t i = 0; i < lengths.size(); ++i)
    if (!(std::isfinite(lengths[i]) && lengths[i] >= 0))
      fail("length of coordinate " + std::to_string(i) + " is not a finite number of at least 0");
}

double length_of(std::span<const float> coordinate) {
  double squares = 0;
  for (const float value : coordinate)
    squares += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(squares);
}

}  // namespace

Vocabulary::Vocabulary(std::size_t dimensions, Array<float> coordinates,
                       Array<std::uint32_t> numbers, Strings words, Array<float> lengths)
    : dimensions_(dimensions),
      coordinates_(std::move(coordinates)),
      numbers_(std::move(numbers)),
      words_(std::move(words)),
      lengths_(std::move(lengths)) {
  if (dimensions_ == 0 ? !coordinates_.empty() : coordinates_.size() % dimensions_ != 0)
    fail(std::to_string(coordinates_.size()) + " values do not fill rows of " +
         std::to_string(dimensions_) + " dimensions");
  const std::size_t count = dimensions_ == 0 ? 0 : coordinates_.size() / dimensions_;
  if (numbers_.empty() && count > 0) {
    std::vector<std::uint32_t> own(count);
    std::iota(own.begin(), own.end(), 0U);
    numbers_ = Array(std::move(own));
  }
  if (numbers_.size() != count)
    fail(std::to_string(numbers_.size()) + " numbers for " + std::to_string(count) +
         " coordinates");
  for (std::size_t i = 1; i < count; ++i)
    if (numbers_[i] <= numbers_[i - 1])
      fail("number " + std::to_string(numbers_[i]) + " of coordinate " + std::to_string(i) +
           " does not exceed the one before");
  if (!words_.empty() && words_.size() != count)
    fail(std::to_string(words_.size()) + " words for " + std::to_string(count) + " coordinates");
  check_finite(coordinates_.span(), dimensions_);
  check_lengths(lengths_.span(), count);
}

double ground_distance(const Vocabulary& vocabulary, std::size_t a, std::size_t b) {
  return std::sqrt(squared_ground_distance(vocabulary, a, b));
}

double squared_ground_distance(const Vocabulary& vocabulary, std::size_t a, std::size_t b) {
  if (a == b) return 0;
  const auto x = vocabulary.coordinate(a);
  const auto y = vocabulary.coordinate(b);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double difference = static_cast<double>(x[i]) - static_cast<double>(y[i]);
    sum += difference * difference;
  }
  return sum;
}

Vocabulary normalized(const Vocabulary& vocabulary) {
  std::vector<float> values;
  values.reserve(vocabulary.coordinates().size());
  for (std::size_t id = 0; id < vocabulary.size(); ++id) {
    const auto coordinate = vocabulary.coordinate(id);
    const double own = length_of(coordinate);
    const double length = own > 0 ? own : 1;
    for (const float value : coordinate)
      values.push_back(static_cast<float>(static_cast<double>(value) / length));
  }
  return {vocabulary.dimensions(), Array(std::move(values)), vocabulary.numbers(),
          vocabulary.words(), vocabulary.lengths()};
}

Vocabulary with_lengths(const Vocabulary& vocabulary) {
  std::vector<float> lengths;
  lengths.reserve(vocabulary.size());
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    lengths.push_back(static_cast<float>(length_of(vocabulary.coordinate(id))));
  return {vocabulary.dimensions(), vocabulary.coordinates(), vocabulary.numbers(),
          vocabulary.words(), Array(std::move(lengths))};
}

}  // namespace navvy
