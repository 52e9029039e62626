// Reads an index out of bytes that are not trusted: every offset and size is checked first.
#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/files.hpp"
#include "index/format.hpp"
#include "index/mapped_file.hpp"
#include "navvy/error.hpp"

namespace navvy::index {
namespace {

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::damaged_index, what); }

[[noreturn]] void fail_at(std::uint64_t byte, const std::string& what) {
  fail("byte " + std::to_string(byte) + ": " + what);
}

std::string expected(std::uint64_t found, std::uint64_t wanted) {
  return std::to_string(found) + ", expected " + std::to_string(wanted);
}

Head read_head(std::span<const std::byte> file) {
  Head head{};
  if (file.size() < sizeof(Head)) {
    fail("length is " + std::to_string(file.size()) + " bytes, expected at least 64");
  }
  std::memcpy(&head, file.data(), sizeof(Head));
  if (head.magic != magic) fail_at(0, "this is not a navvy index");
  if (head.version < 1 || head.version > format_version) {
    fail_at(8, "format version " + std::to_string(head.version) +
                   ", this program reads versions 1 and 2");
  }
  if (head.byte_order != byte_order_mark) fail_at(12, "the byte order mark is wrong");
  if (head.file_bytes != file.size()) {
    fail_at(16, "length is " + expected(file.size(), head.file_bytes) + " bytes");
  }
  if (head.sections > (file.size() - sizeof(Head)) / sizeof(Section)) {
    fail_at(24, std::to_string(head.sections) + " sections do not fit into the file");
  }
  return head;
}

// Always compared: everything else is found through head and table.
void check_head_checksum(const Head& head, std::span<const std::byte> head_and_table) {
  std::vector<std::byte> copy(head_and_table.begin(), head_and_table.end());
  std::fill_n(copy.begin() + offsetof(Head, checksum), sizeof(head.checksum), std::byte{0});
  if (checksum(copy) != head.checksum) fail_at(56, "head and section table are damaged");
  if (head.reserved != decltype(head.reserved){}) fail_at(40, "reserved bytes are not zero");
}

std::uint64_t element_bytes(std::uint32_t element) {
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

class Reader {
 public:
  Reader(const Bytes& file, const OpenOptions& options) : file_(file), head_(read_head(file.span)) {
    const std::uint64_t table_end = sizeof(Head) + head_.sections * sizeof(Section);
    check_head_checksum(head_, file_.span.first(table_end));
    std::uint64_t end = table_end;
    for (std::uint32_t i = 0; i < head_.sections; ++i) end = add_section(i, end);
    check_padding(end, aligned(end));
    if (aligned(end) != file_.span.size()) {
      fail("sections end at byte " + expected(aligned(end), file_.span.size()));
    }
    if (options.verify_checksums) check_checksums();
  }

  [[nodiscard]] const Head& head() const noexcept { return head_; }

  template <class T>
  Array<T> take(Kind kind) {
    const auto found = sections_.find(static_cast<std::uint32_t>(kind));
    if (found == sections_.end()) return {};
    const Section& section = found->second;
    if (section.element != static_cast<std::uint32_t>(element_of<T>())) {
      fail("section of kind " + std::to_string(section.kind) + " has element type " +
           expected(section.element, static_cast<std::uint32_t>(element_of<T>())));
    }
    const std::byte* start = file_.span.data() + section.offset;
    return {{reinterpret_cast<const T*>(start), static_cast<std::size_t>(section.count)},
            file_.owner};
  }

  Strings take(Kind offsets, Kind bytes) {
    if (has(offsets) != has(bytes)) {
      fail("only one of the sections of kind " + std::to_string(static_cast<unsigned>(offsets)) +
           " and " + std::to_string(static_cast<unsigned>(bytes)) + " is there");
    }
    return {take<std::uint64_t>(offsets), take<char>(bytes)};
  }

  void require(Kind kind) const {
    if (!has(kind)) {
      fail("the section of kind " + std::to_string(static_cast<unsigned>(kind)) + " is missing");
    }
  }

 private:
  [[nodiscard]] bool has(Kind kind) const {
    return sections_.contains(static_cast<std::uint32_t>(kind));
  }

  // Checks entry `i` of the table against the end of the section before; returns its own end.
  // Sections must follow each other without gaps, so that no byte of the file is unaccounted for.
  std::uint64_t add_section(std::uint32_t i, std::uint64_t end) {
    const std::uint64_t place = sizeof(Head) + std::uint64_t{i} * sizeof(Section);
    Section section{};
    std::memcpy(&section, file_.span.data() + place, sizeof(Section));
    if (!sections_.empty() && section.kind <= sections_.rbegin()->first) {
      fail_at(place, "kinds of sections do not ascend");
    }
    if (section.flags > flag_optional || section.reserved != 0) {
      fail_at(place + 4, "unknown flags");
    }
    const bool known = is_known(section.kind);
    if (known ? section.flags != 0 : section.flags != flag_optional) {
      fail_at(place, "section of kind " + std::to_string(section.kind) + " with flags " +
                         std::to_string(section.flags) + " is unknown to this program");
    }
    if (section.offset != aligned(end)) {
      fail_at(place + 16, "section begins at byte " + expected(section.offset, aligned(end)));
    }
    if (section.offset > file_.span.size() || section.bytes > file_.span.size() - section.offset) {
      fail_at(place + 24, "section of " + std::to_string(section.bytes) +
                              " bytes reaches beyond the end of the file");
    }
    const std::uint64_t size = element_bytes(section.element);
    if (size == 0 || section.bytes % size != 0 || section.count != section.bytes / size) {
      fail_at(place + 32, std::to_string(section.count) + " elements of type " +
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
      if (file_.span[i] != std::byte{0}) fail_at(i, "padding is not zero");
    }
  }

  void check_checksums() const {
    for (const auto& [kind, section] : sections_) {
      if (checksum(file_.span.subspan(section.offset, section.bytes)) != section.checksum) {
        fail_at(section.offset, "section of kind " + std::to_string(kind) + " is damaged");
      }
    }
  }

  [[nodiscard]] bool is_known(std::uint32_t kind) const noexcept {
    if (head_.version == 1) return kind >= 1 && kind <= last_kind_of_version_1;
    return (kind >= 1 && kind <= last_kind) ||
           (kind >= first_field_kind && kind < first_field_kind + 2 * most_fields);
  }

  Bytes file_;
  Head head_;
  std::map<std::uint32_t, Section> sections_;
};

std::map<std::string, std::string> parse_properties(const Strings& lines) {
  std::map<std::string, std::string> properties;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      fail("property " + std::to_string(i) + " has no '='");
    }
    const bool added = properties.emplace(line.substr(0, equals), line.substr(equals + 1)).second;
    if (!added) fail("property " + std::to_string(i) + " stands there twice");
  }
  return properties;
}

// One "type name" for each field; unknown types are for later versions.
std::vector<Field> take_fields(Reader& reader) {
  const Strings lines = reader.take(Kind::field_name_offsets, Kind::field_name_bytes);
  if (lines.size() > most_fields) {
    fail(std::to_string(lines.size()) + " fields, expected at most " + std::to_string(most_fields));
  }
  std::vector<Field> fields(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string_view type = line.substr(0, space);
    fields[i].name = line.substr(std::min(space + 1, line.size()));
    if (type == to_string(FieldType::text)) {
      fields[i].texts = reader.take(field_kind(i), field_kind(i, true));
    } else if (type == to_string(FieldType::number)) {
      fields[i].type = FieldType::number;
      fields[i].numbers = reader.take<double>(field_kind(i));
    } else if (type == to_string(FieldType::date)) {
      fields[i].type = FieldType::date;
      fields[i].dates = reader.take<std::int64_t>(field_kind(i));
    } else {
      fail("field " + std::to_string(i) + " is '" + core::display_name(line) +
           "', expected a type and a name");
    }
  }
  return fields;
}

std::uint64_t take_documents(Reader& reader) {
  const Array<std::uint64_t> documents = reader.take<std::uint64_t>(Kind::documents);
  if (documents.size() > 1) {
    fail("number of documents has " + expected(documents.size(), 1) + " values");
  }
  return documents.empty() ? 0 : documents[0];
}

Index assemble(Reader& reader) {
  for (const Kind kind : {Kind::coordinates, Kind::numbers, Kind::row_offsets,
                          Kind::row_coordinates, Kind::row_weights}) {
    reader.require(kind);
  }
  if (reader.head().data_kind > static_cast<std::uint32_t>(DataKind::text)) {
    fail_at(28,
            "kind of data is " + std::to_string(reader.head().data_kind) + ", expected at most 2");
  }
  Index index;
  index.kind = static_cast<DataKind>(reader.head().data_kind);
  index.vocabulary = Vocabulary(reader.head().dimensions, reader.take<float>(Kind::coordinates),
                                reader.take<std::uint32_t>(Kind::numbers),
                                reader.take(Kind::word_offsets, Kind::word_bytes));
  index.rows = Histograms(index.vocabulary.size(), reader.take<std::uint64_t>(Kind::row_offsets),
                          reader.take<std::uint32_t>(Kind::row_coordinates),
                          reader.take<float>(Kind::row_weights));
  index.counts = reader.take<std::uint32_t>(Kind::counts);
  index.labels = reader.take<std::int32_t>(Kind::labels);
  index.label_names = reader.take(Kind::label_name_offsets, Kind::label_name_bytes);
  index.ids = reader.take(Kind::id_offsets, Kind::id_bytes);
  index.titles = reader.take(Kind::title_offsets, Kind::title_bytes);
  index.snippets = reader.take(Kind::snippet_offsets, Kind::snippet_bytes);
  index.frequencies = reader.take<std::uint32_t>(Kind::frequencies);
  index.documents = take_documents(reader);
  index.fields = take_fields(reader);
  index.properties = parse_properties(reader.take(Kind::property_offsets, Kind::property_bytes));
  validate(index);
  return index;
}

}  // namespace

Index read_index(const Bytes& file, const std::string& name, const OpenOptions& options) {
  try {
    Reader reader(file, options);
    return assemble(reader);
  } catch (const Error& error) {
    throw Error(ErrorCode::damaged_index, name + ": " + error.what());
  }
}

}  // namespace navvy::index

namespace navvy {

Index open_index(const std::filesystem::path& path, const OpenOptions& options) {
  return index::read_index(index::map_file(path), core::display_name(path), options);
}

Index open_index(const Array<std::byte>& file, const OpenOptions& options) {
  return index::read_index(index::aligned_bytes(file), "index in memory", options);
}

}  // namespace navvy
