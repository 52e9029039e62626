// Finds rows by id or number, and numbers that no row has.
#include "index/row_places.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "index/layout.hpp"

namespace navvy::index {
namespace {

bool is_dead(const Segment& segment, std::uint32_t row) {
  return std::ranges::binary_search(segment.dead, row);
}

// The number that a text is, written as numbers are: "007" is none.
std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || (text.size() > 1 && text.front() == '0')) return {};
  return value;
}

using WantedIds = std::unordered_map<std::string_view, std::size_t>;

// Finds wanted ids in one segment; `found` has a place for each.
void find_in(std::span<const Segment> segments, std::size_t number, const WantedIds& wanted,
             std::vector<std::optional<RowPlace>>& found) {
  const Segment& segment = segments[number];
  const Strings& ids = segment.part.ids;
  if (ids.empty()) {
    for (const auto& [id, place] : wanted) {
      const auto value = number_of(id);
      if (!value || *value < segment.first_number) continue;
      const std::uint64_t row = *value - segment.first_number;
      if (row < segment.rows() && !is_dead(segment, static_cast<std::uint32_t>(row)))
        found[place] = {number, static_cast<std::uint32_t>(row)};
    }
    return;
  }
  for (std::uint32_t row = 0; row < ids.size(); ++row) {
    const auto place = wanted.find(ids[row]);
    if (place != wanted.end() && !is_dead(segment, row)) found[place->second] = {number, row};
  }
}

}  // namespace

std::vector<std::optional<RowPlace>> places_of(std::span<const Segment> segments,
                                               std::span<const std::string> ids) {
  WantedIds wanted;
  for (std::size_t i = 0; i < ids.size(); ++i) wanted.emplace(ids[i], i);
  std::vector<std::optional<RowPlace>> found(ids.size());
  for (std::size_t i = 0; i < segments.size(); ++i) find_in(segments, i, wanted, found);
  for (std::size_t i = 0; i < ids.size(); ++i) found[i] = found[wanted.at(ids[i])];
  return found;
}

std::vector<std::vector<std::uint32_t>> by_segment(
    std::size_t segments, std::span<const std::optional<RowPlace>> places) {
  std::vector<std::vector<std::uint32_t>> rows(segments);
  for (const auto& place : places)
    if (place) rows[place->segment].push_back(place->row);
  for (auto& list : rows) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return rows;
}

Array<std::uint32_t> united(const Array<std::uint32_t>& dead, std::span<const std::uint32_t> more) {
  std::vector<std::uint32_t> rows;
  std::ranges::set_union(dead, more, std::back_inserter(rows));
  return Array(std::move(rows));
}

std::uint64_t free_number(std::span<const Segment> segments, std::uint64_t next) {
  for (const Segment& segment : segments)
    for (std::size_t row = 0; row < segment.part.ids.size(); ++row)
      if (const auto value = number_of(segment.part.ids[row]);
          value && *value >= next && *value < number_limit)
        next = *value + 1;
  return next;
}

}  // namespace navvy::index
