#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "kernels/kernels.hpp"

namespace navvy::kernels {
namespace {

TEST(Signature, BoundsAreThoseOfAPlainLoop) {
  std::mt19937 random(1);
  constexpr std::size_t count = 67;
  std::vector<std::uint8_t> bytes(count * signature_bytes);
  std::vector<std::uint16_t> slacks(count);
  std::vector<std::uint8_t> query(signature_bytes);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() >> (random() % 3) * 3);
  for (std::uint8_t& byte : query) byte = static_cast<std::uint8_t>(random());
  for (std::size_t row = 0; row < count; ++row)
    slacks[row] = static_cast<std::uint16_t>(random() % 5 == 0 ? 65535 : random() % 9000);
  std::fill_n(bytes.begin(), signature_bytes, std::uint8_t{255});  // as far apart as can be
  std::fill_n(query.begin(), signature_bytes / 2, std::uint8_t{0});
  slacks[0] = 0;
  for (const KernelTable* kernels : supported_kernels()) {
    std::vector<float> bounds(count, -1);
    kernels->signature_bounds({bytes.data(), slacks.data(), count}, query.data(), 40, 0.37F,
                              bounds.data());
    for (std::size_t row = 0; row < count; ++row) {
      int apart = -40 - slacks[row];
      for (std::size_t i = 0; i < signature_bytes; ++i)
        apart += std::abs(bytes[row * signature_bytes + i] - query[i]);
      ASSERT_EQ(bounds[row], static_cast<float>(std::max(0, apart)) * 0.37F)
          << kernels->name << " row " << row;
    }
  }
}

}  // namespace
}  // namespace navvy::kernels
