// The sections of one segment, each checked before it is handed out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>

#include "index/damage.hpp"
#include "index/format.hpp"
#include "index/layout.hpp"
#include "navvy/array.hpp"
#include "navvy/strings.hpp"

namespace navvy::index {

constexpr std::uint64_t element_bytes(std::uint32_t element) {
  switch (static_cast<Element>(element)) {
    case Element::u8:
      return 1;
    case Element::u32:
    case Element::i32:
    case Element::f32:
      return 4;
    case Element::u64:
    case Element::i64:
    case Element::f64:
      return 8;
  }
  return 0;
}

// The sections of one segment.
class SectionReader {
 public:
  /// Checksums are compared as sections are taken.
  SectionReader(const Bytes& file, const Head& file_head, const StoredSegment& stored,
                const OpenOptions& options)
      : file_{file.span.subspan(stored.entry.offset, stored.entry.bytes), file.owner},
        head_(file_head),
        version_(file_head.version),
        origin_(stored.entry.offset),
        options_(options) {
    if (origin_ != 0) {
      std::memcpy(&head_, file_.span.data(), sizeof(Head));
      check_head(stored);
    } else if (head_.sections > (file_.span.size() - sizeof(Head)) / sizeof(Section)) {
      damaged_at(24, std::to_string(head_.sections) + " sections do not fit into the segment");
    }
    const std::uint64_t table_end = sizeof(Head) + head_.sections * sizeof(Section);
    if (checksum(file_.span.subspan(sizeof(Head), table_end - sizeof(Head))) !=
        stored.entry.table_checksum) {
      damaged_at(origin_ + sizeof(Head), "the section table is damaged");
    }
    std::uint64_t end = table_end;
    for (std::uint32_t i = 0; i < head_.sections; ++i) end = add_section(i, end);
    check_padding(end, aligned(end));
    if (aligned(end) != file_.span.size()) {
      damaged("sections end at byte " +
              expected(origin_ + aligned(end), origin_ + file_.span.size()));
    }
  }

  [[nodiscard]] const Head& head() const noexcept { return head_; }
  [[nodiscard]] std::uint64_t origin() const noexcept { return origin_; }

  /// Elements of a section, 0 where it is not there.
  [[nodiscard]] std::uint64_t count(Kind kind) const {
    const auto found = sections_.find(static_cast<std::uint32_t>(kind));
    return found == sections_.end() ? 0 : found->second.count;
  }

  template <class T>
  [[nodiscard]] Array<T> take(Kind kind) const {
    const auto found = sections_.find(static_cast<std::uint32_t>(kind));
    if (found == sections_.end()) return {};
    const Section& section = found->second;
    if (section.element != static_cast<std::uint32_t>(element_of<T>())) {
      damaged("section of kind " + std::to_string(section.kind) + " has element type " +
              expected(section.element, static_cast<std::uint32_t>(element_of<T>())));
    }
    if (options_.verify_checksums) check_checksum(section);
    const std::byte* start = file_.span.data() + section.offset;
    return {{reinterpret_cast<const T*>(start), static_cast<std::size_t>(section.count)},
            file_.owner};
  }

  [[nodiscard]] Strings take(Kind offsets, Kind bytes) const {
    if (has(offsets) != has(bytes)) {
      damaged("only one of the sections of kind " + std::to_string(static_cast<unsigned>(offsets)) +
              " and " + std::to_string(static_cast<unsigned>(bytes)) + " is there");
    }
    return {take<std::uint64_t>(offsets), take<char>(bytes)};
  }

  void require(Kind kind) const {
    if (!has(kind)) {
      damaged("the section of kind " + std::to_string(static_cast<unsigned>(kind)) + " is missing");
    }
  }

  [[nodiscard]] bool has(Kind kind) const {
    return sections_.contains(static_cast<std::uint32_t>(kind));
  }

  /// Whether any section of words beyond the corpus is there.
  [[nodiscard]] bool has_beyond() const {
    const auto first = sections_.lower_bound(static_cast<std::uint32_t>(Kind::beyond_coordinates));
    return first != sections_.end() && is_beyond(first->first);
  }

  /// Compares the checksums of the sections that this program does not know as well.
  void check_unknown() const {
    if (!options_.verify_checksums) return;
    for (const auto& [kind, section] : sections_) {
      if (!is_known(kind)) check_checksum(section);
    }
  }

 private:
  // The head of a segment behind the first; that of the first is the head of the file.
  void check_head(const StoredSegment& stored) const {
    if (head_.magic != magic || head_.byte_order != byte_order_mark || head_.manifest != 0 ||
        head_.generation != 0 || head_.version != version_) {
      damaged_at(origin_, "there is no segment");
    }
    if (head_.file_bytes != stored.entry.bytes) {
      damaged_at(origin_ + 16, "length of the segment is " +
                                   expected(head_.file_bytes, stored.entry.bytes) + " bytes");
    }
    if (head_.sections > (file_.span.size() - sizeof(Head)) / sizeof(Section)) {
      damaged_at(origin_ + 24,
                 std::to_string(head_.sections) + " sections do not fit into the segment");
    }
    const auto table = file_.span.subspan(sizeof(Head), head_.sections * sizeof(Section));
    if (signed_head(head_, table).checksum != head_.checksum) {
      damaged_at(origin_ + 56, "head and section table are damaged");
    }
  }

  // Checks entry `i` of the table against the end of the section before; returns its own end.
  // Sections must follow each other without gaps, so that no byte of the file is unaccounted for.
  std::uint64_t add_section(std::uint32_t i, std::uint64_t end) {
    const std::uint64_t place = sizeof(Head) + std::uint64_t{i} * sizeof(Section);
    Section section{};
    std::memcpy(&section, file_.span.data() + place, sizeof(Section));
    if (!sections_.empty() && section.kind <= sections_.rbegin()->first) {
      damaged_at(origin_ + place, "kinds of sections do not ascend");
    }
    if (section.flags > flag_optional || section.reserved != 0) {
      damaged_at(origin_ + place + 4, "unknown flags");
    }
    const bool known = is_known(section.kind);
    // The first edit makes a file of version 1 one of version 2: no section may change its meaning.
    const bool passed_over = section.flags == flag_optional && !has_meaning(section.kind);
    const std::uint32_t flags = is_optional(section.kind) ? flag_optional : 0;
    if (known ? section.flags != flags : !passed_over) {
      damaged_at(origin_ + place, "section of kind " + std::to_string(section.kind) +
                                      " with flags " + std::to_string(section.flags) +
                                      " is unknown to this program");
    }
    if (section.offset != aligned(end)) {
      damaged_at(
          origin_ + place + 16,
          "section begins at byte " + expected(origin_ + section.offset, origin_ + aligned(end)));
    }
    if (section.offset > file_.span.size() || section.bytes > file_.span.size() - section.offset) {
      damaged_at(origin_ + place + 24, "section of " + std::to_string(section.bytes) +
                                           " bytes reaches beyond the end of the file");
    }
    const std::uint64_t size = element_bytes(section.element);
    if (size == 0 || section.bytes % size != 0 || section.count != section.bytes / size) {
      damaged_at(origin_ + place + 32, std::to_string(section.count) + " elements of type " +
                                           std::to_string(section.element) + " do not fill " +
                                           std::to_string(section.bytes) + " bytes");
    }
    check_padding(end, section.offset);
    sections_.emplace(section.kind, section);
    return section.offset + section.bytes;
  }

  void check_padding(std::uint64_t begin, std::uint64_t end) const {
    end = std::min<std::uint64_t>(end, file_.span.size());
    for (std::uint64_t i = begin; i < end; ++i) {
      if (file_.span[i] != std::byte{0}) damaged_at(origin_ + i, "padding is not zero");
    }
  }

  void check_checksum(const Section& section) const {
    if (checksum(file_.span.subspan(section.offset, section.bytes)) != section.checksum) {
      damaged_at(origin_ + section.offset,
                 "section of kind " + std::to_string(section.kind) + " is damaged");
    }
  }

  [[nodiscard]] bool is_known(std::uint32_t kind) const noexcept {
    if (version_ == 1) return kind >= 1 && kind <= last_kind_of_version_1;
    return has_meaning(kind);
  }

  [[nodiscard]] static bool has_meaning(std::uint32_t kind) noexcept {
    return (kind >= 1 && kind <= last_kind) || is_optional(kind) ||
           kind == static_cast<std::uint32_t>(Kind::conditioning) ||
           kind == static_cast<std::uint32_t>(Kind::lengths) ||
           (kind >= first_field_kind && kind < first_field_kind + 2 * most_fields);
  }

  Bytes file_;
  Head head_{};
  std::uint32_t version_;
  std::uint64_t origin_;
  OpenOptions options_;
  std::map<std::uint32_t, Section> sections_;
};

}  // namespace navvy::index
