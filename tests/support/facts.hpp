#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

#include "support/random_histograms.hpp"

namespace navvy::test {

inline bool thorough() { return std::getenv("NAVVY_THOROUGH") != nullptr; }

/// How many random pairs each fact is tried on.
inline std::uint64_t pairs_per_fact() { return thorough() ? 1'000'000 : 20'000; }

/// Tries `fact(sample, rng)` on random pairs, with the shapes that `adjust(shape)` makes of the
/// random ones: a fact that asks for something is then tried on pairs that have it. Sample i grows
/// from seed first + i, where `first` is 1 or what NAVVY_SEED says: a failure prints the seed that
/// repeats it as the first sample.
template <class Fact, class Adjust>
void for_random_samples(Fact fact, Adjust adjust) {
  const char* text = std::getenv("NAVVY_SEED");
  const std::uint64_t first = text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
  for (std::uint64_t seed = first; seed < first + pairs_per_fact(); ++seed) {
    Rng rng(seed);
    SampleShape shape = random_shape(rng);
    adjust(shape);
    const Sample sample = random_sample(rng, shape);
    fact(sample, rng);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "repeat with NAVVY_SEED=" << seed << ": " << sample.rows[0].size()
                    << " bins against " << sample.rows[1].size() << " in "
                    << sample.shape.dimensions << " dimensions";
      return;
    }
  }
}

template <class Fact>
void for_random_samples(Fact fact) {
  for_random_samples(fact, [](SampleShape&) {});
}

}  // namespace navvy::test
