// Joins ids, labels, titles and snippets run by run: whole pieces of memory wherever rows live.
#include "index/join_lists.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "index/join_fields.hpp"

namespace navvy::index {
namespace {

/// Strings put together from pieces of others.
class StringsBuilder {
 public:
  StringsBuilder(std::size_t strings, std::uint64_t bytes) {
    offsets_.reserve(strings + 1);
    offsets_.push_back(0);
    bytes_.reserve(bytes);
  }

  void add(const Strings& strings, std::size_t begin, std::size_t end) {
    const auto offsets = strings.offsets().span();
    const std::uint64_t shift = bytes_.size() - offsets[begin];  // may wrap, and wraps back
    for (std::size_t i = begin; i < end; ++i) offsets_.push_back(offsets[i + 1] + shift);
    const auto* const from = strings.bytes().data();
    bytes_.insert(bytes_.end(), from + offsets[begin], from + offsets[end]);
  }

  void add(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    offsets_.push_back(bytes_.size());
  }

  Strings build() { return {Array(std::move(offsets_)), Array(std::move(bytes_))}; }

 private:
  std::vector<std::uint64_t> offsets_;
  std::vector<char> bytes_;
};

std::size_t living_rows(std::span<const Segment> segments) {
  std::size_t rows = 0;
  for (const Segment& segment : segments) rows += segment.living();
  return rows;
}

std::uint64_t text_bytes(std::span<const Segment> segments, Strings Index::*member) {
  std::uint64_t bytes = 0;
  for (const Segment& segment : segments) bytes += (segment.part.*member).bytes().size();
  return bytes;
}

// Whether numbers from `first` on are the ids: no row has another name, and none is missing.
bool numbers_serve(std::span<const Segment> segments, std::uint64_t first) {
  std::uint64_t next = first;
  for (const Segment& segment : segments) {
    if (segment.rows() == 0) continue;
    if (!segment.part.ids.empty() || !segment.dead.empty() || segment.first_number != next)
      return false;
    next += segment.rows();
  }
  return true;
}

}  // namespace

Strings join_strings(std::span<const Segment> segments, Strings Index::*member) {
  const bool any = std::ranges::any_of(
      segments, [&](const Segment& segment) { return !(segment.part.*member).empty(); });
  if (!any) return {};
  StringsBuilder joined(living_rows(segments), text_bytes(segments, member));
  for (const Segment& segment : segments) {
    const Strings& strings = segment.part.*member;
    for_living_runs(segment, [&](std::size_t begin, std::size_t end) {
      if (!strings.empty()) return joined.add(strings, begin, end);
      for (std::size_t row = begin; row < end; ++row) joined.add(std::string_view());
    });
  }
  return joined.build();
}

Strings join_ids(std::span<const Segment> segments, std::uint64_t first) {
  if (numbers_serve(segments, first)) return {};
  StringsBuilder joined(living_rows(segments), text_bytes(segments, &Index::ids));
  for (const Segment& segment : segments) {
    for_living_runs(segment, [&](std::size_t begin, std::size_t end) {
      if (!segment.part.ids.empty()) return joined.add(segment.part.ids, begin, end);
      for (std::size_t row = begin; row < end; ++row) joined.add(segment.id(row));
    });
  }
  return joined.build();
}

void join_labels(std::span<const Segment> segments, Index& index) {
  constexpr std::int32_t unseen = -2;
  std::unordered_map<std::string_view, std::int32_t> places;
  std::vector<std::string> names;
  std::vector<std::int32_t> labels;
  labels.reserve(living_rows(segments));
  for (const Segment& segment : segments) {
    const Index& part = segment.part;
    std::vector<std::int32_t> renamed(part.label_names.size(), unseen);
    const auto place_of = [&](std::int32_t label) {
      if (label < 0) return -1;
      std::int32_t& known = renamed[static_cast<std::size_t>(label)];
      if (known != unseen) return known;
      const std::string_view name = part.label_names[static_cast<std::size_t>(label)];
      const auto [place, added] = places.emplace(name, static_cast<std::int32_t>(names.size()));
      if (added) names.emplace_back(name);
      return known = place->second;
    };
    for_living_runs(segment, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        labels.push_back(part.labels.empty() ? -1 : place_of(part.labels[row]));
    });
  }
  if (names.empty()) return;
  index.labels = Array(std::move(labels));
  index.label_names = Strings(names);
}

std::vector<Field> join_fields_of(std::span<const Segment> segments) {
  std::vector<std::vector<std::uint32_t>> living(segments.size());
  std::vector<FieldRows> parts;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    living[i].reserve(segments[i].living());
    for_living_runs(segments[i], [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        living[i].push_back(static_cast<std::uint32_t>(row));
    });
    parts.push_back({&segments[i].part.fields, living[i]});
  }
  return join_fields(parts);
}

}  // namespace navvy::index
