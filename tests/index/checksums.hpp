#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "index/format.hpp"

namespace navvy::test {

template <class T>
T value_at(std::span<const std::byte> file, std::uint64_t place) {
  T value{};
  std::memcpy(&value, file.data() + place, sizeof(T));
  return value;
}

template <class T>
void put_at(std::span<std::byte> file, std::uint64_t place, const T& value) {
  std::memcpy(file.data() + place, &value, sizeof(T));
}

inline bool lies_within(std::span<const std::byte> file, std::uint64_t offset,
                        std::uint64_t bytes) {
  return offset <= file.size() && bytes <= file.size() - offset;
}

/// Those of one segment: sections, then head and table. Returns that of the table.
inline std::uint64_t correct_segment(std::span<std::byte> segment) {
  if (segment.size() < sizeof(index::Head)) return 0;
  auto head = value_at<index::Head>(segment, 0);
  const std::size_t room = (segment.size() - sizeof(index::Head)) / sizeof(index::Section);
  const std::size_t sections = std::min<std::size_t>(head.sections, room);
  for (std::size_t i = 0; i < sections; ++i) {
    const std::size_t place = sizeof(index::Head) + i * sizeof(index::Section);
    auto section = value_at<index::Section>(segment, place);
    if (!lies_within(segment, section.offset, section.bytes)) continue;
    section.checksum = index::checksum(segment.subspan(section.offset, section.bytes));
    put_at(segment, place, section);
  }
  const auto table = segment.subspan(sizeof(index::Head), sections * sizeof(index::Section));
  head.checksum = 0;
  put_at(segment, 0, head);
  head.checksum = index::checksum(segment.first(sizeof(index::Head) + table.size()));
  put_at(segment, 0, head);
  return index::checksum(table);
}

/// That of the manifest at a place, and of the segments and lists that it names.
inline void correct_manifest(std::span<std::byte> file, std::uint64_t place) {
  if (!lies_within(file, place, sizeof(index::ManifestHead))) return;
  auto manifest = value_at<index::ManifestHead>(file, place);
  if (manifest.magic != index::manifest_magic) return;
  const std::uint64_t first = place + sizeof(manifest);
  const std::uint64_t entries = std::min<std::uint64_t>(
      manifest.segments, (file.size() - first) / sizeof(index::SegmentEntry));
  for (std::uint64_t i = 0; i < entries; ++i) {
    auto entry = value_at<index::SegmentEntry>(file, first + i * sizeof(index::SegmentEntry));
    if (lies_within(file, entry.offset, entry.bytes))
      entry.table_checksum = correct_segment(file.subspan(entry.offset, entry.bytes));
    if (lies_within(file, entry.dead_offset, 0) &&
        entry.dead_count <= (file.size() - entry.dead_offset) / sizeof(std::uint32_t))
      entry.dead_checksum = index::checksum(
          file.subspan(entry.dead_offset, entry.dead_count * sizeof(std::uint32_t)));
    put_at(file, first + i * sizeof(index::SegmentEntry), entry);
  }
  manifest.checksum = 0;
  put_at(file, place, manifest);
  manifest.checksum = index::checksum(
      file.subspan(place, sizeof(manifest) + entries * sizeof(index::SegmentEntry)));
  put_at(file, place, manifest);
}

/// Makes the checksums of a damaged index file fit the damage, as an attacker would, or a program
/// with a bug.
inline void correct_checksums(std::span<std::byte> file) {
  if (file.size() < sizeof(index::Head)) return;
  const auto head = value_at<index::Head>(file, 0);
  if (head.manifest == 0) {
    correct_segment(file);
    return;
  }
  correct_manifest(file, head.manifest);
  // The manifest may end the first segment before the table does; the head belongs to the file.
  correct_segment(file);
}

}  // namespace navvy::test
