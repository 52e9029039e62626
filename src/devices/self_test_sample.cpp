// Makes up coordinates, histograms and squares by simple arithmetic.
#include "devices/self_test_sample.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace navvy::devices {
namespace {

constexpr std::uint32_t row_count = 67;
constexpr std::uint32_t query_count = 61;
constexpr std::uint32_t most_bins = 23;  // more than there are levels

std::vector<float> make_coordinates(SampleNumbers& numbers) {
  constexpr std::size_t m = Sample::dimensions;
  std::vector<float> all(std::size_t{Sample::size} * m);
  for (float& x : all) x = numbers.digits() * (numbers.below(2) == 0 ? 1.0F : -1.5F);
  const auto copy = [&](std::size_t from, std::size_t to) {
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(from * m), m,
                all.begin() + static_cast<std::ptrdiff_t>(to * m));
    return all.data() + to * m;
  };
  copy(5, 8);
  copy(5, 70);
  float* a_digit_away = copy(5, 12);
  a_digit_away[3] = std::nextafter(a_digit_away[3], 9.0F);
  float* near = copy(21, 66);
  for (std::size_t d = 0; d < m; ++d) near[d] *= 1.0F + 0x1p-9F * numbers.digits();
  // A multiple of 2.215 is where the two ways to compute a square meet.
  for (std::size_t id = 30; id < 40; ++id) {
    float* multiple = copy(21, id);
    for (std::size_t d = 0; d < m; ++d)
      multiple[d] *= 2.21F + 0.001F * static_cast<float>(id - 30) + 0x1p-14F * numbers.digits();
  }
  for (std::size_t id = 50; id < 56; ++id)
    for (std::size_t d = 0; d < m; ++d) all[id * m + d] *= 0x1p-70F;
  return all;
}

void add_histogram(SampleNumbers& numbers, std::uint32_t count, SampleHistograms& to) {
  std::uint32_t missing = count;
  for (std::uint32_t id = 0; missing > 0; ++id) {
    if (numbers.below(Sample::size - id) >= missing) continue;
    --missing;
    const bool ends = missing == 0 || numbers.below(5) == 0;
    const float weight = numbers.digits() * static_cast<float>(1 + numbers.below(9)) * 0x1p-6F;
    to.bins.push_back(
        {id | (ends ? SampleBin::last_of_piece : 0), numbers.below(16) == 0 ? 0.0F : weight});
  }
  to.offsets.push_back(to.bins.size());
}

}  // namespace

float SampleNumbers::digits() noexcept { return std::bit_cast<float>(0x3f800000U | bits() >> 9); }

Sample::Sample() {
  SampleNumbers numbers(16);
  coordinates = make_coordinates(numbers);
  for (std::uint32_t i = 0; i < row_count; ++i) add_histogram(numbers, 1 + i * 7 % most_bins, rows);
  for (std::uint32_t i = 0; i < query_count; ++i)
    add_histogram(numbers, 1 + i * 5 % most_bins, queries);
}

std::vector<float> sample_squares(std::size_t count) {
  SampleNumbers numbers(61);
  std::vector<float> squares;
  for (const float end : {0.0F, std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::max(), std::numeric_limits<float>::min()})
    squares.push_back(end);
  for (std::uint32_t bits = 1; bits < 64; ++bits) squares.push_back(std::bit_cast<float>(bits));
  while (squares.size() < count) {
    const float root = std::ldexp(numbers.digits(), static_cast<int>(numbers.below(136)) - 74);
    // Every other root has half the digits, so that its square is exact.
    const float exact = std::bit_cast<float>(std::bit_cast<std::uint32_t>(root) & ~0xfffU);
    const float square = squares.size() % 2 == 0 ? root * root : exact * exact;
    squares.push_back(square);
    squares.push_back(std::nextafter(square, 0.0F));
    squares.push_back(std::nextafter(square, std::numeric_limits<float>::infinity()));
  }
  squares.resize(count);
  return squares;
}

}  // namespace navvy::devices
