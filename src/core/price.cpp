// The price of mass that finds no room: a bound of all ground distances that depends on no row, so
// that parts and shards of an index have the same.
#include "core/price.hpp"

#include <cmath>
#include <cstdlib>

#include "core/properties.hpp"
#include "navvy/error.hpp"
#include "navvy/index.hpp"
#include "navvy/options.hpp"

namespace navvy {

bool core::is_unit(std::span<const float> coordinate) noexcept {
  double square = 0;
  for (const float x : coordinate) square += static_cast<double>(x) * static_cast<double>(x);
  return square == 0 || std::abs(std::sqrt(square) - 1) < length_tolerance;
}

namespace {

// Whether all coordinates are lines and columns of images of that size.
bool lie_within(const Vocabulary& places, double height, double width) {
  for (std::size_t id = 0; id < places.size(); ++id) {
    const auto place = places.coordinate(id);
    const auto line = static_cast<double>(place[0]);
    const auto column = static_cast<double>(place[1]);
    if (line < 0 || line >= height || column < 0 || column >= width) return false;
  }
  return true;
}

}  // namespace

double price_of(const Index& index) {
  const Vocabulary& vocabulary = index.vocabulary;
  if (index.kind == DataKind::images) {
    const auto side = [&](const char* name) {
      return std::strtod(core::property::get(index, name).c_str(), nullptr);
    };
    const double height = side("height");
    const double width = side("width");
    if (lie_within(vocabulary, height, width)) return std::hypot(height, width);
  }
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    if (!core::is_unit(vocabulary.coordinate(id)))
      throw Error(ErrorCode::usage,
                  "emd one way over coordinates that are not all of length 1 needs a price of mass "
                  "that finds no room; expected at least the largest ground distance, as price");
  return core::unit_price;
}

}  // namespace navvy
