// The conformance suite, measures that are solved pair by pair: bounds, plans and distances.
#include <gtest/gtest.h>

#include <numeric>

#include "backends/conformance.hpp"
#include "support/expect_error.hpp"

namespace navvy::test {
namespace {

using backends::Bound;
using backends::Solver;
using backends::Task;

class SolverConformance : public Conformance {
 protected:
  void SetUp() override {
    threshold_ = data_.shape.threshold;
    if (GetParam().measure.starts_with("emd-hat")) threshold_ = std::min(threshold_, 2.25);
    rows_ = backends::find_backend(GetParam().backend).prepare(data_.set, threshold_, setup_.run);
    for (std::uint32_t row = 0; row < rows_->rows(); ++row)
      if (!rows_->is_empty(row)) with_weight_.push_back(row);
    ground_ = std::make_unique<backends::Ground>(
        backends::Ground::euclidean(data_.set.vocabulary, threshold_));
  }

  /// "emd-query" is emd with the query moved into rows.
  [[nodiscard]] Task task() const {
    std::string name = GetParam().measure;
    Task task;
    for (const auto& [way, direction] :
         {std::pair(std::string("-query"), Direction::query_to_database),
          std::pair(std::string("-rows"), Direction::database_to_query)}) {
      if (!name.ends_with(way)) continue;
      name.resize(name.size() - way.size());
      task.direction = direction;
      task.price = std::min(ground_->promises().diameter, threshold_);
    }
    task.measure = parse_measure(name);
    if (task.measure.kind == MeasureKind::emd_hat) {
      task.measure.threshold = threshold_;
      if (task.price > 0) task.price = threshold_;
    }
    return task;
  }

  /// Calls body(query, solver, run) for every query with weight.
  template <class Body>
  void for_queries(unsigned threads, const Body& body) {
    Call call(threads);
    const auto solver = rows_->solver(task(), {}, call.run);
    for (std::size_t query = 0; query < data_.queries.size(); ++query) {
      if (is_empty(data_.queries[query])) continue;
      solver->set_query(data_.queries[query], call.run);
      body(data_.queries[query], *solver, call.run);
    }
  }

  [[nodiscard]] double in_double(const Histogram& query, std::uint32_t row) const {
    return true_distance(data_.set, threshold_, task(), query, data_.set.rows[row]);
  }

  /// How far solvers may be apart. An exact one, in integers and double, loses a unit of the
  /// largest cost for each bin, and so does the other. Sinkhorn's iterations end when the marginals
  /// are met well, which may be some way from where they would end.
  [[nodiscard]] double error(const Histogram& query, std::uint32_t row, double distance) const {
    const auto bins = static_cast<double>(query.size() + data_.set.rows[row].size());
    const double exact = 2 * bins * 0x1p-52 * ground_->promises().diameter;
    if (is_exact(task().measure)) return exact;
    return 1e-4 * distance + ground_->promises().relative_error * ground_->promises().diameter;
  }

  double threshold_ = 0;
  std::unique_ptr<backends::Ground> ground_;
};

TEST_P(SolverConformance, DistancesAreTrue) {
  std::vector<double> found(with_weight_.size());
  for_queries(3, [&](const Histogram& query, Solver& solver, backends::Run& run) {
    solver.solve(with_weight_, found, run);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double distance = in_double(query, with_weight_[i]);
      ASSERT_NEAR(found[i], distance, error(query, with_weight_[i], distance))
          << "row " << with_weight_[i];
    }
    ASSERT_GE(solver.batch(), 1U);
  });
}

TEST_P(SolverConformance, DistancesHaveTheSameBitsAlone) {
  std::vector<double> together(with_weight_.size());
  for_queries(3, [&](const Histogram& query, Solver& solver, backends::Run& run) {
    solver.solve(with_weight_, together, run);
    const auto another = rows_->solver(task(), {}, run);
    another->set_query(query, run);
    for (std::size_t i = with_weight_.size(); i-- > 0; i -= std::min<std::size_t>(i, 6)) {
      double alone = -1;
      another->solve({&with_weight_[i], 1}, {&alone, 1}, run);
      ASSERT_EQ(alone, together[i]) << "row " << with_weight_[i];
    }
  });
}

TEST_P(SolverConformance, PlansCostAtLeastTheDistance) {
  if (!is_exact(task().measure)) return;  // whose distance is not that of the best plan
  std::vector<double> distances(with_weight_.size());
  std::vector<double> upper(with_weight_.size());
  for_queries(1, [&](const Histogram& query, Solver& solver, backends::Run& run) {
    solver.plan_costs(with_weight_, upper, run);
    solver.solve(with_weight_, distances, run);
    for (std::size_t i = 0; i < upper.size(); ++i)
      ASSERT_GE(upper[i] + error(query, with_weight_[i], 0), distances[i]);
  });
}

TEST_P(SolverConformance, BoundsAreCertified) {
  const std::size_t half = with_weight_.size() / 2;
  std::vector<double> distances(with_weight_.size());
  for_queries(3, [&](const Histogram& query, Solver& solver, backends::Run& run) {
    // Solving the first half leaves the potentials that the others are bounded by.
    solver.solve(std::span(with_weight_).subspan(half), std::span(distances).subspan(half), run);
    solver.solve(std::span(with_weight_).first(half), std::span(distances).first(half), run);
    for (const Bound bound :
         {Bound::projections, Bound::into_query, Bound::into_row, Bound::ict, Bound::potentials}) {
      if (!solver.offers(bound)) continue;
      SCOPED_TRACE("bound " + std::to_string(static_cast<int>(bound)));
      std::vector<double> lower(with_weight_.size(), 0.0);
      lower.back() = 0.75 * distances.back();
      solver.raise(bound, with_weight_, lower, run);
      for (std::size_t i = 0; i < lower.size(); ++i)
        ASSERT_LE(lower[i], distances[i] + error(query, with_weight_[i], 0))
            << "row " << with_weight_[i];
      ASSERT_GE(lower.back(), 0.75 * distances.back());
      ASSERT_GT(std::accumulate(lower.begin(), lower.end() - 1, 0.0), 0.0);
    }
  });
}

TEST_P(SolverConformance, CountsWhatDidNotConverge) {
  Task hasty = task();
  hasty.sinkhorn.max_iterations = 1;
  const auto solver = rows_->solver(hasty, {}, setup_.run);
  std::vector<double> distances(with_weight_.size());
  solver->set_query(data_.queries[0], setup_.run);
  solver->solve(with_weight_, distances, setup_.run);
  EXPECT_EQ(solver->unconverged() > 0, hasty.measure.kind == MeasureKind::sinkhorn);
}

TEST_P(SolverConformance, StopsWhenAskedTo) {
  Call call(2, [](const Progress&) { return false; });
  std::vector<double> distances(with_weight_.size());
  error_of(ErrorCode::interrupted, [&] {
    const auto solver = rows_->solver(task(), {}, call.run);
    solver->set_query(data_.queries[0], call.run);
    solver->solve(with_weight_, distances, call.run);
  });
}

std::vector<Case> solved_cases() {
  std::vector<Case> cases =
      cases_of(small_shapes(), {"emd-hat", "emd-hat-query", "emd-hat-rows", "sinkhorn"});
  for (const Case& uncapped : cases_of(small_shapes(), {"emd", "emd-query", "emd-rows"}))
    if (uncapped.data != "capped") cases.push_back(uncapped);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Backends, SolverConformance, testing::ValuesIn(solved_cases()), case_name);

TEST(Registry, FindsBackendsByName) {
  for (const backends::Backend* backend : backends::all_backends())
    EXPECT_EQ(&backends::find_backend(backend->name()), backend);
  const std::string message = error_of(ErrorCode::usage, [] { backends::find_backend("abacus"); });
  EXPECT_NE(message.find("abacus"), std::string::npos);
  EXPECT_NE(message.find("reference"), std::string::npos);
}

}  // namespace
}  // namespace navvy::test
