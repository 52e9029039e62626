// Edits of an index file: which rows come and go, and what is written for it.
#include "navvy/writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/parallel.hpp"
#include "index/append.hpp"
#include "index/join_beyond.hpp"
#include "index/join_fields.hpp"
#include "index/join_vocabulary.hpp"
#include "index/layout.hpp"
#include "index/lock.hpp"
#include "index/mapped_file.hpp"
#include "index/row_places.hpp"
#include "index/save.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"

namespace navvy {

using index::by_segment;
using index::free_number;
using index::Layout;
using index::places_of;
using index::Segment;
using index::StoredSegment;
using index::united;

namespace {

/// What one edit changes.
struct Change {
  std::optional<Segment> rows;                   ///< put behind the others
  std::vector<std::vector<std::uint32_t>> dead;  ///< newly removed rows by segment, or empty
  std::uint64_t count = 0;                       ///< rows that come or go
};

// A word that is new under its number, but not new.
void require_new_words(const Vocabulary& own, const Vocabulary& known) {
  if (!own.has_words()) return;
  std::unordered_set<std::string_view> words;
  for (std::size_t id = 0; id < own.size(); ++id) words.insert(own.word(id));
  for (std::size_t id = 0; id < known.size(); ++id)
    if (words.contains(known.word(id)))
      throw Error(ErrorCode::bad_input, "word '" + std::string(known.word(id)) +
                                            "' has another number in the index than in the rows; "
                                            "expected the same vectors in both");
}

// One name, one type; the rows are not read, so those of the index may have any number.
void require_same_fields(const Index& rows, const Index& known) {
  const std::array<index::FieldRows, 2> both{{{&known.fields, {}}, {&rows.fields, {}}}};
  index::join_fields(both);
}

// What a reader would refuse must not be written.
void require_room(const Layout& next) {
  std::uint64_t rows = 0;
  for (const StoredSegment& stored : next.segments) rows += stored.entry.rows;
  if (rows >= row_limit)
    throw Error(ErrorCode::bad_input, "more than " + std::to_string(row_limit - 1) +
                                          " rows with those that were removed; compact the index");
  if (next.next_number > index::number_limit)
    throw Error(ErrorCode::bad_input, "no numbers are left for rows without ids; give them ids");
}

// The rows as a segment that brings only coordinates which the index lacks.
Segment split(const Index& rows, const Index& known) {
  const std::array both{index::as_segment(known), index::as_segment(rows)};
  const auto numbers = rows.vocabulary.numbers().span();
  index::join_vocabulary(both, numbers);  // throws where the same number stands for two
  std::vector<std::uint32_t> own_numbers;
  std::vector<float> coordinates;
  std::vector<std::string> words;
  std::vector<float> lengths;
  const auto known_numbers = known.vocabulary.numbers().span();
  for (std::size_t id = 0; id < numbers.size(); ++id) {
    if (std::ranges::binary_search(known_numbers, numbers[id])) continue;
    own_numbers.push_back(numbers[id]);
    const auto coordinate = rows.vocabulary.coordinate(id);
    coordinates.insert(coordinates.end(), coordinate.begin(), coordinate.end());
    if (rows.vocabulary.has_words()) words.emplace_back(rows.vocabulary.word(id));
    if (!rows.vocabulary.lengths().empty()) lengths.push_back(rows.vocabulary.lengths()[id]);
  }
  Segment segment = both[1];
  segment.part.vocabulary = Vocabulary(
      known.vocabulary.dimensions(), Array(std::move(coordinates)), Array(std::move(own_numbers)),
      words.empty() ? Strings() : Strings(words), Array(std::move(lengths)));
  segment.part.properties.clear();
  segment.part.conditioning = {};
  segment.part.frequencies = {};
  segment.part.documents = 0;
  segment.part.tokens = 0;
  require_new_words(segment.part.vocabulary, known.vocabulary);
  index::require_same_beyond(segment.part.vocabulary, known.beyond);
  return segment;
}

}  // namespace

struct IndexWriter::State {
  State(const std::filesystem::path& file_path, const WriterOptions& writer_options)
      : path(file_path), options(writer_options), lock(file_path, writer_options.wait) {
    load();
    outline();
  }

  void load() {
    file = index::map_file(path).bytes;
    outlined = false;
    named([&] { layout = index::read_layout(file); });
  }

  /// Reads what is known of the rows, once for each state of the file.
  const Index& outline() {
    if (outlined) return known;
    named([&] {
      segments = index::read_segments(file, layout, {}, index::Reading::outline);
      if (!layout.has_manifest) {
        layout.segments[0].entry.rows = segments[0].rows();
        layout.next_number = std::max<std::uint64_t>(layout.next_number, segments[0].rows());
      }
      known = index::outline(segments);
      known.beyond = index::named_beyond(known.beyond, core::display_name(path));
    });
    outlined = true;
    return known;
  }

  template <class Body>
  void named(Body&& body) const {
    try {
      body();
    } catch (const Error& error) {
      throw Error(ErrorCode::damaged_index, core::display_name(path) + ": " + error.what());
    }
  }

  void edit(Change change);
  void compact(bool reweigh);
  void tidy();

  std::filesystem::path path;
  WriterOptions options;
  index::WriteLock lock;
  index::Bytes file;
  Layout layout;
  std::vector<Segment> segments;  // outlines, as `known` is of all
  Index known;
  bool outlined = false;

 private:
  [[nodiscard]] std::size_t tail_begin(std::uint64_t new_bytes) const;
  [[nodiscard]] Segment tail_from(std::size_t begin, const Change& change) const;
  void put_dead(index::Appender& appender, StoredSegment& stored) const;
  void put_rows(index::Appender& appender, const Segment& rows, Layout& next) const;
};

namespace {

// Segments of about the same size: each class is eight times the one before.
int size_class(std::uint64_t bytes) {
  int result = 0;
  for (std::uint64_t limit = std::uint64_t{1} << 16; bytes > limit; limit *= 8) ++result;
  return result;
}

}  // namespace

// The first of the segments at the end that are put together with new ones of so many bytes: eight
// of a class become one of the next, so that a row is written once for each class and there are few
// segments. Never the first one, which is for compact().
std::size_t IndexWriter::State::tail_begin(std::uint64_t new_bytes) const {
  constexpr std::size_t most = 8;
  std::size_t chosen = layout.segments.size();
  const auto bytes_of = [&](std::size_t i) { return layout.segments[i].entry.bytes; };
  while (options.tidy) {
    std::size_t first = chosen;
    while (first > 1 && size_class(bytes_of(first - 1)) <= size_class(new_bytes)) --first;
    if (chosen - first + 1 < most) break;
    for (std::size_t i = first; i < chosen; ++i) new_bytes += bytes_of(i);
    chosen = first;
  }
  return chosen;
}

Segment IndexWriter::State::tail_from(std::size_t begin, const Change& change) const {
  std::vector<Segment> tail;
  for (std::size_t i = begin; i < layout.segments.size(); ++i) {
    tail.push_back(index::read_segment(file, layout, i, {}, index::Reading::whole));
    if (!change.dead.empty()) tail.back().dead = united(tail.back().dead, change.dead[i]);
  }
  if (change.rows) tail.push_back(*change.rows);
  return index::join_tail(tail);
}

void IndexWriter::State::put_dead(index::Appender& appender, StoredSegment& stored) const {
  const auto bytes = std::as_bytes(stored.dead.span());
  stored.entry.dead_offset = appender.place();
  stored.entry.dead_count = stored.dead.size();
  stored.entry.dead_checksum = index::checksum(bytes);
  appender.write(bytes);
  appender.align();
}

void IndexWriter::State::put_rows(index::Appender& appender, const Segment& rows,
                                  Layout& next) const {
  const index::FileImage image(rows.part, rows.references);
  core::Monitor monitor(options.progress);
  StoredSegment stored;
  stored.entry = {appender.place(),      image.bytes(), rows.rows(), rows.first_number, 0, 0, 0,
                  image.table_checksum()};
  index::write_image(image, monitor, [&](auto bytes) { appender.write(bytes); });
  next.segments.push_back(std::move(stored));
}

void IndexWriter::State::edit(Change change) {
  Layout next = layout;
  std::optional<Segment> rows = std::move(change.rows);
  if (rows) {
    const std::uint64_t bytes = index::FileImage(rows->part, rows->references).bytes();
    change.rows = rows;
    const std::size_t begin = tail_begin(bytes);
    if (begin < layout.segments.size()) {
      named([&] { rows = tail_from(begin, change); });
      next.segments.resize(begin);
    }
  }
  index::Appender appender(lock.file(), path, layout.head.file_bytes);
  for (std::size_t i = 0; i < next.segments.size() && !change.dead.empty(); ++i) {
    if (change.dead[i].empty()) continue;
    next.segments[i].dead = united(next.segments[i].dead, change.dead[i]);
    put_dead(appender, next.segments[i]);
  }
  if (rows) put_rows(appender, *rows, next);
  require_room(next);
  next.changed += change.count;
  const std::vector<std::byte> manifest = index::manifest_of(next);
  next.head.manifest = appender.place();
  appender.write(manifest);
  appender.align();
  next.head.version = index::format_version;
  next.head.generation += 1;
  next.head.file_bytes = appender.place();
  const auto table =
      file.span.subspan(sizeof(index::Head), next.head.sections * sizeof(index::Section));
  appender.commit(layout.head, index::signed_head(next.head, table));
  load();
}

void IndexWriter::State::compact(bool reweigh) {
  outline();
  Index whole;
  named([&] {
    whole = index::join(index::read_segments(file, layout, {}, index::Reading::whole));
    whole.beyond = index::named_beyond(whole.beyond, core::display_name(path));
  });
  const std::uint64_t changed = reweigh ? 0 : layout.changed;
  const std::uint64_t next_number = std::max<std::uint64_t>(layout.next_number, whole.rows.size());
  if (reweigh) whole = reweighed(whole);
  lock = index::WriteLock(index::replace_file(whole, path, options.progress));
  load();
  outline();
  // What a whole file has no place for; should this fail, only the warning of drift is late.
  if (changed == 0 && next_number == layout.next_number) return;
  layout.changed = changed;
  layout.next_number = next_number;
  edit({});
}

void IndexWriter::State::tidy() {
  constexpr std::uint64_t little = std::uint64_t{1} << 20;
  const std::uint64_t unused = layout.unused();
  if (!options.tidy || unused < little || unused < layout.head.file_bytes - unused) return;
  try {
    compact(false);
  } catch (const Error& error) {
    // The edit itself is done and durable; a full disk leaves the file as large as it is.
    if (error.code() != ErrorCode::failed) throw;
  }
}

IndexWriter::IndexWriter(const std::filesystem::path& path, const WriterOptions& options)
    : state_(std::make_unique<State>(path, options)) {}
IndexWriter::~IndexWriter() = default;
IndexWriter::IndexWriter(IndexWriter&&) noexcept = default;
IndexWriter& IndexWriter::operator=(IndexWriter&&) noexcept = default;

const Index& IndexWriter::outline() const { return state_->outline(); }

namespace {

// Rows to be added: as they are stored, and called as nobody else is.
Segment new_segment(const Index& rows, const Index& known, std::uint64_t number) {
  validate(rows);
  require_same_making(known, rows);
  require_same_fields(rows, known);
  Segment segment = split(index::weighed_against(rows, known), known);
  segment.first_number = number;
  return segment;
}

}  // namespace

void IndexWriter::add(const Index& rows) {
  State& state = *state_;
  state.outline();
  std::uint64_t number = state.layout.next_number;
  if (rows.ids.empty()) number = free_number(state.segments, number);
  Change change{new_segment(rows, state.known, number), {}, rows.rows.size()};
  const std::vector<std::string> ids = rows.ids.to_vector();
  const auto places = places_of(state.segments, ids);
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (places[i])
      throw Error(ErrorCode::bad_input, "id '" + ids[i] + "' stands in the index already");
  if (rows.rows.size() == 0) return;
  state.layout.next_number = number + rows.rows.size();
  state.edit(std::move(change));
  state.tidy();
}

void IndexWriter::remove(std::span<const std::string> ids) {
  State& state = *state_;
  state.outline();
  const auto places = places_of(state.segments, ids);
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!places[i]) throw Error(ErrorCode::usage, "no row has the id '" + ids[i] + "'");
  Change change{{}, by_segment(state.segments.size(), places), 0};
  for (const auto& rows : change.dead) change.count += rows.size();
  state.edit(std::move(change));
  state.tidy();
}

IndexWriter::Update IndexWriter::update(const Index& rows) {
  State& state = *state_;
  state.outline();
  if (rows.ids.empty() && rows.rows.size() > 0)
    throw Error(ErrorCode::usage, "rows without ids; expected the ids of the rows to replace");
  const std::uint64_t number = state.layout.next_number;
  Change change{new_segment(rows, state.known, number), {}, 0};
  const std::vector<std::string> ids = rows.ids.to_vector();
  const auto places = places_of(state.segments, ids);
  const auto replaced = static_cast<std::size_t>(
      std::ranges::count_if(places, [](const auto& place) { return place.has_value(); }));
  change.dead = by_segment(state.segments.size(), places);
  change.count = rows.rows.size() + replaced;
  if (ids.empty()) return {};
  state.layout.next_number = number + rows.rows.size();
  state.edit(std::move(change));
  state.tidy();
  return {replaced, ids.size() - replaced};
}

void IndexWriter::compact(bool reweigh) { state_->compact(reweigh); }

}  // namespace navvy
