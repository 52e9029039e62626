// The .navvy file, format version 2; docs/index-format.md describes the same in words.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "navvy/index.hpp"

namespace navvy::index {

static_assert(std::endian::native == std::endian::little,
              "index files are little-endian and mapped as they are");

inline constexpr std::array<char, 8> magic = {'N', 'A', 'V', 'V', 'Y', 'I', 'D', 'X'};
inline constexpr std::uint32_t format_version = 2;
inline constexpr std::uint32_t byte_order_mark = 0x01020304;
inline constexpr std::uint64_t alignment = 64;

struct Head {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t byte_order;
  std::uint64_t file_bytes;
  std::uint32_t sections;
  std::uint32_t data_kind;
  std::uint64_t dimensions;
  std::uint64_t manifest;    // where it stands; 0: none, the file was never edited
  std::uint64_t generation;  // edits so far
  std::uint64_t checksum;    // of head and table, computed with zero here
};
static_assert(sizeof(Head) == 64);

struct Section {
  std::uint32_t kind;
  std::uint32_t flags;
  std::uint32_t element;
  std::uint32_t reserved;
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint64_t count;
  std::uint64_t checksum;
};
static_assert(sizeof(Section) == 48);

inline constexpr std::array<char, 8> manifest_magic = {'N', 'A', 'V', 'V', 'Y', 'M', 'A', 'N'};

/// Says which segments count; entries follow, one for each.
struct ManifestHead {
  std::array<char, 8> magic;
  std::uint64_t bytes;     // of head and entries
  std::uint32_t segments;  // at least 1; the first is what the file began with
  std::uint32_t reserved;
  std::uint64_t changed;      // rows that came or went since frequencies were fixed
  std::uint64_t next_number;  // what the next row without an id is called
  std::array<std::uint64_t, 2> reserved_too;
  std::uint64_t checksum;  // of head and entries, computed with zero here
};
static_assert(sizeof(ManifestHead) == 64);

struct SegmentEntry {
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint64_t rows;          // dead ones included
  std::uint64_t first_number;  // what its first row is called where rows have no ids
  std::uint64_t dead_offset;   // of the places of removed rows, u32, ascending; 0: none
  std::uint64_t dead_count;
  std::uint64_t dead_checksum;
  std::uint64_t table_checksum;  // of its table of sections
};
static_assert(sizeof(SegmentEntry) == 64);

/// A reader that does not know the kind of such a section passes it over.
inline constexpr std::uint32_t flag_optional = 1;

enum class Element : std::uint32_t { u8 = 1, u32 = 2, i32 = 3, u64 = 4, f32 = 5, i64 = 6, f64 = 7 };

enum class Kind : std::uint32_t {
  coordinates = 1,
  numbers = 2,
  word_offsets = 3,
  word_bytes = 4,
  row_offsets = 5,
  row_coordinates = 6,
  row_weights = 7,
  counts = 8,
  labels = 9,
  label_name_offsets = 10,
  label_name_bytes = 11,
  id_offsets = 12,
  id_bytes = 13,
  title_offsets = 14,
  title_bytes = 15,
  snippet_offsets = 16,
  snippet_bytes = 17,
  property_offsets = 18,
  property_bytes = 19,
  frequencies = 20,
  documents = 21,
  references = 22,
  field_name_offsets = 23,
  field_name_bytes = 24,
  beyond_coordinates = 32,
  beyond_numbers = 33,
  beyond_word_offsets = 34,
  beyond_word_bytes = 35,
  conditioning = 36,
  masses = 37,
  beyond_lengths = 38,
  lengths = 40,
};

/// The last kind of each version that stands for itself.
inline constexpr std::uint32_t last_kind_of_version_1 = 19;
inline constexpr std::uint32_t last_kind = 24;

/// Words beyond the corpus.
constexpr bool is_beyond(std::uint32_t kind) {
  return (kind >= static_cast<std::uint32_t>(Kind::beyond_coordinates) &&
          kind <= static_cast<std::uint32_t>(Kind::beyond_word_bytes)) ||
         kind == static_cast<std::uint32_t>(Kind::beyond_lengths);
}

/// Kinds with flag_optional: answers that do not ask for them are the same without.
constexpr bool is_optional(std::uint32_t kind) {
  return kind == static_cast<std::uint32_t>(Kind::masses) || is_beyond(kind);
}

/// Field f of the rows has the kinds first_field_kind + 2 f, for its values or the offsets of its
/// texts, and the next one, for the bytes of its texts.
inline constexpr std::uint32_t first_field_kind = 4096;
inline constexpr std::uint32_t most_fields = 1024;

constexpr Kind field_kind(std::size_t field, bool bytes = false) {
  return static_cast<Kind>(first_field_kind + 2 * field + (bytes ? 1 : 0));
}

template <class T>
constexpr Element element_of() {
  if constexpr (std::is_same_v<T, char>) return Element::u8;
  if constexpr (std::is_same_v<T, std::uint32_t>) return Element::u32;
  if constexpr (std::is_same_v<T, std::int32_t>) return Element::i32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return Element::u64;
  if constexpr (std::is_same_v<T, float>) return Element::f32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Element::i64;
  if constexpr (std::is_same_v<T, double>) return Element::f64;
}

constexpr std::uint64_t aligned(std::uint64_t offset) {
  return (offset + alignment - 1) / alignment * alignment;
}

/// XXH3, 64 bits.
std::uint64_t checksum(std::span<const std::byte> bytes) noexcept;

/// Receives the bytes of a file in order, piece by piece.
using ByteSink = std::function<void(std::span<const std::byte>)>;

/// An index laid out as a file, or as a segment of one. The index must outlive it.
class FileImage {
 public:
  explicit FileImage(const Index& index);
  /// A segment behind others: its bins refer to `references`, numbers of coordinates of which the
  /// vocabulary of `part` holds those that no segment before it has.
  FileImage(const Index& part, const Array<std::uint32_t>& references);

  /// The length of the file.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  /// The checksum of the table of sections, which stands for the whole.
  [[nodiscard]] std::uint64_t table_checksum() const noexcept;
  /// Puts out the whole file.
  void write(const ByteSink& sink) const;

 private:
  struct Part {
    Section section;
    std::span<const std::byte> bytes;
  };

  void add_parts(const Index& index, const Array<std::uint32_t>* references);
  void add_fields(const Index& index);
  void add_beyond(const Index& index);
  void lay_out();
  void make_head(const Index& index);
  void add(Kind offsets, Kind bytes, const Strings& strings);
  template <class T>
  void add(Kind kind, const Array<T>& values);

  Strings properties_;
  Strings field_names_;
  Vocabulary beyond_;
  Array<std::uint64_t> documents_;
  std::vector<Part> parts_;
  std::vector<std::byte> head_;  // and the table of sections
  std::uint64_t bytes_ = 0;
};

/// Bytes that stay as long as their owner does; the first is aligned like a section.
struct Bytes {
  std::span<const std::byte> span;
  std::shared_ptr<const void> owner;
  bool mapped = false;  ///< from a file, where the pages can be had again
};

}  // namespace navvy::index
