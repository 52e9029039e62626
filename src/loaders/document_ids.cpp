// Gives documents ids that nobody else has.
#include "loaders/document_ids.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "navvy/error.hpp"

namespace navvy::loaders {
namespace {

using Ids = std::unordered_map<std::string_view, std::size_t>;

// The numbers from the first new row on that rows of the index are called; throws where a new
// document is called like one of them.
std::unordered_set<std::uint64_t> taken_numbers(const Index& base, const Ids& ids) {
  std::unordered_set<std::uint64_t> taken;
  for (std::size_t row = 0; row < base.rows.size(); ++row) {
    const std::string number = base.ids.empty() ? std::to_string(row) : std::string();
    const std::string_view id = base.ids.empty() ? std::string_view(number) : base.ids[row];
    if (const auto place = ids.find(id); place != ids.end())
      throw Error(ErrorCode::bad_input, "document " + std::to_string(place->second + 1) +
                                            ": its id '" + std::string(id) +
                                            "' is that of a document of the index");
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), value);
    if (error == std::errc() && end == id.data() + id.size() && value >= base.rows.size())
      taken.insert(value);
  }
  return taken;
}

}  // namespace

std::vector<std::string> complete_ids(std::vector<std::string> ids, const Index* base,
                                      bool replacing) {
  Ids known;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i].empty()) continue;
    const auto [place, added] = known.emplace(ids[i], i);
    if (!added)
      throw Error(ErrorCode::bad_input, "document " + std::to_string(i + 1) + ": its id '" +
                                            ids[i] + "' is that of document " +
                                            std::to_string(place->second + 1));
  }
  const std::size_t first_row = base == nullptr ? 0 : base->rows.size();
  std::unordered_set<std::uint64_t> taken;
  if (base != nullptr) taken = taken_numbers(*base, replacing ? Ids() : known);
  std::vector<std::string> complete = ids;
  std::size_t next = first_row;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    // From the row's own number on, so that rows added later get the ids of a build at once.
    next = std::max(next, first_row + i);
    while (complete[i].empty()) {
      const std::string number = std::to_string(next);
      if (!taken.contains(next) && !known.contains(number)) complete[i] = number;
      ++next;
    }
  }
  return complete;
}

}  // namespace navvy::loaders
