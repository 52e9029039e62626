// Searches on devices: the bits of the processor, whatever is asked and however little memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "navvy/error.hpp"
#include "search/exact_truth.hpp"
#include "support/directions.hpp"
#include "support/expect_error.hpp"
#include "support/tried_devices.hpp"

namespace navvy {
namespace {

using test::Rng;

class OnDevices : public testing::Test {
 protected:
  void SetUp() override {
    if (test::tried_devices().empty())
      GTEST_SKIP() << "no device here: install pocl-opencl-icd to try searches on one";
  }

  static Index grid() {
    Rng rng(8);
    return test::random_index(rng, {.dimensions = 2,
                                    .vocabulary_size = 90,
                                    .rows = test::sanitized ? 70U : 300U,
                                    .max_bins = 12,
                                    .grid = true});
  }
  static Index words() {
    Rng rng(9);
    return test::random_index(rng, {.dimensions = 5,
                                    .vocabulary_size = test::sanitized ? 300U : 4500U,
                                    .rows = 70,
                                    .max_bins = 20});
  }

  static std::vector<std::string> measures() {
    if (test::sanitized) return {"act-2", "bow"};
    return {"bow", "wcd", "rwmd", "omr", "act-1", "act-2", "act-7", "ict", "sinkhorn", "emd"};
  }

  static SearchOptions asking(const std::string& measure, Direction direction, std::size_t top) {
    SearchOptions options = test::options_for(top);
    options.question.measure = parse_measure(measure);
    options.question.direction = direction;
    return options;
  }
};

// Places that were not filled are NaN.
void expect_equal(const Matches& found, const Matches& expected, const std::string& what) {
  ASSERT_EQ(found.rows, expected.rows) << what;
  ASSERT_TRUE(std::ranges::equal(found.distances, expected.distances, [](double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
  })) << what;
}

std::vector<float> matrix_of(const Searcher& searcher, const Question& question) {
  const std::size_t n = searcher.index().rows.size();
  std::vector<float> all;
  searcher.distances({3, n - 1, 1, n - 2}, question, {},
                     [&](std::size_t, std::size_t, std::span<const float> values) {
                       all.insert(all.end(), values.begin(), values.end());
                     });
  return all;
}

TEST_F(OnDevices, EveryQuestionHasTheBitsOfTheProcessor) {
  for (const Index& index : {grid(), words()}) {
    const std::vector<std::uint32_t> rows = test::rows_with_weight(index, 9);
    const Searcher processor(index, "cpu");
    for (const std::string& device : test::tried_devices()) {
      const Searcher searcher(index, device);
      for (const std::string& measure : measures())
        for (const Direction direction : test::every_direction) {
          if (direction != Direction::symmetric && !is_relaxation(parse_measure(measure))) continue;
          if (measure == "sinkhorn") continue;  // is near, not equal: tests/backends
          const std::string what = device + " " + measure + " " + to_string(direction);
          const SearchOptions options = asking(measure, direction, 7);
          expect_equal(searcher.search_rows(rows, options), processor.search_rows(rows, options),
                       what);
          expect_equal(searcher.search_rows(std::span(rows).first(1), options),
                       processor.search_rows(std::span(rows).first(1), options), what);
          if (measure == "emd") continue;
          expect_equal(searcher.knn(options), processor.knn(options), what);
          ASSERT_EQ(matrix_of(searcher, options.question), matrix_of(processor, options.question))
              << what;
        }
    }
  }
}

TEST_F(OnDevices, ChosenRowsAndLimitsCount) {
  const Index index = grid();
  std::vector<std::uint8_t> among(index.rows.size());
  std::vector<double> limits(index.rows.size(), std::numeric_limits<double>::infinity());
  for (std::size_t row = 0; row < among.size(); ++row) {
    among[row] = row % 3 == 0 ? 1 : 0;
    if (row % 5 == 0) limits[row] = 1.5;
  }
  SearchOptions options = asking("act-1", Direction::symmetric, 5);
  options.among = Array(std::move(among));
  options.limits = Array(std::move(limits));
  for (const std::string& device : test::tried_devices())
    expect_equal(Searcher(index, device).knn(options), Searcher(index, "cpu").knn(options), device);
}

TEST_F(OnDevices, SeveralPartsAreOne) {
  const Index index = words();
  const Index parts[] = {index, index};
  const SearchOptions options = asking("act-1", Direction::symmetric, 5);
  for (const std::string& device : test::tried_devices())
    expect_equal(Searcher(parts, device).knn(options), Searcher(parts, "cpu").knn(options), device);
}

// From a few kilobytes up: what does not fit is cut smaller, or refused, never answered otherwise.
TEST_F(OnDevices, EveryBudgetGivesTheSameBits) {
  for (const Index& index : {grid(), words()})
    for (const std::string& device : test::tried_devices())
      for (const char* measure : {"act-3", "bow"}) {
        if (test::sanitized && std::string(measure) == "bow") continue;
        SearchOptions options = asking(measure, Direction::symmetric, 5);
        const Matches expected = Searcher(index, "cpu").knn(options);
        int refused = 0;
        bool was_answered = false;
        for (std::uint64_t memory = 1 << 10U; memory < std::uint64_t{1} << 27U;
             memory *= test::sanitized ? 8 : 4) {
          options.run.device_memory = memory;
          try {
            expect_equal(Searcher(index, device).knn(options), expected,
                         device + " " + measure + " in " + std::to_string(memory));
            was_answered = true;
          } catch (const Error& error) {
            ASSERT_EQ(error.code(), ErrorCode::limit) << error.what();
            ASSERT_NE(std::string(error.what()).find("(device_memory)"), std::string::npos)
                << error.what();
            ASSERT_FALSE(was_answered) << memory << " bytes are refused, but not less";
            ++refused;
          }
        }
        EXPECT_TRUE(was_answered);
        EXPECT_GT(refused, 0);
      }
}

TEST_F(OnDevices, CallersAtOnceGetTheirOwnAnswers) {
  const Index index = grid();
  const std::vector<std::uint32_t> rows = test::rows_with_weight(index, 6);
  const SearchOptions options = asking("act-1", Direction::symmetric, 5);
  const Matches expected = Searcher(index, "cpu").search_rows(rows, options);
  const Matches all = Searcher(index, "cpu").knn(options);
  for (const std::string& device : test::tried_devices()) {
    const Searcher searcher(index, device);
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 3; ++caller)
      callers.emplace_back([&, caller] {
        if (caller == 0)
          expect_equal(searcher.knn(options), all, device);
        else
          expect_equal(searcher.search_rows(rows, options), expected, device);
      });
  }
}

TEST_F(OnDevices, ACallCanBeStopped) {
  const Index index = grid();
  SearchOptions options = asking("act-1", Direction::symmetric, 5);
  options.run.progress = [](const Progress&) { return false; };
  for (const std::string& device : test::tried_devices()) {
    const Searcher searcher(index, device);
    test::error_of(ErrorCode::interrupted, [&] { searcher.knn(options); });
  }
}

TEST(NoDevice, HasOneLine) {
  const std::string message =
      test::error_of(ErrorCode::usage, [] { static_cast<void>(Searcher(Index(), "opencl:99")); });
  EXPECT_NE(message.find("there is no device opencl:99"), std::string::npos) << message;
  test::error_of(ErrorCode::usage, [] { static_cast<void>(Searcher(Index(), "cuda:x")); });
  test::error_of(ErrorCode::usage, [] { static_cast<void>(Searcher(Index(), "opencl:0,")); });
}

}  // namespace
}  // namespace navvy
