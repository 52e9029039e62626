// Emd one way: masses that differ, room that stays empty, and the price of what finds none.
#include "pairwise/partial_emd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "navvy/options.hpp"
#include "navvy/pairwise.hpp"
#include "support/expect_error.hpp"
#include "support/random_histograms.hpp"

namespace navvy::test {
namespace {

const Measure emd{MeasureKind::emd};
constexpr Direction moves_query = Direction::query_to_database;
constexpr Direction moves_row = Direction::database_to_query;

using Values = std::vector<double>;

// p is the row, q the query.
Transport cost_of(const Values& p, const Values& q, const Values& costs, Direction direction,
                  double price = 0) {
  TransportOptions options;
  options.direction = direction;
  options.with_flow = true;
  options.price = price;
  return transport(emd, p, q, {p.size(), q.size(), costs}, options);
}

TEST(PartialEmd, GivesTheCostsWorkedOutByHand) {
  const Values row{3, 1};
  const Values query{1, 1};
  const Values costs{0, 2,  //
                     5, 4};
  // All of the query finds room at the first bin of the row, whose other earth stays.
  EXPECT_DOUBLE_EQ(cost_of(row, query, costs, moves_query, 10).distance, (0 + 2) / 2.0);
  // Half of the row finds room: 1 at no cost, 1 at 2; the rest pays 10.
  EXPECT_DOUBLE_EQ(cost_of(row, query, costs, moves_row, 10).distance, (0 + 2 + 2 * 10) / 4.0);
  EXPECT_DOUBLE_EQ(cost_of(row, query, costs, moves_row, 10).unmoved, 0.5);
  // A price below a cost is what it counts as.
  EXPECT_DOUBLE_EQ(cost_of(row, query, costs, moves_query, 1).distance, 0.5);
  EXPECT_DOUBLE_EQ(cost_of(row, query, costs, moves_query, 1).unmoved, 0.5);
  // Unless told the price is the largest of the costs.
  EXPECT_DOUBLE_EQ(cost_of(row, query, costs, moves_row).distance, (0 + 2 + 2 * 5) / 4.0);
}

// Integer units one by one, each into a place of its own or left behind: all ways, by dynamic
// programming over the places that are taken.
double least_by_brute_force(const std::vector<std::size_t>& units,
                            const std::vector<std::size_t>& places, const Values& costs,
                            std::size_t columns, double price) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Values best(std::size_t{1} << places.size(), infinity);
  best[0] = 0;
  for (const std::size_t unit : units) {
    Values next(best.size(), infinity);
    for (std::size_t taken = 0; taken < best.size(); ++taken) {
      next[taken] = std::min(next[taken], best[taken] + price);
      for (std::size_t place = 0; place < places.size(); ++place) {
        const std::size_t bit = std::size_t{1} << place;
        if ((taken & bit) != 0) continue;
        const double cost = best[taken] + costs[unit * columns + places[place]];
        next[taken | bit] = std::min(next[taken | bit], cost);
      }
    }
    best = next;
  }
  return *std::ranges::min_element(best) / static_cast<double>(units.size());
}

std::vector<std::size_t> units_of(const Values& weights) {
  std::vector<std::size_t> units;
  for (std::size_t i = 0; i < weights.size(); ++i)
    units.insert(units.end(), static_cast<std::size_t>(weights[i]), i);
  return units;
}

Values small_weights(Rng& rng) {
  Values weights(random_size(rng, 1, 4));
  for (double& weight : weights) weight = static_cast<double>(random_size(rng, 0, 2));
  weights[random_size(rng, 0, weights.size() - 1)] += 1;
  return weights;
}

TEST(PartialEmd, IsTheLeastOfAllWaysToMoveUnits) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Rng rng(seed);
    const Values p = small_weights(rng);
    const Values q = small_weights(rng);
    Values costs(p.size() * q.size());
    for (double& cost : costs) cost = static_cast<double>(random_size(rng, 0, 5));
    const double price = static_cast<double>(random_size(rng, 1, 6));
    const double expected = least_by_brute_force(units_of(p), units_of(q), costs, q.size(), price);
    const Transport found = cost_of(p, q, costs, moves_row, price);
    ASSERT_NEAR(found.distance, expected, 1e-12) << "seed " << seed;
    double total = found.unmoved * price;
    double moved = found.unmoved;
    for (const Move& move : found.flow) {
      ASSERT_EQ(move.distance, costs[move.from * q.size() + move.to]);
      total += move.mass * move.distance;
      moved += move.mass;
    }
    ASSERT_NEAR(total, expected, 1e-12);
    ASSERT_NEAR(moved, 1, 1e-12);
    // The other way the parts are exchanged.
    Values turned(costs.size());
    for (std::size_t i = 0; i < p.size(); ++i)
      for (std::size_t j = 0; j < q.size(); ++j) turned[j * p.size() + i] = costs[i * q.size() + j];
    ASSERT_NEAR(cost_of(q, p, turned, moves_query, price).distance, expected, 1e-12);
  }
}

struct Unequal {
  Vocabulary vocabulary;
  Histograms rows;  // counts of words, as texts have them
};

// Words at coordinates of length 1, some of them in the same place.
Unequal random_texts(Rng& rng, std::size_t rows) {
  SampleShape shape{.dimensions = random_size(rng, 2, 6), .vocabulary_size = 12};
  shape.coinciding = chance(rng, 0.2);
  Unequal texts{normalized(random_vocabulary(rng, shape)), {}};
  HistogramsBuilder builder(shape.vocabulary_size);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t> words(random_size(rng, 1, 12));
    for (std::uint32_t& word : words)
      word = static_cast<std::uint32_t>(random_size(rng, 0, shape.vocabulary_size - 1));
    builder.add(words, Values(words.size(), chance(rng, 0.5) ? 1 : 1.7));
  }
  texts.rows = builder.build();
  return texts;
}

Transport between(const Vocabulary& vocabulary, const Histogram& row, const Histogram& query,
                  const Measure& measure = emd, Direction direction = moves_query) {
  TransportOptions options;
  options.direction = direction;
  options.with_flow = true;
  return transport(measure, vocabulary, row, query, options);
}

Histogram with_mass(Histogram histogram, double mass) {
  histogram.mass = mass;
  return histogram;
}

TEST(PartialEmd, FromCoordinatesIsThatOfTheirCosts) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed);
    const Unequal texts = random_texts(rng, 2);
    const auto weights = [&](std::size_t row) {
      Values values;
      for (const float weight : texts.rows[row].weights)
        values.push_back(static_cast<double>(weight) * texts.rows[row].mass);
      return values;
    };
    const auto costs = ground_distances(texts.vocabulary, texts.rows[0], texts.rows[1]);
    for (const Direction direction : {moves_query, moves_row}) {
      const double expected = cost_of(weights(0), weights(1), costs, direction, 2).distance;
      const Transport found =
          between(texts.vocabulary, texts.rows[0], texts.rows[1], emd, direction);
      // Weights are floats: what a word lacks for that reason alone is not missed.
      ASSERT_NEAR(found.distance, expected, 1e-5) << "seed " << seed;
      double mass = found.unmoved;
      for (const Move& move : found.flow) {
        ASSERT_LT(move.from, texts.rows[0].size());
        ASSERT_LT(move.to, texts.rows[1].size());
        mass += move.mass;
      }
      ASSERT_NEAR(mass, 1, 1e-12);
    }
  }
}

TEST(PartialEmd, OfEqualMassesIsEmdBothWays) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed);
    const Unequal texts = random_texts(rng, 2);
    const Histogram a = with_mass(texts.rows[0], 7);
    const Histogram b = with_mass(texts.rows[1], 7);
    const double expected = between(texts.vocabulary, a, b, emd, Direction::symmetric).distance;
    for (const Direction direction : {moves_query, moves_row}) {
      const Transport found = between(texts.vocabulary, a, b, emd, direction);
      ASSERT_NEAR(found.distance, expected, 2e-6) << "seed " << seed;
      ASSERT_NEAR(found.unmoved, 0, 1e-6);
    }
  }
}

TEST(PartialEmd, OfWhatIsContainedIsNothing) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed);
    const std::size_t size = 12;
    const Vocabulary vocabulary =
        normalized(random_vocabulary(rng, {.dimensions = 3, .vocabulary_size = size}));
    Values word_weights(size);  // as idf gives them
    for (double& weight : word_weights) weight = std::uniform_real_distribution<>(1, 9)(rng);
    std::vector<std::uint32_t> all(size);
    std::iota(all.begin(), all.end(), 0U);
    Values row(size);
    Values query(size);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t there = random_size(rng, 0, 4);
      row[i] = static_cast<double>(there) * word_weights[i];
      query[i] = static_cast<double>(random_size(rng, 0, there)) * word_weights[i];
    }
    row[0] += word_weights[0];
    query[0] += word_weights[0];
    HistogramsBuilder builder(size);
    builder.add(all, row);
    builder.add(all, query);
    const Histograms rows = builder.build();
    ASSERT_EQ(between(vocabulary, rows[0], rows[1]).distance, 0) << "seed " << seed;
    ASSERT_EQ(between(vocabulary, rows[0], rows[0]).distance, 0) << "seed " << seed;
    ASSERT_EQ(between(vocabulary, rows[1], rows[0], emd, moves_row).distance, 0);
  }
}

TEST(PartialEmd, IsNeverDearerWithMoreRoomAndNeverBelowItsBounds) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed);
    const Unequal texts = random_texts(rng, 2);
    const Histogram query = texts.rows[1];
    const double rwmd =
        between(texts.vocabulary, texts.rows[0], query, {MeasureKind::rwmd}).distance;
    double last = 2;
    for (double mass = 0.01; mass < 1000; mass *= 3) {
      const Histogram row = with_mass(texts.rows[0], mass);
      const double distance = between(texts.vocabulary, row, query).distance;
      ASSERT_LE(distance, last * (1 + 1e-12)) << "seed " << seed << " mass " << mass;
      ASSERT_GE(distance, rwmd * (1 - 1e-6));
      ASSERT_GE(distance, 2 * (1 - mass / query.mass) - 1e-5);
      last = distance;
    }
    // With room for all of the query everywhere, every word goes to the nearest.
    ASSERT_NEAR(between(texts.vocabulary, with_mass(texts.rows[0], 1e9), query).distance, rwmd,
                1e-9);
  }
}

TEST(PartialEmd, GreedyPlansCostAtLeastTheLeast) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed);
    const Unequal texts = random_texts(rng, 2);
    pairwise::PartialEmd solver(texts.vocabulary, 2);
    Values from;
    Values to;
    pairwise::normalize(texts.rows[0].weights, from);
    pairwise::normalize(texts.rows[1].weights, to);
    solver.set_pair(texts.rows[0], from, texts.rows[1], to);
    const double greedy = solver.greedy_cost();
    ASSERT_GE(greedy + 1e-12, solver.solve()) << "seed " << seed;
    ASSERT_LE(greedy, 2);
  }
}

TEST(PartialEmd, TakesMassesOfAnySize) {
  const Vocabulary vocabulary(2, Array(std::vector<float>{1, 0, 0, 1}));
  HistogramsBuilder builder(2);
  builder.add(std::vector<std::uint32_t>{0}, Values{1e-300});
  builder.add(std::vector<std::uint32_t>{1}, Values{1e300});
  const Histograms rows = builder.build();
  EXPECT_DOUBLE_EQ(between(vocabulary, rows[1], rows[0]).distance, std::sqrt(2));
  EXPECT_DOUBLE_EQ(between(vocabulary, rows[0], rows[1]).distance, 2);
  EXPECT_DOUBLE_EQ(between(vocabulary, rows[0], rows[1]).unmoved, 1);
}

TEST(PartialEmd, NeedsAPriceBetweenCoordinatesOfAnyLength) {
  const Vocabulary vocabulary(1, Array(std::vector<float>{0, 3, 10}));
  HistogramsBuilder builder(3);
  builder.add(std::vector<std::uint32_t>{0, 2}, Values{1, 1});
  builder.add(std::vector<std::uint32_t>{1}, Values{4});
  const Histograms rows = builder.build();
  EXPECT_NE(error_of(ErrorCode::usage, [&] { between(vocabulary, rows[0], rows[1]); })
                .find("needs a price"),
            std::string::npos);
  TransportOptions options;
  options.direction = moves_query;
  options.price = 8;
  EXPECT_DOUBLE_EQ(transport(emd, vocabulary, rows[0], rows[1], options).distance,
                   (3 + 7 + 2 * 8) / 4.0);
  options.price = 0;
  const Measure hat{MeasureKind::emd_hat, 1, 5};
  EXPECT_DOUBLE_EQ(transport(hat, vocabulary, rows[0], rows[1], options).distance,
                   (3 + 3 * 5) / 4.0)
      << "the price of emd-hat is its threshold";
}

}  // namespace
}  // namespace navvy::test
