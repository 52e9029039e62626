// Where the rows of a file stand that users name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/segment.hpp"

namespace navvy::index {

/// Where a living row stands.
struct RowPlace {
  std::size_t segment;
  std::uint32_t row;
};

/// The places of the living rows of these ids.
std::vector<std::optional<RowPlace>> places_of(std::span<const Segment> segments,
                                               std::span<const std::string> ids);

/// The rows at these places by segment, ascending, each once.
std::vector<std::vector<std::uint32_t>> by_segment(std::size_t segments,
                                                   std::span<const std::optional<RowPlace>> places);

/// Both lists in one, ascending.
Array<std::uint32_t> united(const Array<std::uint32_t>& dead, std::span<const std::uint32_t> more);

/// From here on, no number that rows can be called by is an id.
std::uint64_t free_number(std::span<const Segment> segments, std::uint64_t next);

}  // namespace navvy::index
