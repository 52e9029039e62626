// The conformance suite, all pairs: lists of candidates, rows below a limit, costs of given pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "backends/conformance.hpp"
#include "support/expect_error.hpp"

namespace navvy::test {
namespace {

using backends::CandidateLists;
using backends::Pairs;
using backends::PairStage;
using backends::Range;
using backends::Task;
using Listed = std::vector<core::Candidate<float>>;

constexpr float everything = std::numeric_limits<float>::infinity();

/// What is asked of lists besides their length.
struct Wish {
  std::size_t length = 10;
  std::vector<std::uint8_t> wanted{};  ///< by place; empty: all
  std::vector<float> limits{};         ///< by place; empty: none

  [[nodiscard]] bool wants(std::size_t place) const { return wanted.empty() || wanted[place] != 0; }
  [[nodiscard]] float limit(std::size_t place) const {
    return limits.empty() ? everything : limits[place];
  }
};

/// Lists as they came out.
struct Outcome {
  std::vector<Listed> listed;
  std::vector<float> beyond;

  bool operator==(const Outcome&) const = default;
};

/// A stage and the call that it was made for.
struct StageCall {
  Call call;
  std::unique_ptr<PairStage> stage;

  StageCall(const backends::PreparedRows& rows, const Task& task, std::size_t top, unsigned threads)
      : call(threads), stage(rows.pairs(task, {top}, call.run)) {}
};

class PairsConformance : public Conformance {
 protected:
  [[nodiscard]] StageCall stage_for(const Task& task, std::size_t top, unsigned threads = 3) const {
    return {*rows_, task, top, threads};
  }

  /// Units one after the other, in `parts` calls.
  Outcome list(StageCall& made, const Wish& wish, std::size_t parts = 1) const {
    auto& [call, whole] = made;
    PairStage& stage = *whole;
    CandidateLists lists(rows_->rows(), wish.length, call.run);
    if (!wish.wanted.empty()) lists.restrict_to(wish.wanted);
    for (std::size_t place = 0; place < wish.limits.size(); ++place)
      lists.start(place, wish.limits[place]);
    for (std::size_t part = 0; part < parts; ++part)
      stage.list({stage.units() * part / parts, stage.units() * (part + 1) / parts}, lists,
                 call.run);
    Outcome outcome;
    for (std::size_t place = 0; place < rows_->rows(); ++place) {
      const auto sorted = lists.sorted(place);
      outcome.listed.emplace_back(sorted.begin(), sorted.end());
      outcome.beyond.push_back(lists.beyond(place));
    }
    return outcome;
  }

  [[nodiscard]] static std::uint32_t row_at(const PairStage& stage, std::size_t place) {
    return stage.order().empty() ? static_cast<std::uint32_t>(place) : stage.order()[place];
  }

  /// All that may be in a list, by place, with its distance; nearest first.
  [[nodiscard]] Listed candidates(const PairStage& stage, const Wish& wish, std::size_t place,
                                  Direction direction) {
    Listed all;
    if (!wish.wants(place)) return all;
    const std::vector<float>& distances = expected(direction, data_.set.rows[row_at(stage, place)]);
    for (std::uint32_t other = 0; other < distances.size(); ++other) {
      const float distance = distances[row_at(stage, other)];  // NaN without weight
      if (other != place && wish.wants(other) && distance <= wish.limit(place))
        all.push_back({distance, other});
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  // Of a stage that lists lower bounds: none is above its distance, and what is not listed is
  // beyond.
  static void expect_certified(const Listed& listed, float beyond, const Listed& all,
                               const Wish& wish) {
    ASSERT_TRUE(std::is_sorted(listed.begin(), listed.end()));
    Listed by_place = listed;
    std::ranges::sort(by_place, {}, &core::Candidate<float>::row);
    std::size_t found = 0;
    for (const auto& [distance, place] : all) {
      const auto entry =
          std::ranges::lower_bound(by_place, place, {}, &core::Candidate<float>::row);
      const bool is_listed = entry != by_place.end() && entry->row == place;
      found += is_listed ? 1 : 0;
      if (is_listed)
        ASSERT_LE(entry->distance, distance) << "place " << place;
      else
        ASSERT_GE(distance, beyond) << "place " << place;
    }
    // Beside these there may only be rows whose bound, but not whose distance, is within the limit.
    if (wish.limits.empty()) {
      ASSERT_EQ(found, listed.size());
    }
    ASSERT_LE(listed.size(), wish.length);
    ASSERT_TRUE(beyond < everything || found == all.size());
  }

  void expect_lists(const PairStage& stage, const Task& task, const Wish& wish,
                    const Outcome& outcome, std::size_t step) {
    for (std::size_t place = 0; place < rows_->rows(); place += step) {
      SCOPED_TRACE("list " + std::to_string(place) + " " + to_string(task.direction));
      Listed all = candidates(stage, wish, place, task.direction);
      const Listed& listed = outcome.listed[place];
      if (!stage.exact()) {
        ASSERT_NO_FATAL_FAILURE(expect_certified(listed, outcome.beyond[place], all, wish));
        continue;
      }
      const bool is_cut = all.size() > wish.length;
      if (is_cut) all.resize(wish.length);
      ASSERT_EQ(listed, all);
      ASSERT_TRUE(!is_cut || outcome.beyond[place] == all.back().distance);
    }
  }
};

TEST_P(PairsConformance, ListsAreThoseOfBruteForce) {
  for (const Direction direction : directions()) {
    const std::size_t length = direction == Direction::symmetric ? 10 : 1;
    StageCall made = stage_for(task(direction), length);
    const Wish wish{.length = length};
    ASSERT_NO_FATAL_FAILURE(expect_lists(*made.stage, task(direction), wish, list(made, wish), 3));
  }
}

TEST_P(PairsConformance, StopsWhenAskedTo) {
  Call call(2, [](const Progress&) { return false; });
  error_of(ErrorCode::interrupted, [&] {
    const auto stage = rows_->pairs(task(), {10}, call.run);
    CandidateLists lists(rows_->rows(), 10, call.run);
    stage->list({0, stage->units()}, lists, call.run);
  });
}

INSTANTIATE_TEST_SUITE_P(Backends, PairsConformance,
                         testing::ValuesIn(cases_of(small_shapes(), block_measures())), case_name);

// On one measure for each data set, what does not depend on the measure.
class ListsConformance : public PairsConformance {
 protected:
  std::vector<std::uint8_t> every_third() const {
    std::vector<std::uint8_t> wanted(rows_->rows(), 0);
    for (std::size_t place = 0; place < wanted.size(); place += 3) wanted[place] = 1;
    return wanted;
  }

  /// The distance of the fourth, which is in, for most lists; nothing at all for some.
  std::vector<float> near_limits(const PairStage& stage, const Task& task) {
    std::vector<float> limits(rows_->rows(), everything);
    for (std::size_t place = 0; place < limits.size(); place += step()) {
      const Listed all = candidates(stage, {}, place, task.direction);
      limits[place] = place % 5 == 4 ? -1 : all.size() > 3 ? all[3].distance : everything;
    }
    return limits;
  }

  /// Of many rows, some are looked at.
  [[nodiscard]] std::size_t step() const { return rows_->rows() > 200 ? 61 : 1; }
};

TEST_P(ListsConformance, KeepToWantedRowsAndLimits) {
  StageCall made = stage_for(task(), 10);
  const Wish some{.wanted = every_third()};
  ASSERT_NO_FATAL_FAILURE(expect_lists(*made.stage, task(), some, list(made, some), step()));
  const Wish near{.limits = near_limits(*made.stage, task())};
  ASSERT_NO_FATAL_FAILURE(expect_lists(*made.stage, task(), near, list(made, near), step()));
  const Wish both{.wanted = every_third(), .limits = near_limits(*made.stage, task())};
  ASSERT_NO_FATAL_FAILURE(expect_lists(*made.stage, task(), both, list(made, both), step()));
}

TEST_P(ListsConformance, HoldAllRowsWhereTheyAreLongEnough) {
  StageCall made = stage_for(task(), rows_->rows());
  const Wish all{.length = rows_->rows()};
  ASSERT_NO_FATAL_FAILURE(expect_lists(*made.stage, task(), all, list(made, all), step()));
}

TEST_P(ListsConformance, AreTheSameInPartsAndOnAnyThreads) {
  StageCall alone = stage_for(task(), 10, 1);
  const Outcome whole = list(alone, {});
  EXPECT_EQ(list(alone, {}, 2), whole);
  StageCall made = stage_for(task(), 10, 3);
  EXPECT_EQ(list(made, {}), whole);
  EXPECT_EQ(list(made, {}, 3), whole);
}

INSTANTIATE_TEST_SUITE_P(Backends, ListsConformance,
                         testing::ValuesIn(cases_of(small_shapes(), {"act-3"})), case_name);
INSTANTIATE_TEST_SUITE_P(LargeBackends, ListsConformance, testing::ValuesIn(large_cases()),
                         case_name);

// What only stages of lower bounds are asked for.
class BoundsConformance : public ListsConformance {
 protected:
  /// All rows of some lists, in turn: pairs that are near and pairs that are far.
  Pairs some_pairs() const {
    Pairs pairs;
    for (std::uint32_t row = 0; row < rows_->rows(); ++row) {
      for (std::uint32_t i = row % 100; row % step() == 0 && i < with_weight_.size(); i += 17)
        if (!rows_->is_empty(row)) pairs.rows.push_back(with_weight_[i]);
      pairs.offsets.push_back(pairs.rows.size());
    }
    return pairs;
  }
};

TEST_P(BoundsConformance, ListsAreCertified) {
  for (const Direction direction : directions()) {
    const std::size_t length = direction == Direction::symmetric ? 100 : 10;
    StageCall made = stage_for(task(direction), length);
    const Wish wish{.length = length};
    ASSERT_NO_FATAL_FAILURE(
        expect_lists(*made.stage, task(direction), wish, list(made, wish), step()));
  }
}

TEST_P(BoundsConformance, NothingBelowALimitIsMissed) {
  for (const Direction direction : directions()) {
    StageCall made = stage_for(task(direction), 10);
    if (made.stage->exact()) continue;
    std::vector<std::uint32_t> places;
    std::vector<float> limits;
    std::vector<Listed> all;
    for (std::uint32_t place = 0; place < rows_->rows(); place += 211) {
      const Listed near = candidates(*made.stage, {}, place, direction);
      if (near.empty()) continue;
      places.push_back(place);
      limits.push_back(near[std::min(near.size() - 1, std::size_t{place} % 300)].distance);
      all.push_back(near);
    }
    std::vector<backends::FoundRows> lists;
    made.stage->list_below(places, limits, lists, made.call.run);
    ASSERT_EQ(lists.size(), places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      std::vector<std::uint32_t>& found = lists[i].rows;
      ASSERT_LE(found.size() * sizeof(std::uint32_t), lists[i].reserved.bytes());
      std::ranges::sort(found);
      ASSERT_EQ(std::ranges::adjacent_find(found), found.end());
      for (const auto& [distance, place] : all[i])
        ASSERT_TRUE(distance > limits[i] ||
                    std::ranges::binary_search(found, row_at(*made.stage, place)))
            << "place " << places[i] << " misses place " << place << " at " << distance;
      for (const std::uint32_t row : found) ASSERT_FALSE(rows_->is_empty(row));
    }
  }
}

TEST_P(BoundsConformance, GivenPairsHaveTheirBits) {
  for (const Direction direction : directions()) {
    StageCall made = stage_for(task(direction), 10);
    if (made.stage->exact()) continue;
    Pairs pairs = some_pairs();
    made.stage->cost(pairs, made.call.run);
    ASSERT_EQ(pairs.distances.size(), pairs.rows.size());
    for (std::size_t row = 0; row < rows_->rows(); ++row) {
      if (pairs.offsets[row] == pairs.offsets[row + 1]) continue;
      const std::vector<float>& all = expected(direction, data_.set.rows[row]);
      for (std::uint64_t i = pairs.offsets[row]; i < pairs.offsets[row + 1]; ++i)
        ASSERT_EQ(pairs.distances[i], all[pairs.rows[i]])
            << "row " << row << " with " << pairs.rows[i] << ' ' << to_string(direction);
    }
  }
}

// Otherwise the cases above would look at nothing.
TEST_P(BoundsConformance, TheProcessorListsBoundsFirst) {
  if (GetParam().backend != "cpu") return;  // others choose for themselves
  const bool small = data_.set.vocabulary.size() <= 4096;
  EXPECT_EQ(stage_for(task(), 10).stage->exact(), !small || !is_relaxation(task().measure));
  EXPECT_TRUE(stage_for(task(), rows_->rows()).stage->exact());
}

INSTANTIATE_TEST_SUITE_P(Backends, BoundsConformance, testing::ValuesIn(large_cases()), case_name);

}  // namespace
}  // namespace navvy::test
