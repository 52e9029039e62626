// Reads an index out of bytes that are not trusted: every offset and size is checked first.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/files.hpp"
#include "core/properties.hpp"
#include "index/damage.hpp"
#include "index/layout.hpp"
#include "index/mapped_file.hpp"
#include "navvy/error.hpp"
#include "navvy/writer.hpp"

namespace navvy::index {
namespace {

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

// The sections of one segment.
class Reader {
 public:
  /// Checksums are compared as sections are taken.
  Reader(const Bytes& file, const Head& file_head, const StoredSegment& stored,
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
  Array<T> take(Kind kind) {
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

  Strings take(Kind offsets, Kind bytes) {
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
    if (known ? section.flags != 0 : section.flags != flag_optional) {
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
    return (kind >= 1 && kind <= last_kind) ||
           (kind >= first_field_kind && kind < first_field_kind + 2 * most_fields);
  }

  Bytes file_;
  Head head_{};
  std::uint32_t version_;
  std::uint64_t origin_;
  OpenOptions options_;
  std::map<std::uint32_t, Section> sections_;
};

std::map<std::string, std::string> parse_properties(const Strings& lines) {
  std::map<std::string, std::string> properties;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      damaged("property " + std::to_string(i) + " has no '='");
    }
    const bool added = properties.emplace(line.substr(0, equals), line.substr(equals + 1)).second;
    if (!added) damaged("property " + std::to_string(i) + " stands there twice");
  }
  return properties;
}

// One "type name" for each field; unknown types are for later versions.
std::vector<Field> take_fields(Reader& reader) {
  const Strings lines = reader.take(Kind::field_name_offsets, Kind::field_name_bytes);
  if (lines.size() > most_fields) {
    damaged(std::to_string(lines.size()) + " fields, expected at most " +
            std::to_string(most_fields));
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
      damaged("field " + std::to_string(i) + " is '" + core::display_name(line) +
              "', expected a type and a name");
    }
  }
  return fields;
}

std::uint64_t take_documents(Reader& reader) {
  const Array<std::uint64_t> documents = reader.take<std::uint64_t>(Kind::documents);
  if (documents.size() > 1) {
    damaged("number of documents has " + expected(documents.size(), 1) + " values");
  }
  return documents.empty() ? 0 : documents[0];
}

Histograms empty_rows(std::size_t coordinates, std::uint64_t rows) {
  return {coordinates, Array(std::vector<std::uint64_t>(rows + 1)), Array<std::uint32_t>(),
          Array<float>()};
}

void take_rows(Reader& reader, Segment& segment) {
  Index& index = segment.part;
  index.rows = Histograms(segment.references.size(), reader.take<std::uint64_t>(Kind::row_offsets),
                          reader.take<std::uint32_t>(Kind::row_coordinates),
                          reader.take<float>(Kind::row_weights));
  index.counts = reader.take<std::uint32_t>(Kind::counts);
  index.labels = reader.take<std::int32_t>(Kind::labels);
  index.label_names = reader.take(Kind::label_name_offsets, Kind::label_name_bytes);
  index.titles = reader.take(Kind::title_offsets, Kind::title_bytes);
  index.snippets = reader.take(Kind::snippet_offsets, Kind::snippet_bytes);
  index.fields = take_fields(reader);
  reader.check_unknown();
}

// As many rows as there are, without bins.
void take_outline(Reader& reader, Segment& segment) {
  Index& index = segment.part;
  const std::uint64_t rows = std::max<std::uint64_t>(reader.count(Kind::row_offsets), 1) - 1;
  if (!index.ids.empty() && index.ids.size() != rows) {
    damaged(std::to_string(index.ids.size()) + " ids for " + std::to_string(rows) + " rows");
  }
  if (reader.origin() == 0) {
    // Older files are weighed against their rows, whose words have to be counted.
    index.rows = empty_rows(index.vocabulary.size(), rows);
    Index counted = index;
    complete_frequencies(counted);
    if (counted.frequencies.size() != index.frequencies.size()) {
      take_rows(reader, segment);
      complete_frequencies(index);
    }
    index.counts = {};
    index.labels = {};
    index.label_names = {};
    index.titles = {};
    index.snippets = {};
  }
  index.rows = empty_rows(segment.references.size(), rows);
  index.fields = take_fields(reader);
  for (Field& field : index.fields) field = {std::move(field.name), field.type, {}, {}, {}};
}

Segment take_segment(Reader& reader, Reading reading) {
  for (const Kind kind : {Kind::coordinates, Kind::numbers, Kind::row_offsets,
                          Kind::row_coordinates, Kind::row_weights}) {
    reader.require(kind);
  }
  if (reader.head().data_kind > static_cast<std::uint32_t>(DataKind::text)) {
    damaged_at(reader.origin() + 28, "kind of data is " + std::to_string(reader.head().data_kind) +
                                         ", expected at most 2");
  }
  Segment segment;
  Index& index = segment.part;
  index.kind = static_cast<DataKind>(reader.head().data_kind);
  index.vocabulary = Vocabulary(reader.head().dimensions, reader.take<float>(Kind::coordinates),
                                reader.take<std::uint32_t>(Kind::numbers),
                                reader.take(Kind::word_offsets, Kind::word_bytes));
  segment.references = reader.has(Kind::references) ? reader.take<std::uint32_t>(Kind::references)
                                                    : index.vocabulary.numbers();
  for (std::size_t i = 1; i < segment.references.size(); ++i) {
    if (segment.references[i] <= segment.references[i - 1]) {
      damaged("references to coordinates do not ascend");
    }
  }
  index.ids = reader.take(Kind::id_offsets, Kind::id_bytes);
  index.frequencies = reader.take<std::uint32_t>(Kind::frequencies);
  index.documents = take_documents(reader);
  index.properties = parse_properties(reader.take(Kind::property_offsets, Kind::property_bytes));
  if (reading == Reading::whole) {
    take_rows(reader, segment);
    check_parts(index, segment.references.size());
  } else {
    take_outline(reader, segment);
  }
  return segment;
}

void check_beside(const Segment& segment, const Segment& first) {
  if (segment.part.kind != first.part.kind ||
      segment.part.vocabulary.dimensions() != first.part.vocabulary.dimensions()) {
    damaged("segments differ in kind or dimensions");
  }
  if (!segment.part.properties.empty() || !segment.part.frequencies.empty()) {
    damaged("only the first segment has properties and frequencies");
  }
  const bool both = first.part.vocabulary.size() > 0 && segment.part.vocabulary.size() > 0;
  if (both && first.part.vocabulary.has_words() != segment.part.vocabulary.has_words()) {
    damaged("only some segments have words");
  }
}

bool is_plain(const Layout& layout, const Segment& first) {
  return layout.segments.size() == 1 && first.dead.empty() && first.first_number == 0 &&
         std::ranges::equal(first.references, first.part.vocabulary.numbers());
}

// Waits a moment for an edit that is just being committed: its head may be half written.
MappedFile map_whole_file(const std::filesystem::path& path) {
  constexpr int most = 20;
  MappedFile file = map_file(path);
  for (int i = 0; i < most && !head_is_whole(file.bytes.span); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    file = map_file(path);
  }
  Head head{};
  if (file.bytes.span.size() >= sizeof(head))
    std::memcpy(&head, file.bytes.span.data(), sizeof(head));
  file.state.edits = head.generation;
  return file;
}

FileFacts facts_of(const Bytes& file) {
  const Layout layout = read_layout(file);
  FileFacts facts{layout.head.version,
                  layout.head.generation,
                  {},
                  file.span.size(),
                  layout.unused(),
                  file.span.size() - layout.head.file_bytes,
                  0};
  for (std::size_t i = 0; i < layout.segments.size(); ++i) {
    const SegmentEntry& entry = layout.segments[i].entry;
    const Reader reader(file, layout.head, layout.segments[i], {});
    const std::uint64_t rows = std::max<std::uint64_t>(reader.count(Kind::row_offsets), 1) - 1;
    facts.segments.push_back({rows, layout.segments[i].dead.size(), entry.bytes});
  }
  Reader first(file, layout.head, layout.segments.front(), {});
  const auto properties =
      parse_properties(first.take(Kind::property_offsets, Kind::property_bytes));
  const auto weighting = properties.find(core::property::weighting);
  if (weighting == properties.end() || weighting->second != "tfidf") return facts;
  const std::uint64_t documents = take_documents(first);
  const std::uint64_t fixed = documents > 0 ? documents : facts.segments.front().rows;
  facts.drift =
      static_cast<double>(layout.changed) / static_cast<double>(std::max<std::uint64_t>(fixed, 1));
  return facts;
}

}  // namespace

Segment read_segment(const Bytes& file, const Layout& layout, std::size_t segment,
                     const OpenOptions& options, Reading reading) {
  const StoredSegment& stored = layout.segments[segment];
  Reader reader(file, layout.head, stored, options);
  Segment read = take_segment(reader, reading);
  read.dead = stored.dead;
  read.first_number = stored.entry.first_number;
  read.forget = [file] { forget_pages(file); };
  if (layout.segments.size() > 1 && reading == Reading::whole) read.forget();
  if (layout.has_manifest && read.rows() != stored.entry.rows) {
    damaged("a segment has " + expected(read.rows(), stored.entry.rows) + " rows");
  }
  return read;
}

std::vector<Segment> read_segments(const Bytes& file, const Layout& layout,
                                   const OpenOptions& options, Reading reading) {
  std::vector<Segment> segments;
  for (std::size_t i = 0; i < layout.segments.size(); ++i) {
    segments.push_back(read_segment(file, layout, i, options, reading));
    if (i > 0) check_beside(segments.back(), segments.front());
  }
  return segments;
}

Index read_index(const Bytes& file, const std::string& name, const OpenOptions& options) {
  try {
    const Layout layout = read_layout(file);
    const std::vector<Segment> segments = read_segments(file, layout, options, Reading::whole);
    Index index = is_plain(layout, segments.front()) ? segments.front().part : join(segments);
    validate(index);
    return index;
  } catch (const Error& error) {
    throw Error(ErrorCode::damaged_index, name + ": " + error.what());
  }
}

}  // namespace navvy::index

namespace navvy {

Index open_index(const std::filesystem::path& path, const OpenOptions& options) {
  return open_with_state(path, options).index;
}

OpenedIndex open_with_state(const std::filesystem::path& path, const OpenOptions& options) {
  const index::MappedFile file = index::map_whole_file(path);
  return {index::read_index(file.bytes, core::display_name(path), options), file.state};
}

FileState file_state(const std::filesystem::path& path) {
  return index::map_whole_file(path).state;
}

FileFacts file_facts(const std::filesystem::path& path) {
  const index::MappedFile file = index::map_whole_file(path);
  try {
    return index::facts_of(file.bytes);
  } catch (const Error& error) {
    throw Error(ErrorCode::damaged_index, core::display_name(path) + ": " + error.what());
  }
}

Index open_index(const Array<std::byte>& file, const OpenOptions& options) {
  return index::read_index(index::aligned_bytes(file), "index in memory", options);
}

}  // namespace navvy
