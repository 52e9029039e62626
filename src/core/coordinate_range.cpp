// Measures how far coordinates reach, and refuses those whose squares leave the range of floats.
#include "core/coordinate_range.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <locale>
#include <numeric>
#include <span>
#include <sstream>
#include <string>

#include "navvy/error.hpp"

namespace navvy::core {
namespace {

// Several sums side by side, which processors add at once.
constexpr std::size_t lanes = 8;

double squared_difference(std::span<const float> x, std::span<const float> y) {
  double sums[lanes] = {};
  std::size_t d = 0;
  for (; d + lanes <= x.size(); d += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double difference = static_cast<double>(x[d + lane]) - static_cast<double>(y[d + lane]);
      sums[lane] += difference * difference;
    }
  for (; d < x.size(); ++d) {
    const double difference = static_cast<double>(x[d]) - static_cast<double>(y[d]);
    sums[0] += difference * difference;
  }
  return std::accumulate(std::begin(sums), std::end(sums), 0.0);
}

float largest_component(std::span<const float> x) {
  float largest[lanes] = {};
  const auto take = [&](std::size_t lane, float value) {
    value = std::abs(value);
    largest[lane] = value > largest[lane] ? value : largest[lane];
  };
  std::size_t d = 0;
  for (; d + lanes <= x.size(); d += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) take(lane, x[d + lane]);
  for (; d < x.size(); ++d) take(0, x[d]);
  return *std::ranges::max_element(largest);
}

// to_string would write 1e19 with all digits and 1e-22 with none.
std::string short_text(double value) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(3);
  text << value;
  return text.str();
}

[[noreturn]] void fail_large(const Vocabulary& vocabulary, double limit) {
  const auto values = vocabulary.coordinates().span();
  std::size_t place = 0;
  while (place + 1 < values.size() && std::abs(static_cast<double>(values[place])) < limit) ++place;
  throw Error(ErrorCode::bad_input,
              "coordinate " + std::to_string(place / vocabulary.dimensions()) + ", dimension " +
                  std::to_string(place % vocabulary.dimensions()) + " is " +
                  short_text(static_cast<double>(values[place])) + ", expected less than " +
                  short_text(limit) + " either way, so that floats hold the squares of distances");
}

}  // namespace

Extent extent_of(const Vocabulary& vocabulary) {
  float component = 0;
  double farthest = 0;
  for (std::size_t id = 0; id < vocabulary.size(); ++id) {
    const auto coordinate = vocabulary.coordinate(id);
    component = std::max(component, largest_component(coordinate));
    farthest = std::max(farthest, squared_difference(vocabulary.coordinate(0), coordinate));
  }
  return {static_cast<double>(component), std::sqrt(farthest)};
}

double largest_norms(std::size_t dimensions, double component) {
  return 2 * static_cast<double>(dimensions) * component * component;
}

double lost_below(std::size_t dimensions) {
  return std::sqrt(static_cast<double>(dimensions)) * 0x1p-74;
}

void check_range(const Vocabulary& vocabulary) {
  const std::size_t dimensions = vocabulary.dimensions();
  const auto component = static_cast<double>(largest_component(vocabulary.coordinates().span()));
  if (!(largest_norms(dimensions, component) < norms_limit))
    fail_large(vocabulary, std::sqrt(norms_limit / largest_norms(dimensions, 1)));
  // Almost always the second coordinate is far enough, and this ends there.
  const double least = 0x1p24 * lost_below(dimensions);
  double farthest = 0;
  for (std::size_t id = 1; id < vocabulary.size() && farthest < least * least; ++id)
    farthest =
        std::max(farthest, squared_difference(vocabulary.coordinate(0), vocabulary.coordinate(id)));
  if (farthest != 0 && farthest < least * least)
    throw Error(ErrorCode::bad_input, "coordinates are at most " + short_text(std::sqrt(farthest)) +
                                          " away from the first, expected at least " +
                                          short_text(least) +
                                          " (or all the same), so that floats hold the squares "
                                          "of distances");
}

}  // namespace navvy::core
