// The conformance suite, queries against rows: bounds, distances of given rows, the matrix.
#include <gtest/gtest.h>

#include <cmath>

#include "backends/conformance.hpp"
#include "support/expect_error.hpp"

namespace navvy::test {
namespace {

using backends::QueryBlock;
using backends::Range;
using backends::Task;

bool same_bits(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

class QueriesConformance : public Conformance {
 protected:
  /// Calls body(query, block) for every query with weight, in blocks as large as may be.
  template <class Body>
  void for_queries(const Task& task, unsigned threads, const Body& body) {
    Call call(threads);
    const auto block = rows_->queries(task, data_.queries.size(), call.run);
    ASSERT_GE(block->block(), 1U);
    ASSERT_LE(block->block(), task.batch != 0 ? task.batch : data_.queries.size());
    for (std::size_t first = 0; first < data_.queries.size(); first += block->block()) {
      const Range range{first, std::min(first + block->block(), data_.queries.size())};
      block->prepare(data_.queries, range, call.run);
      for (std::size_t query = range.begin; query < range.end; ++query)
        if (!is_empty(data_.queries[query])) body(query, *block, call.run);
    }
  }

  void expect_distances(const Task& task, unsigned threads) {
    std::vector<float> found(with_weight_.size());
    for_queries(task, threads, [&](std::size_t query, QueryBlock& block, backends::Run& run) {
      static_cast<void>(block.bounds(query));
      block.distances(with_weight_, found, run);
      const std::vector<float>& all = expected(task.direction, data_.queries[query]);
      for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_EQ(found[i], all[with_weight_[i]])
            << "query " << query << " row " << with_weight_[i] << ' ' << to_string(task.direction);
    });
  }
};

TEST_P(QueriesConformance, DistancesHaveTheirBits) {
  for (const Direction direction : directions())
    ASSERT_NO_FATAL_FAILURE(
        expect_distances(task(direction), direction == Direction::symmetric ? 3 : 1));
}

TEST_P(QueriesConformance, DistancesAreWithinTheErrorOfDouble) {
  for (const Direction direction : directions()) {
    const Expected& expected = this->expected(direction);
    const double error = expected.error();
    for_queries(task(direction), 1, [&](std::size_t query, QueryBlock& block, backends::Run& run) {
      static_cast<void>(block.bounds(query));
      for (std::size_t i = query % 5; i < with_weight_.size(); i += 5) {
        float found = -1;
        block.distances({&with_weight_[i], 1}, {&found, 1}, run);
        ASSERT_NEAR(static_cast<double>(found),
                    expected.in_double(data_.queries[query], with_weight_[i]), error)
            << "query " << query << " row " << with_weight_[i] << ' ' << to_string(direction);
      }
    });
  }
}

TEST_P(QueriesConformance, BoundsAreCertified) {
  std::vector<float> distances(with_weight_.size());
  for (const Direction direction : directions())
    for_queries(task(direction), 3, [&](std::size_t query, QueryBlock& block, backends::Run& run) {
      const QueryBlock::Bounds bounds = block.bounds(query);
      block.distances(with_weight_, distances, run);
      for (std::size_t i = 0; bounds.values != nullptr && i < with_weight_.size(); ++i) {
        const float bound = bounds.of(with_weight_[i]);
        ASSERT_LE(bound, distances[i]) << "query " << query << " row " << with_weight_[i];
        ASSERT_TRUE(!bounds.exact || bound == distances[i]) << "query " << query;
      }
    });
}

TEST_P(QueriesConformance, RaisedBoundsAreCertified) {
  std::vector<float> distances(with_weight_.size());
  for (const Direction direction : directions())
    for_queries(task(direction), 3, [&](std::size_t query, QueryBlock& block, backends::Run& run) {
      const QueryBlock::Bounds bounds = block.bounds(query);
      std::vector<float> lower;
      for (const std::uint32_t row : with_weight_) lower.push_back(bounds.of(row));
      std::vector<float> raised = lower;
      block.raise(with_weight_, raised, run);
      block.distances(with_weight_, distances, run);
      for (std::size_t i = 0; i < with_weight_.size(); ++i) {
        ASSERT_GE(raised[i], lower[i]) << "query " << query << " row " << with_weight_[i];
        ASSERT_LE(raised[i], distances[i]) << "query " << query << " row " << with_weight_[i];
      }
    });
}

class BatchesConformance : public QueriesConformance {};

TEST_P(BatchesConformance, DistancesHaveTheirBitsInEveryBatch) {
  for (const std::size_t batch : {1U, 16U, 64U, 70U, 0U}) {
    Task task = this->task();
    task.batch = batch;
    ASSERT_NO_FATAL_FAILURE(expect_distances(task, 3)) << "batches of " << batch;
  }
}

class MatrixConformance : public Conformance {
 protected:
  void expect_matrix(const Task& task, Range queries, Range rows, unsigned threads) {
    Call call(threads);
    std::size_t next = 0;
    rows_->matrix(task, queries, rows, call.run,
                  [&](std::size_t first, std::size_t count, std::span<const float> values) {
                    ASSERT_EQ(first, next);
                    ASSERT_EQ(values.size(), count * rows.size());
                    next += count;
                    for (std::size_t i = 0; i < count; ++i) {
                      const std::size_t query = queries.begin + first + i;
                      const std::vector<float>& all =
                          expected(task.direction, data_.set.rows[query]);
                      for (std::size_t j = 0; j < rows.size(); ++j)
                        ASSERT_PRED2(same_bits, values[i * rows.size() + j], all[rows.begin + j])
                            << "query " << query << " row " << rows.begin + j << ' '
                            << to_string(task.direction);
                    }
                  });
    ASSERT_EQ(next, queries.size());
  }
};

TEST_P(MatrixConformance, HasTheBitsOfItsPairs) {
  const std::size_t n = rows_->rows();
  ASSERT_NO_FATAL_FAILURE(expect_matrix(task(), {0, n}, {0, n}, 3));
  for (const Direction direction : directions())
    ASSERT_NO_FATAL_FAILURE(expect_matrix(task(direction), {n - 7, n}, {3, n - 1}, 1));
}

class LargeMatrixConformance : public MatrixConformance {};

TEST_P(LargeMatrixConformance, HasTheBitsOfItsPairs) {
  const std::size_t n = rows_->rows();
  ASSERT_NO_FATAL_FAILURE(expect_matrix(task(), {1027, n}, {5, n}, 3));
  ASSERT_NO_FATAL_FAILURE(expect_matrix(task(), {0, 3}, {1020, n}, 3));
}

TEST_P(MatrixConformance, StopsWhenAskedTo) {
  Call call(2, [](const Progress&) { return false; });
  error_of(ErrorCode::interrupted, [&] {
    rows_->matrix(task(), {0, rows_->rows()}, {0, rows_->rows()}, call.run,
                  [](std::size_t, std::size_t, std::span<const float>) {});
  });
}

const auto small_cases = testing::ValuesIn(cases_of(small_shapes(), block_measures()));

INSTANTIATE_TEST_SUITE_P(Backends, QueriesConformance, small_cases, case_name);
INSTANTIATE_TEST_SUITE_P(Backends, MatrixConformance, small_cases, case_name);
INSTANTIATE_TEST_SUITE_P(Backends, BatchesConformance, testing::ValuesIn(large_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Backends, LargeMatrixConformance, testing::ValuesIn(large_cases()),
                         case_name);

}  // namespace
}  // namespace navvy::test
