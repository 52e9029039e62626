// Flows by the names of what moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "navvy/index.hpp"
#include "navvy/pairwise.hpp"

namespace navvy::app {

/// A coordinate as users see it: its word, the row and column of its pixel, or its number.
std::string coordinate_name(const Index& index, std::uint32_t coordinate);

/// One move of a flow between two histograms, by name.
struct NamedMove {
  std::string from;
  std::string to;
  double mass = 0;
  double distance = 0;
  double share = 0;  ///< of the whole cost
};

/// The `count` moves that cost most, dearest first, then those that cost nothing, largest first.
std::vector<NamedMove> largest_moves(const Index& index, const Histogram& p, const Histogram& q,
                                     std::span<const Move> flow, std::size_t count);

Json moves_json(std::span<const NamedMove> moves);

}  // namespace navvy::app
