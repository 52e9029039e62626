// A segment: rows as they lie in one part of a file, and several of them joined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "navvy/index.hpp"

namespace navvy::index {

/// Rows with the coordinates that came with them. Bins refer to places in `references`, numbers of
/// coordinates of which `part.vocabulary` has some and segments before this one the others.
struct Segment {
  Index part;
  Array<std::uint32_t> references;
  Array<std::uint32_t> dead;       ///< removed rows, ascending
  std::uint64_t first_number = 0;  ///< what its first row is called where rows have no ids
  std::function<void()> forget;    ///< gives back the memory of pages that were looked at, or none

  [[nodiscard]] std::size_t rows() const noexcept { return part.rows.size(); }
  [[nodiscard]] std::size_t living() const noexcept { return rows() - dead.size(); }
  /// What a row is called.
  [[nodiscard]] std::string id(std::size_t row) const;
};

/// An index as a segment of its own.
Segment as_segment(const Index& index);

/// Runs of living rows [begin, end), in order.
void for_living_runs(const Segment& segment,
                     const std::function<void(std::size_t begin, std::size_t end)>& use);

/// The living rows of all segments as an index, as if built at once against the frequencies of the
/// first: only coordinates and labels that are used. Kind, properties and frequencies are those of
/// the first. Rows are called by number where no segment has ids and no row is missing. Throws
/// Error(bad_input) where a coordinate is missing, or the same number stands for two.
Index join(std::span<const Segment> segments);

/// The same without bins, titles, snippets and values of fields, for who needs to know what there
/// is but not what it weighs: every coordinate of the segments, used or not.
Index outline(std::span<const Segment> segments);

/// Neighbouring segments behind the first as one segment, with all coordinates that came with them.
Segment join_tail(std::span<const Segment> segments);

/// The rows weighed against the frequencies of another index where the weighting asks for it.
Index weighed_against(const Index& rows, const Index& index);

/// Throws Error(bad_input) unless all parts fit together but for the vocabulary, of which bins see
/// so many coordinates.
void check_parts(const Index& index, std::size_t coordinates);

/// Throws Error(bad_input) unless properties, dimensions and frequencies make sense: a part of
/// check_parts() that needs no rows.
void check_making(const Index& index);

/// The same, and that coordinates suit kind and properties.
void check_outline(const Index& index);

/// Throws Error(bad_input) unless there is a frequency for each coordinate, or none at all.
void check_frequencies(const Index& index);

/// Throws Error(bad_input) unless there are as many counts as bins, or none where none are needed;
/// weights that depend on all rows need them, each above 0.
void check_counts(const Index& index);

}  // namespace navvy::index
