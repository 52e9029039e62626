#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "navvy/align.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"
#include "navvy/search.hpp"
#include "navvy/text.hpp"

/// Every verb of the library, run on an index that may be anybody's.
namespace navvy::test {

inline void expect_searches(const Index& index, const Measure& measure) {
  const Searcher searcher(index, "cpu");
  const std::size_t rows = index.rows.size();
  SearchOptions options;
  options.question.measure = measure;
  options.run.threads = 1;
  options.top = rows;
  std::vector<float> matrix(rows * rows);
  searcher.distances({0, rows, 0, rows}, options.question, options.run,
                     [&](std::size_t first, std::size_t, std::span<const float> values) {
                       std::ranges::copy(
                           values, matrix.begin() + static_cast<std::ptrdiff_t>(first * rows));
                     });
  const Matches all = searcher.knn(options);
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (is_empty(index.rows[row])) continue;
    const Matches one = searcher.search_rows(std::span(&row, 1), options);
    ASSERT_EQ(one[0].size(), all[row].size());
    for (std::size_t rank = 0; rank < one[0].size(); ++rank) {
      const double found = one[0][rank].distance;
      const auto other = static_cast<std::size_t>(one[0].row(rank));
      ASSERT_TRUE(std::isfinite(found));
      ASSERT_EQ(found, all[row][rank].distance);
      ASSERT_EQ(static_cast<float>(found), matrix[row * rows + other]) << to_string(measure);
    }
  }
}

// A verb may refuse, with a line.
template <class Verb>
void attempt(const Verb& verb) {
  try {
    verb();
  } catch (const Error& error) {
    ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
  }
}

inline void expect_edits(const Index& index) {
  attempt([&] { verify(index); });
  attempt([&] { (void)duplicate_rows(index); });
  attempt([&] { (void)merged(index, index); });
  attempt([&] { (void)appended(index, index); });
  attempt([&] { (void)reweighed(index); });
  attempt([&] {
    Index copy = index;
    (void)extend(copy, index.vocabulary);
  });
  attempt([&] { (void)open_index(Array(to_bytes(index))); });
  if (index.rows.size() > 0) {
    attempt([&] {
      const std::string id = index.id(0);
      const Index rest = removed(index, std::span(&id, 1));
      const Index again = open_index(Array(to_bytes(rest)));
      ASSERT_EQ(again.rows.size() + 1, index.rows.size());
      (void)merged(rest, rest);
    });
  }
  if (index.kind == DataKind::text)
    attempt([&] { (void)TextEncoder(index).encode("earth moves the navvy, digs long"); });
}

inline void use(const Index& index, std::mt19937& random) {
  static const std::vector<Measure> measures = {
      {MeasureKind::rwmd}, {MeasureKind::omr}, {MeasureKind::act, 2}, {MeasureKind::ict},
      {MeasureKind::bow},  {MeasureKind::wcd}, {MeasureKind::emd}};
  expect_edits(index);
  if (index.rows.size() == 0) return;
  expect_searches(index, measures[random() % measures.size()]);
}

}  // namespace navvy::test
