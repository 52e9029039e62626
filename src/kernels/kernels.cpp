// Compiles the kernels once per instruction set and lists those that the processor can run.
#include "kernels/kernels.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <type_traits>

// Three sets are enough on x86: AVX-512, AVX2, and a scalar one that is right everywhere. Scalable
// vectors (Arm SVE, RISC-V) cannot stand in arrays, which the kernels rely on.
#define HWY_BROKEN_EMU128 1
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace navvy::kernels::HWY_NAMESPACE {
namespace {
// The others are written in the words of the first.
// clang-format off
#include "kernels/vector.inl"
#include "kernels/charge.inl"
#include "kernels/candidate.inl"
#include "kernels/coarse.inl"
#include "kernels/nearest.inl"
#include "kernels/ranks.inl"
#include "kernels/signature.inl"
#include "kernels/sinkhorn.inl"
#include "kernels/tile.inl"
#include "kernels/transport.inl"
// clang-format on

constexpr const char* name() {
  return HWY_TARGET == HWY_AVX3   ? "avx512"
         : HWY_TARGET == HWY_AVX2 ? "avx2"
         : HWY_TARGET == HWY_NEON ? "neon"
                                  : "baseline";
}
}  // namespace

extern const KernelTable table;
constexpr KernelTable table = {
    .name = name(),
    .charge_nearest = charge_nearest,
    .charge_overflow = charge_overflow,
    .candidate_costs = candidate_costs,
    .charge_coarse = charge_coarse,
    .charge_coarse_overflow = charge_coarse_overflow,
    .at_most = at_most,
    .dot = dot,
    .squared_norms = squared_norms,
    .squared_distances = squared_distances,
    .k_smallest = k_smallest,
    .nearer = nearer,
    .finish_nearest = finish_nearest,
    .k_smallest_ranks = k_smallest_ranks,
    .transpose = transpose,
    .larger_with_transposed = larger_with_transposed,
    .below = below,
    .largest = largest,
    .exp_of_costs = exp_of_costs,
    .scale = scale,
    .plan_cost = plan_cost,
    .smallest_in_rows = smallest_in_rows,
    .place_in_row = place_in_row,
    .places_below = places_below,
    .largest_double = largest_double,
    .scaled_floats = scaled_floats,
    .exact_distances = exact_distances,
    .least_differences = least_differences,
    .signature_bounds = signature_bounds,
    .fma_peak = fma_peak,
};
}  // namespace navvy::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace navvy::kernels {
namespace {

struct Supported {
  std::array<const KernelTable*, 4> tables{};
  std::size_t count = 0;
};

Supported detect() noexcept {
  Supported found;
  [[maybe_unused]] const auto targets = hwy::SupportedTargets();
#if HWY_TARGETS & HWY_AVX3
  if (targets & HWY_AVX3) found.tables[found.count++] = &N_AVX3::table;
#endif
#if HWY_TARGETS & HWY_AVX2
  if (targets & HWY_AVX2) found.tables[found.count++] = &N_AVX2::table;
#endif
#if HWY_TARGETS & HWY_NEON
  if (targets & HWY_NEON) found.tables[found.count++] = &N_NEON::table;
#endif
#if HWY_TARGETS & HWY_SCALAR
  found.tables[found.count++] = &N_SCALAR::table;
#endif
  return found;
}

}  // namespace

std::span<const KernelTable* const> supported_kernels() noexcept {
  static const Supported supported = detect();
  return {supported.tables.data(), supported.count};
}

const KernelTable* find_kernels(std::string_view name) noexcept {
  for (const KernelTable* table : supported_kernels()) {
    if (name == table->name) return table;
  }
  return nullptr;
}

}  // namespace navvy::kernels
#endif
