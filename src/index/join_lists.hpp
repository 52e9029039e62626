// Lists of segments, one after the other, without the rows that were removed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/segment.hpp"
#include "navvy/array.hpp"
#include "navvy/strings.hpp"

namespace navvy::index {

/// The strings of one kind of all living rows; segments without any count as empty strings, and no
/// segment with any gives none.
Strings join_strings(std::span<const Segment> segments, Strings Index::*member);

/// What the living rows are called; none where that is their numbers, from `first` on.
Strings join_ids(std::span<const Segment> segments, std::uint64_t first);

/// Sets labels and their names, in the order in which rows bring them.
void join_labels(std::span<const Segment> segments, Index& index);

/// The fields of the living rows.
std::vector<Field> join_fields_of(std::span<const Segment> segments);

}  // namespace navvy::index
