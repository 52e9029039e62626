// Rows that meet all of what was asked.
#include "app/choice.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "navvy/error.hpp"
#include "navvy/filter.hpp"
#include "navvy/loaders.hpp"
#include "navvy/rows.hpp"

namespace navvy::app {
namespace {

using RowNumbers = std::vector<std::uint32_t>;

RowNumbers common(const RowNumbers& a, const RowNumbers& b) {
  RowNumbers rows;
  std::ranges::set_intersection(a, b, std::back_inserter(rows));
  return rows;
}

RowNumbers rows_named_in(const std::filesystem::path& file, const Index& index) {
  std::vector<std::string> ids = read_labels(file);
  std::erase_if(ids, [](const std::string& id) { return id.empty(); });
  return rows_with_ids(ids, index);
}

// What was asked for, as the user said it.
std::string told(const RowChoice& choice) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " and ") + part; };
  if (!choice.labels.empty()) add("the labels");
  if (choice.where) add("the filter");
  if (!choice.ids.empty()) add(fmt::format("the ids of {}", choice.ids.string()));
  return text;
}

}  // namespace

ChosenRows chosen_rows(const RowChoice& choice, const Index& index) {
  ChosenRows chosen{choice, {}, index.rows.size()};
  std::optional<RowNumbers> rows;
  const auto meet = [&](RowNumbers more) { rows = rows ? common(*rows, more) : std::move(more); };
  if (!choice.labels.empty()) meet(rows_with_labels(choice.labels, index));
  if (choice.where) meet(rows_where(*choice.where, index));
  if (!choice.ids.empty()) meet(rows_named_in(choice.ids, index));
  if (!rows) return chosen;
  if (rows->empty())
    throw Error(ErrorCode::usage, fmt::format("no row is left of {}: none meets {}",
                                              index.rows.size(), told(choice)));
  chosen.among = marked(*rows, index.rows.size());
  chosen.left = rows->size();
  return chosen;
}

void add_choice(Json& document, const ChosenRows& chosen) {
  if (chosen.choice.where) document["where"] = *chosen.choice.where;
  if (!chosen.all()) document["left"] = chosen.left;
}

}  // namespace navvy::app
