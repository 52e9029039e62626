// Searches among some of the rows: the bits of the lists over all rows with the others left out, at
// a cost that counts the rows that are left.

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "navvy/rows.hpp"
#include "search/listed.hpp"
#include "support/directions.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::left_of;
using test::List;
using test::lists_of;
using test::Rng;

std::vector<std::uint32_t> every(std::size_t step, std::size_t rows, std::size_t from = 0) {
  std::vector<std::uint32_t> chosen;
  for (std::size_t row = from; row < rows; row += step)
    chosen.push_back(static_cast<std::uint32_t>(row));
  return chosen;
}

SearchOptions options_for(const Measure& measure, std::size_t top) {
  SearchOptions options = test::options_for(top);
  options.question.measure = measure;
  return options;
}

// Small supports and large vocabularies; of the latter most coordinates are in no row.
std::vector<Index> indexes() { return {test::listed_index(60, 90), test::listed_index(4300, 60)}; }

// Queries that use coordinates which the rows that are left do not.
Histograms queries_for(const Index& index, std::size_t count) {
  Rng rng(count);
  test::SampleShape shape{.vocabulary_size = index.vocabulary.size(), .rows = count};
  return test::random_sample(rng, shape).rows;
}

// None, one, a tenth, exactly half, nearly all, all.
std::vector<Array<std::uint8_t>> choices(std::size_t rows) {
  const auto nearly = every(1, rows, 3);
  return {marked({}, rows),
          marked(every(rows, rows, 1), rows),
          marked(every(10, rows), rows),
          marked(every(2, rows), rows),
          marked(nearly, rows),
          marked(every(1, rows), rows)};
}

TEST(Among, QueriesFindWhatIsLeftOfTheListsOfAllRows) {
  for (const Index& index : indexes()) {
    const std::size_t n = index.rows.size();
    const Histograms queries = queries_for(index, 3);
    for (const Measure& measure : test::listed_measures())
      for (const Direction direction : test::every_direction) {
        if (direction != Direction::symmetric && !is_relaxation(measure)) continue;
        SearchOptions options = options_for(measure, n);
        options.question.direction = direction;
        const std::vector<List> whole = lists_of(Searcher(index).search(queries, options));
        const Searcher searcher(index);
        options.top = 4;
        for (const auto& among : choices(n)) {
          options.among = among;
          ASSERT_EQ(lists_of(searcher.search(queries, options)), left_of(whole, options))
              << to_string(measure) << " " << to_string(direction);
        }
      }
  }
}

TEST(Among, RowsAreLeftOutOfTheirOwnMatches) {
  for (const Index& index : indexes()) {
    const std::size_t n = index.rows.size();
    const std::vector<std::uint32_t> rows = {1, 0, 20, 10, 41};  // in and out of what is left
    for (const Measure& measure : test::listed_measures()) {
      SearchOptions options = options_for(measure, n);
      const std::vector<List> whole = lists_of(Searcher(index).search_rows(rows, options));
      const Searcher searcher(index);
      options.top = 5;
      for (const auto& among : choices(n)) {
        options.among = among;
        ASSERT_EQ(lists_of(searcher.search_rows(rows, options)), left_of(whole, options))
            << to_string(measure);
      }
    }
  }
}

TEST(Among, AllRowsAgainstAllAreThoseThatAreLeft) {
  for (const Index& index : indexes()) {
    const std::size_t n = index.rows.size();
    for (const Measure& measure : test::listed_measures()) {
      SearchOptions options = options_for(measure, n);
      const std::vector<List> whole = lists_of(Searcher(index).knn(options));
      const Searcher searcher(index);
      options.top = 3;
      for (const auto& among : choices(n)) {
        options.among = among;
        std::vector<List> expected = left_of(whole, options);
        for (std::size_t row = 0; row < n; ++row)
          if (among[row] == 0) expected[row].clear();
        const Matches found = searcher.knn(options);
        ASSERT_EQ(found.rows.size(), n * options.top);
        ASSERT_EQ(lists_of(found), expected) << to_string(measure);
      }
    }
  }
}

TEST(Among, LimitsAreThoseOfTheRowsThatAreLeft) {
  const Index index = test::listed_index(60, 90);
  const std::size_t n = index.rows.size();
  for (const char* name : {"act-1", "emd"}) {
    SearchOptions options = options_for(parse_measure(name), n);
    const std::vector<List> whole = lists_of(Searcher(index).knn(options));
    options.top = 6;
    options.among = marked(every(3, n), n);
    std::vector<double> limits;
    for (std::size_t row = 0; row < n; ++row) limits.push_back(0.1 * static_cast<double>(row % 20));
    options.limits = Array(limits);
    const std::vector<List> found = lists_of(Searcher(index).knn(options));
    for (std::size_t row = 0; row < n; row += 3) {
      SearchOptions one = options;
      one.within = limits[row];
      EXPECT_EQ(found[row], left_of({whole[row]}, one)[0]) << name << " " << row;
    }
  }
}

// Coordinates come in as queries need them, and what few queries did without is made for many.
TEST(Among, OneSearcherServesQueriesAndFiltersInAnyOrder) {
  for (const Index& index : indexes()) {
    const std::size_t n = index.rows.size();
    const Histograms queries = queries_for(index, 40);
    SearchOptions options = options_for(parse_measure("act-1"), n);
    const std::vector<List> whole = lists_of(Searcher(index).search(queries, options));
    const Searcher searcher(index);
    options.top = 5;
    for (const std::size_t step : {5U, 7U, 5U}) {
      options.among = marked(every(step, n), n);
      const std::vector<List> expected = left_of(whole, options);
      for (std::uint32_t query = 0; query < 10; ++query) {
        const Histograms one = selected(queries, std::vector<std::uint32_t>{query});
        ASSERT_EQ(lists_of(searcher.search(one, options))[0], expected[query]);
      }
      ASSERT_EQ(lists_of(searcher.search(queries, options)), expected);
      searcher.prepare(options.question, options.run, options.among);
      ASSERT_EQ(lists_of(searcher.search(queries, options)), expected);
    }
  }
}

TEST(Among, CostsWhatIsLeft) {
  for (const Index& index : indexes()) {
    const std::size_t n = index.rows.size();
    const Histograms queries = queries_for(index, 3);
    SearchOptions options = options_for(parse_measure("act-1"), 2);
    options.among = marked(every(10, n, 1), n);
    const std::size_t left = every(10, n, 1).size();
    const Searcher searcher(index);
    const auto rows_of_first = [](const Matches& matches) {
      return matches.counters.stages.front().rows;
    };
    EXPECT_EQ(rows_of_first(searcher.search(queries, options)), 3 * left);
    EXPECT_EQ(rows_of_first(searcher.knn(options)), left * (left - 1));
    options.question.measure = parse_measure("sinkhorn");
    const std::size_t with_weight = left - 1;  // row 31 has none
    EXPECT_EQ(rows_of_first(searcher.search(queries, options)), 3 * with_weight);
  }
}

TEST(Among, ProofsSpeakOfWhatIsLeft) {
  for (const Index& index : indexes()) {
    const std::size_t n = index.rows.size();
    SearchOptions options = options_for(test::emd, 3);
    for (const std::size_t step : {2U, 10U}) {
      const std::vector<std::uint32_t> chosen = every(step, n);
      options.among = marked(chosen, n);
      const std::vector<std::uint32_t> asking = {chosen[1], 1};
      const Matches found = Searcher(index).search_rows(asking, options);
      std::size_t with_weight = 0;
      for (const std::uint32_t row : chosen) with_weight += is_empty(index.rows[row]) ? 0 : 1;
      for (std::size_t query = 0; query < asking.size(); ++query) {
        const Proof& proof = found.proofs[query];
        EXPECT_EQ(proof.rows, with_weight - (query == 0 ? 1 : 0));
        EXPECT_EQ(proof.matches, std::min<std::size_t>(3, proof.rows));
        EXPECT_EQ(proof.certain, proof.matches);
        EXPECT_EQ(proof.undecided, 0U);
        EXPECT_LE(proof.solves, proof.rows);
        const Ranked answer = found[query];
        EXPECT_GE(proof.beyond * (1 + 1e-6), answer.distance(answer.size() - 1));
      }
    }
  }
}

TEST(Among, EvaluationsLookAtWhatIsLeft) {
  Index index = test::listed_index(60, 90);
  const std::size_t n = index.rows.size();
  std::vector<std::string> labels;
  for (std::size_t row = 0; row < n; ++row) labels.push_back(row / 3 % 2 == 0 ? "even" : "odd");
  set_labels(index, labels);
  SearchOptions options = options_for(parse_measure("rwmd"), 4);
  options.among = marked(every(3, n), n);
  const Searcher searcher(index);
  const std::vector<List> lists = lists_of(searcher.knn(options));
  EvaluateOptions asked{options.question, options.run, {1, 4}, 0, usual_seed, options.among};
  std::vector<std::uint32_t> able;
  for (std::uint32_t row = 0; row < n; row += 3)
    if (!is_empty(index.rows[row])) able.push_back(row);
  for (const std::size_t queries : {0U, 7U, 1000U}) {
    std::vector<std::uint32_t> rows;
    const auto size = static_cast<std::uint32_t>(able.size());
    for (const auto place : sample(size, queries == 0 ? size : queries, usual_seed))
      rows.push_back(able[place]);
    double equal = 0;
    for (const std::uint32_t row : rows)
      for (const auto& [found, distance] : lists[row])
        equal += labels[static_cast<std::size_t>(found)] == labels[row] ? 1 : 0;
    asked.queries = queries;
    const Evaluation evaluation = searcher.evaluate(asked);
    EXPECT_EQ(evaluation.asked, rows);
    EXPECT_EQ(evaluation.candidates, able.size());
    EXPECT_DOUBLE_EQ(evaluation.precision[1].mean, equal / (4 * static_cast<double>(rows.size())));
  }
  asked.tops = {28};
  EXPECT_EQ(test::error_of(ErrorCode::usage, [&] { (void)searcher.evaluate(asked); }),
            "top 28 asked for, but a row has 27 others to find");
}

TEST(Among, AChoiceOfAnotherSizeIsRefused) {
  const Index index = test::listed_index(60, 20);
  SearchOptions options = options_for(parse_measure("rwmd"), 4);
  options.among = marked(every(3, 19), 19);
  EXPECT_EQ(test::error_of(ErrorCode::usage, [&] { (void)Searcher(index).knn(options); }),
            "a choice among 19 rows, but the index has 20");
}

// Callers with filters of their own, which take the kept part from each other.
TEST(Among, CallersWithDifferentFiltersGetTheBytesOfSerialCalls) {
  const Index index = test::listed_index(4300, 60);
  const std::size_t n = index.rows.size();
  const Histograms queries = queries_for(index, 4);
  const auto asked = [&](std::size_t caller) {
    SearchOptions options = options_for(test::listed_measures()[caller % 4 + 3], 3);
    options.among = marked(every(3 + caller % 3, n), n);
    return options;
  };
  std::vector<std::vector<List>> expected;
  for (std::size_t caller = 0; caller < 8; ++caller)
    expected.push_back(lists_of(Searcher(index).search(queries, asked(caller))));
  const Searcher shared(index);
  std::vector<std::vector<List>> found(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t caller = 0; caller < 8; ++caller)
      threads.emplace_back([&, caller] {
        for (int turn = 0; turn < 3; ++turn)
          found[caller] = lists_of(shared.search(queries, asked(caller)));
      });
  }
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace navvy
