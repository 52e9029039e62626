// Removes, merges and compares rows; the checks that make merging safe.
#include "navvy/edit.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/properties.hpp"
#include "core/sort_unique.hpp"
#include "core/weighting.hpp"
#include "index/join_vocabulary.hpp"
#include "index/segment.hpp"
#include "navvy/collection.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace {

using core::property::get;

std::vector<std::string> all_ids(const Index& index) {
  if (!index.ids.empty()) return index.ids.to_vector();
  std::vector<std::string> ids;
  for (std::size_t row = 0; row < index.rows.size(); ++row) ids.push_back(index.id(row));
  return ids;
}

std::string shortened(const std::string& value) {
  constexpr std::size_t longest = 60;
  return value.size() <= longest ? value : value.substr(0, longest) + "...";
}

void require_disjoint_ids(std::span<const std::string> a, std::span<const std::string> b) {
  const std::unordered_set<std::string_view> first(a.begin(), a.end());
  for (const std::string& id : b)
    if (first.contains(id))
      throw Error(ErrorCode::bad_input, "id '" + id + "' stands in both indexes");
}

}  // namespace

void require_same_making(const Index& a, const Index& b) {
  const auto fail = [](const std::string& what, const std::string& left, const std::string& right) {
    throw Error(ErrorCode::bad_input, "indexes differ in " + what + ": '" + shortened(left) +
                                          "' and '" + shortened(right) +
                                          "'; only indexes made in the same way can be merged");
  };
  if (a.kind != b.kind)
    fail("kind", std::to_string(static_cast<int>(a.kind)),
         std::to_string(static_cast<int>(b.kind)));
  if (a.vocabulary.dimensions() != b.vocabulary.dimensions())
    fail("dimensions", std::to_string(a.vocabulary.dimensions()),
         std::to_string(b.vocabulary.dimensions()));
  const bool both_filled = a.vocabulary.size() > 0 && b.vocabulary.size() > 0;
  if (both_filled && a.vocabulary.has_words() != b.vocabulary.has_words())
    fail("words of coordinates", a.vocabulary.has_words() ? "yes" : "no",
         b.vocabulary.has_words() ? "yes" : "no");
  for (const Index* index : {&a, &b})
    for (const auto& [key, value] : index->properties)
      if (!core::property::is_told_only(key) && get(a, key) != get(b, key))
        fail(key, get(a, key), get(b, key));
  if (a.conditioning != b.conditioning)
    throw Error(ErrorCode::bad_input,
                "indexes differ in what was taken from word vectors (condition); expected "
                "indexes built with the same vectors file");
}

namespace {

// Whether rows are weighed against a collection of which they are parts, all of them the same.
bool share_collection(std::span<const Index> parts) {
  const std::string first = get(parts.front(), collection_property);
  for (const Index& part : parts)
    if (get(part, collection_property) != first)
      throw Error(ErrorCode::bad_input,
                  "rows are weighed against different collections; expected parts of one, or none "
                  "that is such a part (compact with reweigh)");
  return !first.empty();
}

// By number, the frequencies of whichever part has the word.
void take_frequencies(std::span<const Index> parts, Index& index) {
  std::vector<std::uint32_t> frequencies(index.vocabulary.size());
  for (const Index& part : parts) {
    const index::Renumbering places =
        index::renumbering(part.vocabulary.numbers().span(), index.vocabulary.numbers().span());
    for (std::size_t id = 0; id < part.frequencies.size(); ++id)
      if (places[id] < frequencies.size() &&
          index.vocabulary.number(places[id]) == part.vocabulary.number(id))
        frequencies[places[id]] = part.frequencies[id];
  }
  index.frequencies = Array(std::move(frequencies));
}

}  // namespace

Index removed(const Index& index, std::span<const std::string> ids) {
  const std::vector<std::string> names = all_ids(index);
  std::unordered_map<std::string_view, std::uint32_t> rows;
  for (std::uint32_t row = 0; row < names.size(); ++row) rows.emplace(names[row], row);
  std::vector<std::uint32_t> dead;
  for (const std::string& id : ids) {
    const auto place = rows.find(id);
    if (place == rows.end()) throw Error(ErrorCode::usage, "no row has the id '" + id + "'");
    dead.push_back(place->second);
  }
  core::sort_unique(dead);
  index::Segment rest = index::as_segment(index);
  rest.dead = Array(std::move(dead));
  return index::join(std::span(&rest, 1));
}

Index appended(const Index& index, const Index& rows) {
  require_same_making(index, rows);
  const bool has_ids = !index.ids.empty() || !rows.ids.empty();
  std::array segments{index::as_segment(index),
                      index::as_segment(index::weighed_against(rows, index))};
  // Row numbers that serve as ids do not clash: they are given anew.
  segments[1].first_number = has_ids ? 0 : index.rows.size();
  if (has_ids) require_disjoint_ids(all_ids(index), all_ids(rows));
  return index::join(segments);
}

Index merged(const Index& a, const Index& b) {
  const std::array parts{a, b};
  return merged(parts);
}

Index merged(std::span<const Index> parts) {
  if (parts.empty()) throw Error(ErrorCode::usage, "nothing to merge; expected at least one index");
  const bool has_ids =
      std::ranges::any_of(parts, [](const Index& part) { return !part.ids.empty(); });
  std::vector<std::string> ids;
  std::vector<index::Segment> segments;
  std::uint64_t rows = 0;
  for (const Index& part : parts) {
    require_same_making(parts.front(), part);
    segments.push_back(index::as_segment(part));
    // Row numbers that serve as ids do not clash: they are given anew.
    if (!has_ids) segments.back().first_number = rows;
    rows += part.rows.size();
    if (!has_ids) continue;
    const std::vector<std::string> more = all_ids(part);
    require_disjoint_ids(ids, more);
    ids.insert(ids.end(), more.begin(), more.end());
  }
  Index joined = index::join(segments);
  if (!core::knows_collection(joined)) {
    // Rows do not depend on others; the name stays where all of them have it.
    const std::string name = get(parts.front(), collection_property);
    for (const Index& part : parts)
      if (get(part, collection_property) != name) joined.properties.erase(collection_property);
    return joined;
  }
  if (!share_collection(parts)) return reweighed(joined);
  take_frequencies(parts, joined);
  return joined;
}

Index reweighed(const Index& index) {
  if (!core::knows_collection(index)) return index;
  index::check_counts(index);
  Index weighed = index;
  weighed.frequencies = {};
  core::complete_frequencies(weighed);
  weighed.rows = core::weighed_anew(weighed);
  weighed.properties.erase(collection_property);
  return weighed;
}

std::vector<std::vector<std::uint32_t>> duplicate_rows(const Index& index) {
  std::unordered_map<std::string, std::size_t> groups_of;
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::uint32_t row = 0; row < index.rows.size(); ++row) {
    const Histogram histogram = index.rows[row];
    if (is_empty(histogram)) continue;
    const auto bytes = [](auto values) {
      return std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    };
    std::string key(bytes(histogram.coordinates));
    key += bytes(histogram.weights);
    const auto [place, added] = groups_of.try_emplace(std::move(key), groups.size());
    if (added) groups.emplace_back();
    groups[place->second].push_back(row);
  }
  std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
  return groups;
}

}  // namespace navvy
