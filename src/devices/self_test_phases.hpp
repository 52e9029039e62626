// The phases of the test of a device share this: data on the device and what was made of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "devices/self_test_bench.hpp"
#include "devices/self_test_plain.hpp"
#include "devices/self_test_sample.hpp"

namespace navvy::devices::phases {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

inline constexpr U32 size = Sample::size;
inline constexpr U32 lanes = Sample::lanes;
inline constexpr U32 blocks = Sample::blocks;
inline constexpr U32 dimensions = Sample::dimensions;
inline constexpr float infinite = std::numeric_limits<float>::infinity();

inline std::size_t quotient_up(std::size_t count, std::size_t by) { return (count + by - 1) / by; }

/// Histograms on the device.
struct Placed {
  Memory* offsets;
  Memory* bins;
};

/// What most phases need, with what was computed and found to be right so far.
struct Prepared {
  Sample sample;
  std::vector<float> squares;

  Memory* coordinates = nullptr;
  Memory* norms = nullptr;
  Memory* neighbours = nullptr;
  Placed rows{};
  Placed queries{};
};

/// The numbers first, first + 1, ...
std::vector<U32> count_up(U32 first, U32 count);

/// Squares [b][a] of the distances of some coordinates.
void run_squares(TestBench& bench, const Prepared& with, float largest, std::span<const U32> a,
                 std::span<const U32> b, Memory* out);

/// Kernels that are compiled for a number of levels: tables, and costs by them.
void test_levels(TestBench& bench, const Prepared& with, const plain::Levels& levels);

void test_sinkhorn(TestBench& bench, const Prepared& with);

}  // namespace navvy::devices::phases
