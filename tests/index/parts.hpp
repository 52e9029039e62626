#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "index/checksums.hpp"
#include "index/format.hpp"

namespace navvy::test {

/// An index file taken apart, so that sections can be changed, dropped, repeated and put elsewhere;
/// the file that is made of it has right places, lengths and checksums.
struct FileParts {
  struct Part {
    index::Section section{};
    std::string bytes;
  };

  explicit FileParts(const std::string& image) {
    std::memcpy(&head, image.data(), sizeof(head));
    for (std::size_t i = 0; i < head.sections; ++i) {
      Part part;
      std::memcpy(&part.section, image.data() + sizeof(head) + i * sizeof(part.section),
                  sizeof(part.section));
      part.bytes = image.substr(part.section.offset, part.section.bytes);
      parts.push_back(std::move(part));
    }
  }

  /// The part of this kind, or null.
  Part* find(index::Kind kind) {
    for (Part& part : parts)
      if (part.section.kind == static_cast<std::uint32_t>(kind)) return &part;
    return nullptr;
  }

  void drop(index::Kind kind) {
    std::erase_if(parts, [&](const Part& part) {
      return part.section.kind == static_cast<std::uint32_t>(kind);
    });
  }

  /// Puts in or replaces a part, in the order of kinds.
  void put(index::Kind kind, index::Element element, std::string bytes) {
    drop(kind);
    Part part;
    part.section.kind = static_cast<std::uint32_t>(kind);
    part.section.flags = index::is_optional(part.section.kind) ? index::flag_optional : 0;
    part.section.element = static_cast<std::uint32_t>(element);
    part.bytes = std::move(bytes);
    auto place = parts.begin();
    while (place != parts.end() && place->section.kind < part.section.kind) ++place;
    parts.insert(place, std::move(part));
  }

  void put_properties(const std::vector<std::string>& lines) {
    std::vector<std::uint64_t> offsets{0};
    std::string bytes;
    for (const std::string& line : lines) {
      bytes += line;
      offsets.push_back(bytes.size());
    }
    put(index::Kind::property_offsets, index::Element::u64,
        std::string(reinterpret_cast<const char*>(offsets.data()), 8 * offsets.size()));
    put(index::Kind::property_bytes, index::Element::u8, bytes);
  }

  [[nodiscard]] std::string image() const {
    std::uint64_t end = sizeof(head) + parts.size() * sizeof(index::Section);
    std::string table;
    std::string body(index::aligned(end) - end, '\0');
    for (const Part& part : parts) {
      index::Section section = part.section;
      section.offset = index::aligned(end);
      section.bytes = part.bytes.size();
      section.count = section.bytes / width(section.element);
      end = section.offset + section.bytes;
      table.append(reinterpret_cast<const char*>(&section), sizeof(section));
      body += part.bytes + std::string(index::aligned(end) - end, '\0');
    }
    index::Head written = head;
    written.sections = static_cast<std::uint32_t>(parts.size());
    written.file_bytes = index::aligned(end);
    std::string file(reinterpret_cast<const char*>(&written), sizeof(written));
    file += table + body;
    correct_checksums(std::as_writable_bytes(std::span(file)));
    return file;
  }

  static std::size_t width(std::uint32_t element) {
    constexpr std::size_t widths[] = {1, 1, 4, 4, 8, 4, 8, 8};
    return element < std::size(widths) ? widths[element] : 1;
  }

  index::Head head{};
  std::vector<Part> parts;
};

}  // namespace navvy::test
