// Reads and writes heads and manifests; every offset and size is checked before it is used.
#include "index/layout.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "index/damage.hpp"
#include "navvy/error.hpp"

namespace navvy::index {
namespace {

Head head_of(std::span<const std::byte> file) {
  Head head{};
  if (file.size() < sizeof(Head)) {
    damaged("length is " + std::to_string(file.size()) + " bytes, expected at least 64");
  }
  std::memcpy(&head, file.data(), sizeof(Head));
  if (head.magic != magic) damaged_at(0, "this is not a navvy index");
  if (head.version < 1 || head.version > format_version) {
    damaged_at(8, "format version " + std::to_string(head.version) +
                      ", this program reads versions 1 and 2");
  }
  if (head.byte_order != byte_order_mark) damaged_at(12, "the byte order mark is wrong");
  if (head.file_bytes > file.size()) {
    damaged_at(16, "length is " + expected(file.size(), head.file_bytes) + " bytes");
  }
  if (head.file_bytes < sizeof(Head) ||
      head.sections > (head.file_bytes - sizeof(Head)) / sizeof(Section)) {
    damaged_at(24, std::to_string(head.sections) + " sections do not fit into the file");
  }
  return head;
}

std::uint64_t checksum_of(Head head, std::span<const std::byte> table) {
  head.checksum = 0;
  std::vector<std::byte> bytes(sizeof(Head) + table.size());
  std::memcpy(bytes.data(), &head, sizeof(Head));
  std::ranges::copy(table, bytes.begin() + sizeof(Head));
  return checksum(bytes);
}

// A piece of the file within the length that counts, aligned like a section.
std::span<const std::byte> piece_of(const Bytes& file, const Head& head, std::uint64_t offset,
                                    std::uint64_t bytes, const std::string& what) {
  if (offset % alignment != 0 || offset > head.file_bytes || bytes > head.file_bytes - offset) {
    damaged(what + " of " + std::to_string(bytes) + " bytes at byte " + std::to_string(offset) +
            " does not lie within the file");
  }
  return file.span.subspan(offset, bytes);
}

Array<std::uint32_t> read_dead(const Bytes& file, const Head& head, const SegmentEntry& entry) {
  if (entry.dead_count == 0) return {};
  if (entry.dead_count > entry.rows) damaged("more rows were removed than a segment has");
  const auto bytes = piece_of(file, head, entry.dead_offset,
                              entry.dead_count * sizeof(std::uint32_t), "a list of removed rows");
  if (checksum(bytes) != entry.dead_checksum) {
    damaged_at(entry.dead_offset, "the list of removed rows is damaged");
  }
  const std::span rows(reinterpret_cast<const std::uint32_t*>(bytes.data()), entry.dead_count);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] >= entry.rows || (i > 0 && rows[i] <= rows[i - 1])) {
      damaged_at(entry.dead_offset + 4 * i, "removed rows do not ascend within their segment");
    }
  }
  return {rows, file.owner};
}

// No number names two rows, be it that of a row to come.
void check_numbers(const Layout& layout) {
  std::uint64_t free = 0;
  for (const auto& [entry, dead] : layout.segments) {
    if (entry.first_number < free || entry.first_number > number_limit) {
      damaged("rows are called " + std::to_string(entry.first_number) +
              " and on, expected numbers from " + std::to_string(free) + " on, below 2^62");
    }
    free = entry.first_number + entry.rows;
  }
  if (layout.next_number < free || layout.next_number > number_limit) {
    damaged("the next row is called " + std::to_string(layout.next_number) +
            ", expected a number from " + std::to_string(free) + " on, below 2^62");
  }
}

void check_entries(const Layout& layout) {
  const Head& head = layout.head;
  if (head.file_bytes % alignment != 0) {
    damaged_at(16, "length is " + std::to_string(head.file_bytes) +
                       " bytes, expected a multiple of " + std::to_string(alignment));
  }
  std::uint64_t rows = 0;
  std::uint64_t end = 0;
  for (const StoredSegment& stored : layout.segments) {
    const SegmentEntry& entry = stored.entry;
    if (rows == 0 && end == 0 ? entry.offset != 0 : entry.offset < end) {
      damaged("segments do not stand one after the other from the begin of the file");
    }
    if (entry.offset % alignment != 0 || entry.offset > head.file_bytes ||
        entry.bytes > head.file_bytes - entry.offset || entry.bytes < sizeof(Head)) {
      damaged("a segment of " + std::to_string(entry.bytes) + " bytes at byte " +
              std::to_string(entry.offset) + " does not lie within the file");
    }
    end = entry.offset + entry.bytes;
    rows += std::min<std::uint64_t>(entry.rows, row_limit);
    if (entry.rows >= row_limit || rows >= row_limit) {
      damaged("more than " + std::to_string(row_limit - 1) + " rows");
    }
  }
}

void read_manifest(const Bytes& file, Layout& layout) {
  const std::uint64_t place = layout.head.manifest;
  const auto start = piece_of(file, layout.head, place, sizeof(ManifestHead), "the manifest");
  ManifestHead manifest{};
  std::memcpy(&manifest, start.data(), sizeof(manifest));
  if (manifest.magic != manifest_magic) damaged_at(place, "there is no manifest");
  const std::uint64_t bytes =
      sizeof(ManifestHead) + std::uint64_t{manifest.segments} * sizeof(SegmentEntry);
  if (manifest.segments == 0 || manifest.bytes != bytes) {
    damaged_at(place + 8, "a manifest of " + std::to_string(manifest.segments) + " segments has " +
                              expected(manifest.bytes, bytes) + " bytes");
  }
  const auto whole = piece_of(file, layout.head, place, bytes, "the manifest");
  std::vector<std::byte> copy(whole.begin(), whole.end());
  std::fill_n(copy.begin() + offsetof(ManifestHead, checksum), sizeof(manifest.checksum),
              std::byte{0});
  if (checksum(copy) != manifest.checksum) damaged_at(place, "the manifest is damaged");
  if (manifest.reserved != 0 || manifest.reserved_too != decltype(manifest.reserved_too){}) {
    damaged_at(place, "reserved bytes of the manifest are not zero");
  }
  layout.changed = manifest.changed;
  layout.next_number = manifest.next_number;
  layout.has_manifest = true;
  for (std::uint32_t i = 0; i < manifest.segments; ++i) {
    SegmentEntry entry{};
    std::memcpy(&entry, copy.data() + sizeof(ManifestHead) + i * sizeof(entry), sizeof(entry));
    layout.segments.push_back({entry, {}});
  }
  check_entries(layout);
  check_numbers(layout);
  for (StoredSegment& stored : layout.segments)
    stored.dead = read_dead(file, layout.head, stored.entry);
}

}  // namespace

std::uint64_t Layout::unused() const noexcept {
  std::uint64_t used = has_manifest ? sizeof(ManifestHead) : 0;
  for (const StoredSegment& stored : segments)
    used += stored.entry.bytes + (has_manifest ? sizeof(SegmentEntry) : 0) +
            aligned(stored.dead.span().size_bytes());
  return head.file_bytes - std::min(used, head.file_bytes);
}

std::uint64_t Layout::living_rows() const noexcept {
  std::uint64_t rows = 0;
  for (const StoredSegment& stored : segments) rows += stored.entry.rows - stored.dead.size();
  return rows;
}

bool head_is_whole(std::span<const std::byte> file) {
  Head head{};
  if (file.size() < sizeof(Head)) return true;
  std::memcpy(&head, file.data(), sizeof(Head));
  if (head.magic != magic) return true;
  const std::uint64_t table = std::uint64_t{head.sections} * sizeof(Section);
  return head.file_bytes <= file.size() && table <= file.size() - sizeof(Head) &&
         checksum_of(head, file.subspan(sizeof(Head), table)) == head.checksum;
}

Layout read_layout(const Bytes& file) {
  Layout layout;
  layout.head = head_of(file.span);
  const Head& head = layout.head;
  const auto table = file.span.subspan(sizeof(Head), head.sections * sizeof(Section));
  if (checksum_of(head, table) != head.checksum) {
    damaged_at(56, "head and section table are damaged");
  }
  if (head.version == 1 && (head.manifest != 0 || head.generation != 0)) {
    damaged_at(40, "reserved bytes are not zero");
  }
  if (head.manifest != 0) {
    read_manifest(file, layout);
    return layout;
  }
  if (head.generation != 0) damaged_at(48, "edits without a manifest");
  SegmentEntry entry{};
  entry.bytes = head.file_bytes;
  entry.table_checksum = checksum(table);
  layout.segments.push_back({entry, {}});
  return layout;
}

std::vector<std::byte> manifest_of(const Layout& layout) {
  const std::size_t bytes = sizeof(ManifestHead) + layout.segments.size() * sizeof(SegmentEntry);
  ManifestHead head{};
  head.magic = manifest_magic;
  head.bytes = bytes;
  head.segments = static_cast<std::uint32_t>(layout.segments.size());
  head.changed = layout.changed;
  head.next_number = layout.next_number;
  std::vector<std::byte> manifest(bytes);
  std::memcpy(manifest.data(), &head, sizeof(head));
  std::byte* place = manifest.data() + sizeof(head);
  for (const StoredSegment& stored : layout.segments) {
    std::memcpy(place, &stored.entry, sizeof(stored.entry));
    place += sizeof(stored.entry);
  }
  head.checksum = checksum(manifest);
  std::memcpy(manifest.data(), &head, sizeof(head));
  return manifest;
}

Head signed_head(Head head, std::span<const std::byte> table) {
  head.checksum = checksum_of(head, table);
  return head;
}

}  // namespace navvy::index
