// The distances of given pairs of rows over a small support: what is left of all pairs by bounds.
#pragma once

#include <cstdint>
#include <span>

#include "backends/backend.hpp"
#include "backends/cpu/engine.hpp"

namespace navvy::backends {

/// Fills pairs.distances under a relaxation over a small support. Both directed costs of a pair
/// come from the table of the row that is the destination, so each row's table is made once.
/// `order`: in which the rows are taken; when similar ones follow each other, so do their
/// candidates, which are then in the caches.
void cost_pairs(const Engine& engine, const Task& task, std::span<const std::uint32_t> order,
                Pairs& pairs, Run& run);

/// Memory that cost_pairs takes per pair, the pairs included.
inline constexpr std::uint64_t given_pair_bytes = 4 + 4 + 4 + 8 + 4;

}  // namespace navvy::backends
