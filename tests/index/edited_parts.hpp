#pragma once

#include <string>
#include <utility>
#include <vector>

#include "index/parts.hpp"

namespace navvy::test {

/// An edited index file taken apart: segments, lists of removed rows, manifest. The file that is
/// made of it has right places, lengths and checksums, and says of each segment as many rows as it
/// has offsets for.
struct EditedParts {
  struct Piece {
    FileParts parts;
    index::SegmentEntry entry{};
    std::vector<std::uint32_t> dead;
  };

  explicit EditedParts(const std::string& image) {
    const auto bytes = std::as_bytes(std::span(image));
    const auto head = value_at<index::Head>(bytes, 0);
    manifest = value_at<index::ManifestHead>(bytes, head.manifest);
    for (std::uint32_t i = 0; i < manifest.segments; ++i) {
      const auto entry = value_at<index::SegmentEntry>(
          bytes, head.manifest + sizeof(manifest) + i * sizeof(index::SegmentEntry));
      Piece piece{FileParts(image.substr(entry.offset, entry.bytes)), entry, {}};
      for (std::uint64_t row = 0; row < entry.dead_count; ++row)
        piece.dead.push_back(value_at<std::uint32_t>(bytes, entry.dead_offset + 4 * row));
      pieces.push_back(std::move(piece));
    }
  }

  [[nodiscard]] std::string image() const {
    std::string file;
    std::vector<index::SegmentEntry> entries;
    for (const Piece& piece : pieces) entries.push_back(put(piece, file));
    index::ManifestHead written = manifest;
    written.segments = static_cast<std::uint32_t>(pieces.size());
    written.bytes = sizeof(written) + entries.size() * sizeof(index::SegmentEntry);
    const std::uint64_t place = file.size();
    append(file, &written, sizeof(written));
    append(file, entries.data(), entries.size() * sizeof(index::SegmentEntry));
    const auto bytes = std::as_writable_bytes(std::span(file));
    if (pieces.empty()) return file;
    auto head = value_at<index::Head>(bytes, 0);
    head.manifest = place;
    head.generation = pieces.front().parts.head.generation;
    head.file_bytes = file.size();
    put_at(bytes, 0, head);
    correct_checksums(bytes);
    return file;
  }

  index::ManifestHead manifest{};
  std::vector<Piece> pieces;

 private:
  static void append(std::string& file, const void* bytes, std::size_t size) {
    file.append(static_cast<const char*>(bytes), size);
  }

  // A segment and the list of its removed rows.
  static index::SegmentEntry put(const Piece& piece, std::string& file) {
    FileParts parts = piece.parts;
    parts.head.manifest = 0;
    if (!file.empty()) parts.head.generation = 0;
    index::SegmentEntry entry = piece.entry;
    const std::string image = parts.image();
    entry.offset = file.size();
    entry.bytes = image.size();
    const auto* offsets = parts.find(index::Kind::row_offsets);
    const std::size_t count =
        offsets == nullptr ? 0 : offsets->bytes.size() / FileParts::width(offsets->section.element);
    entry.rows = std::max<std::size_t>(count, 1) - 1;
    file += image;
    entry.dead_count = piece.dead.size();
    entry.dead_offset = piece.dead.empty() ? 0 : file.size();
    append(file, piece.dead.data(), 4 * piece.dead.size());
    file.append(index::aligned(file.size()) - file.size(), '\0');
    return entry;
  }
};

}  // namespace navvy::test
