// Which segments of a file count, as its head and its manifest tell.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "index/format.hpp"
#include "index/segment.hpp"

namespace navvy::index {

/// Numbers that rows are called by are smaller, so that sums of them are numbers too.
inline constexpr std::uint64_t number_limit = std::uint64_t{1} << 62;

/// One segment of a file and the rows of it that were removed.
struct StoredSegment {
  SegmentEntry entry{};
  Array<std::uint32_t> dead;
};

/// The state of a file: what its head says, checked, and the segments in order.
struct Layout {
  Head head{};
  std::vector<StoredSegment> segments;
  std::uint64_t changed = 0;      ///< rows that came or went since frequencies were fixed
  std::uint64_t next_number = 0;  ///< what the next row without an id is called
  bool has_manifest = false;

  /// Bytes of the file that no segment uses any more.
  [[nodiscard]] std::uint64_t unused() const noexcept;
  [[nodiscard]] std::uint64_t living_rows() const noexcept;
};

/// Whether head and table of an index file are whole: while an edit is being committed, a reader
/// may see half of the new head, or the new head with the old length. True for what is no index.
bool head_is_whole(std::span<const std::byte> file);

/// Reads head and manifest; whatever stands behind the length that the head tells was left by an
/// edit that did not end. Throws Error(damaged_index).
Layout read_layout(const Bytes& file);

/// The bytes of a manifest for these segments.
std::vector<std::byte> manifest_of(const Layout& layout);

/// The head with its checksum; `table` is the table of sections behind it.
Head signed_head(Head head, std::span<const std::byte> table);

/// What is read of a segment.
enum class Reading { whole, outline };

/// Reads one segment. Throws Error(damaged_index).
Segment read_segment(const Bytes& file, const Layout& layout, std::size_t segment,
                     const OpenOptions& options, Reading reading);

/// Reads all segments. Throws Error(damaged_index).
std::vector<Segment> read_segments(const Bytes& file, const Layout& layout,
                                   const OpenOptions& options, Reading reading);

/// Reads all segments of a file that is in memory; the parts of the result refer to it. `name` is
/// for messages. Throws Error(damaged_index).
Index read_index(const Bytes& file, const std::string& name, const OpenOptions& options);

}  // namespace navvy::index
