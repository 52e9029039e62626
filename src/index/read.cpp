// Reads an index out of bytes that are not trusted: every offset and size is checked first.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <span>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "core/files.hpp"
#include "core/fingerprint.hpp"
#include "core/weighting.hpp"
#include "index/damage.hpp"
#include "index/join_beyond.hpp"
#include "index/layout.hpp"
#include "index/mapped_file.hpp"
#include "index/section_reader.hpp"
#include "navvy/error.hpp"
#include "navvy/writer.hpp"

namespace navvy::index {
namespace {

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
std::vector<Field> take_fields(SectionReader& reader) {
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

// How many documents there were, and how many tokens where weights depend on that.
std::pair<std::uint64_t, std::uint64_t> take_documents(SectionReader& reader) {
  const Array<std::uint64_t> counted = reader.take<std::uint64_t>(Kind::documents);
  if (counted.size() > 2) {
    damaged("numbers of documents and tokens have " + expected(counted.size(), 2) + " values");
  }
  return {counted.empty() ? 0 : counted[0], counted.size() < 2 ? 0 : counted[1]};
}

Histograms empty_rows(std::size_t coordinates, std::uint64_t rows) {
  return {coordinates, Array(std::vector<std::uint64_t>(rows + 1)), Array<std::uint32_t>(),
          Array<float>()};
}

void take_rows(SectionReader& reader, Segment& segment) {
  Index& index = segment.part;
  index.rows = Histograms(segment.references.size(), reader.take<std::uint64_t>(Kind::row_offsets),
                          reader.take<std::uint32_t>(Kind::row_coordinates),
                          reader.take<float>(Kind::row_weights), reader.take<double>(Kind::masses));
  index.counts = reader.take<std::uint32_t>(Kind::counts);
  index.labels = reader.take<std::int32_t>(Kind::labels);
  index.label_names = reader.take(Kind::label_name_offsets, Kind::label_name_bytes);
  index.titles = reader.take(Kind::title_offsets, Kind::title_bytes);
  index.snippets = reader.take(Kind::snippet_offsets, Kind::snippet_bytes);
  index.fields = take_fields(reader);
  reader.check_unknown();
}

// As many rows as there are, without bins.
void take_outline(SectionReader& reader, Segment& segment) {
  Index& index = segment.part;
  const std::uint64_t rows = std::max<std::uint64_t>(reader.count(Kind::row_offsets), 1) - 1;
  if (!index.ids.empty() && index.ids.size() != rows) {
    damaged(std::to_string(index.ids.size()) + " ids for " + std::to_string(rows) + " rows");
  }
  if (reader.origin() == 0) {
    check_outline(index);
    // Older files are weighed against their rows, whose words have to be counted.
    index.rows = empty_rows(index.vocabulary.size(), rows);
    Index counted = index;
    core::complete_frequencies(counted);
    if (counted.frequencies.size() != index.frequencies.size()) {
      take_rows(reader, segment);
      check_parts(index, segment.references.size());
      core::complete_frequencies(index);
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

Segment take_segment(SectionReader& reader, Reading reading) {
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
                                reader.take(Kind::word_offsets, Kind::word_bytes),
                                reader.take<float>(Kind::lengths));
  if (reader.has(Kind::conditioning)) {
    index.conditioning =
        Conditioning(reader.head().dimensions, reader.take<double>(Kind::conditioning));
  }
  if (reader.has_beyond()) index.beyond = take_beyond(reader, index.vocabulary);
  if (reader.origin() == 0 && reader.has(Kind::references)) {
    damaged("the first segment refers to coordinates of others");
  }
  segment.references = reader.has(Kind::references) ? reader.take<std::uint32_t>(Kind::references)
                                                    : index.vocabulary.numbers();
  for (std::size_t i = 1; i < segment.references.size(); ++i) {
    if (segment.references[i] <= segment.references[i - 1]) {
      damaged("references to coordinates do not ascend");
    }
  }
  index.ids = reader.take(Kind::id_offsets, Kind::id_bytes);
  index.frequencies = reader.take<std::uint32_t>(Kind::frequencies);
  std::tie(index.documents, index.tokens) = take_documents(reader);
  index.properties = parse_properties(reader.take(Kind::property_offsets, Kind::property_bytes));
  if (reading == Reading::whole) {
    take_rows(reader, segment);
    check_parts(index, segment.references.size());
  } else {
    check_frequencies(index);
    take_outline(reader, segment);
  }
  return segment;
}

void check_beside(const Segment& segment, const Segment& first) {
  if (segment.part.kind != first.part.kind ||
      segment.part.vocabulary.dimensions() != first.part.vocabulary.dimensions()) {
    damaged("segments differ in kind or dimensions");
  }
  if (!segment.part.properties.empty() || !segment.part.frequencies.empty() ||
      !segment.part.conditioning.empty()) {
    damaged("only the first segment has properties, frequencies and a conditioning");
  }
  if (segment.part.beyond.kept()) damaged("only the first segment has words beyond the corpus");
}

// Segments without coordinates fit both.
void check_words(std::span<const Segment> segments) {
  bool with = false;
  bool without = false;
  for (const Segment& segment : segments) {
    const Vocabulary& vocabulary = segment.part.vocabulary;
    (vocabulary.has_words() ? with : without) |= vocabulary.size() > 0;
  }
  if (with && without) damaged("only some segments have words");
}

bool is_plain(const Layout& layout, const Segment& first) {
  return layout.segments.size() == 1 && first.dead.empty() && first.first_number == 0;
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

std::uint64_t identity_of(const Layout& layout) {
  core::Fingerprint identity;
  identity.add(layout.head.checksum);
  for (const StoredSegment& segment : layout.segments)
    identity.add_bytes(std::as_bytes(std::span(&segment.entry, 1)));
  return identity.value();
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
    const SectionReader reader(file, layout.head, layout.segments[i], {});
    const std::uint64_t rows = std::max<std::uint64_t>(reader.count(Kind::row_offsets), 1) - 1;
    facts.segments.push_back({rows, layout.segments[i].dead.size(), entry.bytes});
  }
  SectionReader first(file, layout.head, layout.segments.front(), {});
  Index told;
  told.properties = parse_properties(first.take(Kind::property_offsets, Kind::property_bytes));
  if (!core::knows_collection(told)) return facts;
  const std::uint64_t documents = take_documents(first).first;
  const std::uint64_t fixed = documents > 0 ? documents : facts.segments.front().rows;
  facts.drift =
      static_cast<double>(layout.changed) / static_cast<double>(std::max<std::uint64_t>(fixed, 1));
  return facts;
}

}  // namespace

Segment read_segment(const Bytes& file, const Layout& layout, std::size_t segment,
                     const OpenOptions& options, Reading reading) {
  const StoredSegment& stored = layout.segments[segment];
  SectionReader reader(file, layout.head, stored, options);
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
  check_words(segments);
  return segments;
}

Index read_index(const Bytes& file, const std::string& name, const OpenOptions& options) {
  try {
    const Layout layout = read_layout(file);
    const std::vector<Segment> segments = read_segments(file, layout, options, Reading::whole);
    Index index = is_plain(layout, segments.front()) ? segments.front().part : join(segments);
    validate(index);
    index.beyond = named_beyond(index.beyond, name);
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
  Index index = index::read_index(file.bytes, core::display_name(path), options);
  return {std::move(index), file.state, index::identity_of(index::read_layout(file.bytes))};
}

FileState file_state(const std::filesystem::path& path) {
  return index::map_whole_file(path).state;
}

std::uint64_t index_identity(const std::filesystem::path& path) {
  const index::MappedFile file = index::map_whole_file(path);
  try {
    return index::identity_of(index::read_layout(file.bytes));
  } catch (const Error& error) {
    throw Error(ErrorCode::damaged_index, core::display_name(path) + ": " + error.what());
  }
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
