#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "navvy/measure.hpp"
#include "search/engine.hpp"

namespace navvy::search {

/// Candidate rows of each row of an index, as compressed rows: pairs (i, rows[p]) for p in
/// [offsets[i], offsets[i + 1]).
struct PairLists {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> rows;
  std::vector<float> distances;

  [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }
};

/// Fills lists.distances under a relaxation over a small support. Both directed costs of a pair
/// come from the table of the row that is the destination, so each row's table is made once.
/// `order`: in which the rows are taken; when similar ones follow each other, so do their
/// candidates, which are then in the caches.
void fill_distances(const Engine& engine, const Measure& measure, Direction direction,
                    std::span<const std::uint32_t> order, core::ThreadPool& pool,
                    core::Monitor& monitor, PairLists& lists);

/// Memory that fill_distances takes per pair, the lists included.
inline constexpr std::uint64_t bytes_per_pair = 4 + 4 + 4 + 8 + 4;

}  // namespace navvy::search
