// The coordinates of several segments as one vocabulary.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/segment.hpp"
#include "navvy/vocabulary.hpp"

namespace navvy::index {

/// Where each reference of a segment goes in the new vocabulary; meaningful for used ones only.
using Renumbering = std::vector<std::uint32_t>;

/// The numbers that living rows refer to, ascending.
std::vector<std::uint32_t> used_numbers(std::span<const Segment> segments);

/// Where the references of a segment stand among `numbers`, both ascending.
Renumbering renumbering(std::span<const std::uint32_t> references,
                        std::span<const std::uint32_t> numbers);

/// The coordinates of these numbers, wherever they stand. Throws Error(bad_input) where one stands
/// nowhere, two of the same number differ, or a word has two numbers.
Vocabulary join_vocabulary(std::span<const Segment> segments,
                           std::span<const std::uint32_t> numbers);

/// Throws Error(bad_input) where two coordinates of the same number differ.
void require_same_numbers(std::span<const Segment> segments);

/// Throws Error(bad_input) where a word has two numbers, and would be two coordinates.
void require_distinct(const Strings& words);

/// All numbers of coordinates that came with the segments, ascending.
std::vector<std::uint32_t> own_numbers(std::span<const Segment> segments);

}  // namespace navvy::index
