// Draws numbers without putting them back, the same on every machine: distributions of the standard
// library are each vendor's own.
#include <algorithm>
#include <numeric>
#include <utility>

#include "navvy/evaluation.hpp"

namespace navvy {
namespace {

/// SplitMix64 (Steele, Lea and Flood 2014).
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  /// Each number below `count` is as likely as any other: what would favour the small ones is drawn
  /// again.
  std::uint64_t below(std::uint64_t count) {
    const std::uint64_t unfair = (0 - count) % count;  // 2^64 modulo count
    std::uint64_t value = next();
    while (value < unfair) value = next();
    return value % count;
  }

 private:
  std::uint64_t state_;
};

}  // namespace

std::vector<std::uint32_t> sample(std::uint32_t size, std::size_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0U);
  if (count >= size) return numbers;
  // The first steps of a shuffle.
  Generator generator(seed);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(numbers[i], numbers[i + static_cast<std::size_t>(generator.below(size - i))]);
  numbers.resize(count);
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace navvy
