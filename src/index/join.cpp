// Puts the living rows of several segments into one index, as if they had been built at once.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include "core/weighting.hpp"
#include "index/join_beyond.hpp"
#include "index/join_fields.hpp"
#include "index/join_lists.hpp"
#include "index/join_vocabulary.hpp"
#include "index/segment.hpp"
#include "navvy/error.hpp"

namespace navvy::index {
namespace {

// What all living rows have, in order.
struct Bins {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<float> weights;
  std::vector<double> masses;
  std::vector<std::uint32_t> counts;
};

void reserve(std::span<const Segment> segments, Bins& bins) {
  std::size_t rows = 0;
  std::uint64_t count = 0;
  bool counted = false;
  for (const Segment& segment : segments) {
    rows += segment.living();
    count += segment.part.rows.bins();
    counted = counted || !segment.part.counts.empty();
  }
  bins.offsets.reserve(rows + 1);
  bins.coordinates.reserve(count);
  bins.weights.reserve(count);
  bins.masses.reserve(rows);
  if (counted) bins.counts.reserve(count);
}

void join_coordinates(const Segment& segment, std::span<const std::uint32_t> places, Bins& bins) {
  const Histograms& rows = segment.part.rows;
  const auto offsets = rows.offsets().span();
  for_living_runs(segment, [&](std::size_t begin, std::size_t end) {
    const std::uint64_t shift = bins.coordinates.size() - offsets[begin];  // may wrap, wraps back
    for (std::size_t row = begin; row < end; ++row)
      bins.offsets.push_back(offsets[row + 1] + shift);
    for (std::uint64_t bin = offsets[begin]; bin < offsets[end]; ++bin)
      bins.coordinates.push_back(places[rows.coordinates()[bin]]);
  });
}

// What stands beside each bin, where there is any.
template <class T>
void join_beside(const Segment& segment, const Array<T>& values, std::vector<T>& joined) {
  const auto offsets = segment.part.rows.offsets().span();
  if (values.empty()) return;
  for_living_runs(segment, [&](std::size_t begin, std::size_t end) {
    joined.insert(joined.end(), values.data() + offsets[begin], values.data() + offsets[end]);
  });
}

void join_masses(const Segment& segment, std::vector<double>& joined) {
  const Array<double>& masses = segment.part.rows.masses();
  if (masses.empty()) return;
  for_living_runs(segment, [&](std::size_t begin, std::size_t end) {
    joined.insert(joined.end(), masses.data() + begin, masses.data() + end);
  });
}

void forget(std::span<const Segment> segments) {
  for (const Segment& segment : segments)
    if (segment.forget) segment.forget();
}

// Rows over `numbers`, with what stands beside each.
void join_rows(std::span<const Segment> segments, std::span<const std::uint32_t> numbers,
               Index& index) {
  Bins bins;
  reserve(segments, bins);
  for (const Segment& segment : segments)
    join_coordinates(segment, renumbering(segment.references.span(), numbers), bins);
  forget(segments);
  for (const Segment& segment : segments)
    join_beside(segment, segment.part.rows.weights(), bins.weights);
  forget(segments);
  for (const Segment& segment : segments) join_beside(segment, segment.part.counts, bins.counts);
  for (const Segment& segment : segments) join_masses(segment, bins.masses);
  forget(segments);
  // Counts or masses of some rows alone serve nobody; where they are needed, they are missed.
  if (bins.counts.size() != bins.coordinates.size()) bins.counts.clear();
  if (bins.masses.size() + 1 != bins.offsets.size()) bins.masses.clear();
  index.rows =
      Histograms(numbers.size(), Array(std::move(bins.offsets)), Array(std::move(bins.coordinates)),
                 Array(std::move(bins.weights)), Array(std::move(bins.masses)));
  index.counts = Array(std::move(bins.counts));
  join_labels(segments, index);
  index.titles = join_strings(segments, &Index::titles);
  index.snippets = join_strings(segments, &Index::snippets);
  index.fields = join_fields_of(segments);
  forget(segments);
}

void take_making(const Segment& first, Index& index) {
  index.kind = first.part.kind;
  index.properties = first.part.properties;
  index.properties.erase(build_report_property);
  index.conditioning = first.part.conditioning;
}

// Frequencies by number; words that came later were in none of the documents.
void join_frequencies(const Segment& first, Index& index) {
  if (!core::knows_collection(first.part)) return;
  Index known = first.part;
  core::complete_frequencies(known);
  const Renumbering places =
      renumbering(index.vocabulary.numbers().span(), known.vocabulary.numbers().span());
  std::vector<std::uint32_t> frequencies(index.vocabulary.size());
  for (std::size_t id = 0; id < frequencies.size(); ++id) {
    const bool found = places[id] < known.vocabulary.size() &&
                       known.vocabulary.number(places[id]) == index.vocabulary.number(id);
    frequencies[id] = found ? known.frequencies[places[id]] : 0;
  }
  index.frequencies = Array(std::move(frequencies));
  index.documents = known.documents;
  index.tokens = known.tokens;
}

}  // namespace

std::string Segment::id(std::size_t row) const {
  return part.ids.empty() ? std::to_string(first_number + row) : std::string(part.ids[row]);
}

Segment as_segment(const Index& index) {
  check_counts(index);  // it may have been put together in memory
  return {index, index.vocabulary.numbers(), {}, 0, {}};
}

void for_living_runs(const Segment& segment,
                     const std::function<void(std::size_t, std::size_t)>& use) {
  std::size_t begin = 0;
  for (const std::uint32_t row : segment.dead) {
    if (begin < row) use(begin, row);
    begin = std::size_t{row} + 1;
  }
  if (begin < segment.rows()) use(begin, segment.rows());
}

Index join(std::span<const Segment> segments) {
  Index index;
  take_making(segments.front(), index);
  const std::vector<std::uint32_t> numbers = used_numbers(segments);
  index.vocabulary = join_vocabulary(segments, numbers);
  index.beyond = join_beyond(segments, index.vocabulary);
  join_rows(segments, numbers, index);
  index.ids = join_ids(segments, 0);
  join_frequencies(segments.front(), index);
  return index;
}

Index outline(std::span<const Segment> segments) {
  Index index;
  take_making(segments.front(), index);
  std::vector<FieldRows> fields;
  for (const Segment& segment : segments) fields.push_back({&segment.part.fields, {}});
  index.fields = join_fields(fields);
  index.vocabulary = join_vocabulary(segments, own_numbers(segments));
  require_distinct(index.vocabulary.words());  // as joining any of the rows will
  index.beyond = join_beyond(segments, index.vocabulary);
  std::size_t rows = 0;
  for (const Segment& segment : segments) rows += segment.living();
  index.rows = Histograms(index.vocabulary.size(), Array(std::vector<std::uint64_t>(rows + 1)),
                          Array<std::uint32_t>(), Array<float>());
  index.ids = join_ids(segments, 0);
  join_frequencies(segments.front(), index);
  return index;
}

Segment join_tail(std::span<const Segment> segments) {
  Segment tail;
  tail.first_number = segments.front().first_number;
  tail.part.kind = segments.front().part.kind;
  tail.references = Array(used_numbers(segments));
  // Coordinates stay though no row uses them any more: segments behind may refer to them.
  tail.part.vocabulary = join_vocabulary(segments, own_numbers(segments));
  join_rows(segments, tail.references.span(), tail.part);
  tail.part.ids = join_ids(segments, tail.first_number);
  return tail;
}

Index weighed_against(const Index& rows, const Index& index) {
  if (!core::knows_collection(index)) return rows;
  check_counts(rows);
  Index weighed = rows;
  Segment known = as_segment(index);
  weighed.frequencies = {};
  join_frequencies(known, weighed);
  weighed.rows = core::weighed_anew(weighed);
  return weighed;
}

}  // namespace navvy::index
