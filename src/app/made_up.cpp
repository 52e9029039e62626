// Draws strokes and words by a generator whose numbers are the same everywhere.
#include "app/made_up.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "navvy/loaders.hpp"

namespace navvy::app {
namespace {

/// The generator is laid down by the standard, its distributions are not.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : generator_(seed) {}

  /// In [0, 1).
  double share() { return static_cast<double>(generator_() >> 11U) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * share(); }
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(share() * static_cast<double>(count));
  }

 private:
  std::mt19937_64 generator_;
};

constexpr std::uint32_t side = 28;
constexpr std::size_t shapes = 10;
constexpr std::size_t strokes = 3;

struct Stroke {
  double x0, y0, x1, y1;
};

// A dot of ink, fading over two pixels.
void put_dot(double x, double y, std::uint8_t* image) {
  constexpr double reach = 1.8;
  const auto first = [](double place) {
    return static_cast<std::uint32_t>(std::max(0.0, place - reach));
  };
  const auto last = [](double place) {
    return static_cast<std::uint32_t>(std::clamp(place + reach, 0.0, side - 1.0));
  };
  for (std::uint32_t line = first(y); line <= last(y); ++line)
    for (std::uint32_t column = first(x); column <= last(x); ++column) {
      const double away = std::max(std::abs(line - y), std::abs(column - x));
      const auto ink = static_cast<std::uint8_t>(255 * std::clamp(reach - away, 0.0, 1.0));
      std::uint8_t& pixel = image[line * side + column];
      pixel = std::max(pixel, ink);
    }
}

// The place of a frequent word is small: that of the r-th goes as 1 / r.
std::size_t zipf_word(std::size_t words, Dice& dice) {
  const double place = std::exp(dice.share() * std::log(static_cast<double>(words)));
  return std::min(words - 1, static_cast<std::size_t>(place - 1));
}

}  // namespace

Index made_up_images(std::size_t count) {
  Dice dice(28);
  std::vector<Stroke> drawn;
  const auto place = [&] { return dice.between(5, side - 6); };
  for (std::size_t i = 0; i < shapes * strokes; ++i)
    drawn.push_back({place(), place(), place(), place()});
  Images images{static_cast<std::uint32_t>(count), side, side, {}};
  images.pixels.resize(count * side * side);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t shape = dice.below(shapes);
    for (std::size_t k = 0; k < strokes; ++k) {
      Stroke stroke = drawn[shape * strokes + k];
      for (double* end : {&stroke.x0, &stroke.y0, &stroke.x1, &stroke.y1})
        *end += dice.between(-3, 3);
      constexpr int dots = 24;
      for (int dot = 0; dot <= dots; ++dot) {
        const double t = static_cast<double>(dot) / dots;
        put_dot(std::lerp(stroke.x0, stroke.x1, t), std::lerp(stroke.y0, stroke.y1, t),
                images.pixels.data() + i * side * side);
      }
    }
  }
  return index_images(images);
}

Index made_up_texts(std::size_t count) {
  constexpr std::size_t words = 20000;
  constexpr std::size_t dimensions = 100;
  Dice dice(100);
  std::vector<float> points(words * dimensions);
  for (float& value : points) value = static_cast<float>(dice.between(-1, 1));
  HistogramsBuilder builder(words);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint32_t> bins(40 + dice.below(41));
    for (std::uint32_t& bin : bins) bin = static_cast<std::uint32_t>(zipf_word(words, dice));
    builder.add(bins, std::vector<double>(bins.size(), 1.0));
  }
  Index index = index_histograms(builder.build(), Vocabulary(dimensions, Array(std::move(points))));
  normalize_coordinates(index);
  return index;
}

}  // namespace navvy::app
