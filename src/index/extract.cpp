// Some rows of an index with all that belongs to them, and its rows in another order.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/chosen_rows.hpp"
#include "index/join_fields.hpp"
#include "index/segment.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace {

Strings chosen(const Strings& all, std::span<const std::uint32_t> rows) {
  if (all.empty()) return {};
  std::vector<std::string> texts;
  texts.reserve(rows.size());
  for (const std::uint32_t row : rows) texts.emplace_back(all[row]);
  return Strings(texts);
}

Array<std::uint32_t> chosen_counts(const Index& index, std::span<const std::uint32_t> rows) {
  if (index.counts.empty()) return {};
  const auto offsets = index.rows.offsets().span();
  std::vector<std::uint32_t> counts;
  counts.reserve(index.counts.size());
  for (const std::uint32_t row : rows)
    counts.insert(counts.end(), index.counts.data() + offsets[row],
                  index.counts.data() + offsets[row + 1]);
  return Array(std::move(counts));
}

}  // namespace

Index extracted(const Index& index, std::span<const std::uint32_t> rows) {
  std::vector<std::uint8_t> wanted(index.rows.size());
  for (const std::uint32_t row : rows) {
    if (row >= wanted.size())
      throw Error(ErrorCode::usage, "row " + std::to_string(row) + " does not exist: there are " +
                                        std::to_string(wanted.size()));
    wanted[row] = 1;
  }
  std::vector<std::uint32_t> dead;
  for (std::uint32_t row = 0; row < wanted.size(); ++row)
    if (wanted[row] == 0) dead.push_back(row);
  index::Segment part = index::as_segment(index);
  part.dead = Array(std::move(dead));
  return index::join(std::span(&part, 1));
}

Index reordered(const Index& index, std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> sorted(order.begin(), order.end());
  std::ranges::sort(sorted);
  for (std::uint32_t row = 0; row < sorted.size(); ++row)
    if (sorted[row] != row || sorted.size() != index.rows.size())
      throw Error(ErrorCode::usage, "rows in an order that does not name each of them once");
  Index moved = index;
  moved.rows = core::chosen_rows(index.rows, order);
  moved.counts = chosen_counts(index, order);
  if (!index.labels.empty()) {
    std::vector<std::int32_t> labels;
    for (const std::uint32_t row : order) labels.push_back(index.labels[row]);
    moved.labels = Array(std::move(labels));
  }
  for (Strings Index::*member : {&Index::ids, &Index::titles, &Index::snippets})
    moved.*member = chosen(index.*member, order);
  const index::FieldRows fields{&index.fields, order};
  moved.fields = index::join_fields(std::span(&fields, 1));
  return moved;
}

}  // namespace navvy
