// Histograms, vocabularies, measures, strings: what they accept and what they refuse.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "core/pieces.hpp"
#include "navvy/histograms.hpp"
#include "navvy/measure.hpp"
#include "navvy/options.hpp"
#include "navvy/strings.hpp"
#include "navvy/vocabulary.hpp"
#include "support/directions.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using Ids = std::vector<std::uint32_t>;

Histograms built(ZeroBins zero_bins, const Ids& coordinates, const std::vector<double>& weights) {
  HistogramsBuilder builder(10, zero_bins);
  builder.add(coordinates, weights);
  return builder.build();
}

Ids ids(const Histogram& histogram) {
  return {histogram.coordinates.begin(), histogram.coordinates.end()};
}

std::vector<float> weights(const Histogram& histogram) {
  return {histogram.weights.begin(), histogram.weights.end()};
}

TEST(HistogramsBuilder, SortsMergesAndScales) {
  const Histograms rows = built(ZeroBins::drop, {7, 2, 7, 4}, {1, 4, 2, 1});
  EXPECT_EQ(ids(rows[0]), (Ids{2, 4, 7}));
  EXPECT_EQ(weights(rows[0]), (std::vector<float>{0.5F, 0.125F, 0.375F}));
}

TEST(HistogramsBuilder, KeepsWhatRowsSummedTo) {
  HistogramsBuilder builder(10);
  builder.add(Ids{7, 2, 7}, std::vector<double>{1, 4, 0.5});
  builder.add({}, {});
  const Histograms rows = builder.build();
  EXPECT_TRUE(rows.has_masses());
  EXPECT_EQ(rows[0].mass, 5.5);
  EXPECT_EQ(rows[1].mass, 0);
  builder.add(Ids{1}, std::vector<double>{2});
  EXPECT_EQ(builder.build()[0].mass, 2) << "the builder starts anew";
}

TEST(HistogramsBuilder, DropsOrKeepsBinsWithoutWeight) {
  EXPECT_EQ(ids(built(ZeroBins::drop, {1, 2}, {0, 3})[0]), (Ids{2}));
  EXPECT_EQ(ids(built(ZeroBins::keep, {1, 2}, {0, 3})[0]), (Ids{1, 2}));
  // Too small to be seen in float beside the rest: no weight.
  EXPECT_EQ(ids(built(ZeroBins::drop, {1, 2}, {1e-60, 3})[0]), (Ids{2}));
}

TEST(HistogramsBuilder, RowsWithoutWeightAreEmpty) {
  EXPECT_TRUE(is_empty(built(ZeroBins::drop, {}, {})[0]));
  EXPECT_TRUE(is_empty(built(ZeroBins::drop, {1}, {0})[0]));
  EXPECT_TRUE(is_empty(built(ZeroBins::keep, {1}, {0})[0]));
}

TEST(HistogramsBuilder, ScalesInDouble) {
  std::mt19937 rng(2);
  std::vector<double> raw(1000);
  Ids coordinates(raw.size());
  std::iota(coordinates.begin(), coordinates.end(), 0U);
  for (double& weight : raw) weight = std::exp(std::normal_distribution<double>(0, 4)(rng));
  HistogramsBuilder builder(raw.size());
  builder.add(coordinates, raw);
  const double sum = std::accumulate(raw.begin(), raw.end(), 0.0);
  const Histograms rows = builder.build();
  for (std::size_t i = 0; i < rows[0].size(); ++i)
    EXPECT_EQ(rows[0].weights[i], static_cast<float>(raw[rows[0].coordinates[i]] / sum));
}

TEST(HistogramsBuilder, RefusesBadBinsAndStaysAsItWas) {
  HistogramsBuilder builder(10);
  const auto add = [&](const Ids& coordinates, const std::vector<double>& values) {
    return test::error_of(ErrorCode::bad_input, [&] { builder.add(coordinates, values); });
  };
  EXPECT_EQ(add({10}, {1}), "histogram row 0: bin 0 has coordinate 10, but the vocabulary has 10");
  EXPECT_NE(add({3}, {-1}).find("coordinate 3"), std::string::npos);
  add({3}, {std::numeric_limits<double>::quiet_NaN()});
  add({3}, {std::numeric_limits<double>::infinity()});
  add({3, 4}, {1.7e308, 1.7e308});
  add({3}, {1, 2});
  EXPECT_EQ(builder.size(), 0U);
  EXPECT_EQ(builder.build().size(), 0U);
}

Histograms rows_of(std::vector<std::uint64_t> offsets, Ids coordinates, std::vector<float> values) {
  return {10, Array(std::move(offsets)), Array(std::move(coordinates)), Array(std::move(values))};
}

TEST(Histograms, ValidatesEveryBin) {
  EXPECT_EQ(rows_of({0, 2, 2, 3}, {1, 9, 0}, {.5F, .5F, 1}).size(), 3U);
  const auto refused = [](std::vector<std::uint64_t> offsets, Ids coordinates,
                          std::vector<float> values) {
    return test::error_of(ErrorCode::bad_input, [&] {
      rows_of(std::move(offsets), std::move(coordinates), std::move(values));
    });
  };
  refused({1, 2}, {0, 1}, {1, 1});
  refused({0, 3}, {0, 1}, {1, 1});
  refused({0, 1}, {0, 1}, {1, 1});
  refused({0, 2, 1, 2}, {0, 1}, {1, 1});
  refused({}, {0}, {1});
  refused({0, 1}, {0}, {});
  EXPECT_NE(refused({0, 0, 1}, {10}, {1}).find("row 1"), std::string::npos);
  refused({0, 2}, {1, 1}, {1, 1});
  refused({0, 2}, {2, 1}, {1, 1});
  refused({0, 1}, {0}, {-1});
  refused({0, 1}, {0}, {std::numeric_limits<float>::quiet_NaN()});
  refused({0, 1}, {0}, {std::numeric_limits<float>::infinity()});
}

TEST(Histograms, HaveAMassForEachRowOrNone) {
  const auto rows = [](std::vector<double> masses) {
    return Histograms(10, Array(std::vector<std::uint64_t>{0, 2, 2}), Array(Ids{1, 9}),
                      Array(std::vector<float>{.5F, .5F}), Array(std::move(masses)));
  };
  EXPECT_FALSE(rows({}).has_masses());
  EXPECT_EQ(rows({})[0].mass, 1);
  EXPECT_EQ(rows({3, 0})[0].mass, 3);
  for (const std::vector<double>& wrong : std::vector<std::vector<double>>{
           {3}, {3, 0, 0}, {0, 0}, {-1, 0}, {std::nan(""), 0}, {HUGE_VAL, 0}, {3, 1}})
    test::error_of(ErrorCode::bad_input, [&] { rows(wrong); });
  EXPECT_EQ(test::error_of(ErrorCode::bad_input,
                           [&] {
                             rows({3, 1});
                           }),
            "histogram row 1: its mass is 1, expected 0, since it has no weight");
}

TEST(Vocabulary, ValidatesSizesNumbersAndValues) {
  const Vocabulary plain(2, Array(std::vector<float>{0, 0, 3, 4}));
  EXPECT_EQ(plain.size(), 2U);
  EXPECT_EQ(plain.number(1), 1U);
  EXPECT_FALSE(plain.has_words());
  EXPECT_EQ(ground_distance(plain, 0, 1), 5.0);
  EXPECT_EQ(ground_distance(plain, 1, 1), 0.0);
  const auto refused = [](std::size_t dimensions, std::vector<float> values, Ids numbers) {
    return test::error_of(ErrorCode::bad_input, [&] {
      Vocabulary(dimensions, Array(std::move(values)), Array(std::move(numbers)));
    });
  };
  refused(2, {1, 2, 3}, {});
  refused(0, {1}, {});
  refused(1, {1, 2}, {5});
  refused(1, {1, 2}, {5, 5});
  EXPECT_NE(refused(2, {1, 2, 3, std::nanf("")}, {}).find("coordinate 1, dimension 1"),
            std::string::npos);
}

TEST(Vocabulary, NormalizesToLengthOneAndLeavesZero) {
  const Vocabulary unit = normalized(Vocabulary(2, Array(std::vector<float>{3, 4, 0, 0})));
  EXPECT_EQ(unit.coordinate(0)[0], 0.6F);
  EXPECT_EQ(unit.coordinate(0)[1], 0.8F);
  EXPECT_EQ(unit.coordinate(1)[0], 0.0F);
}

TEST(Measure, NamesGoBothWays) {
  for (const std::string name :
       {"bow", "wcd", "rwmd", "omr", "act-1", "act-15", "act-65535", "ict", "sinkhorn", "emd"})
    EXPECT_EQ(to_string(parse_measure(name)), name);
  EXPECT_EQ(parse_measure("act-0"), parse_measure("rwmd"));
  for (const std::string name : {"", "act", "act-", "act-x", "act--1", "act- 1", "act-65536",
                                 "act-99999999999", "bow,wcd", "rwmd-1", "e", " "})
    test::error_of(ErrorCode::usage, [&] { parse_measure(name); });
  EXPECT_EQ(parse_measures("bow,act-3").size(), 2U);
  test::error_of(ErrorCode::usage, [] { parse_measures("bow,"); });
}

TEST(Measure, NamesAreReadForgivingly) {
  const auto name_of = [](const char* text) { return to_string(parse_measure(text)); };
  for (const char* name : {"ACT-15", "act15", "act_15", "Act 15", " act-15\t"})
    EXPECT_EQ(name_of(name), "act-15") << name;
  for (const char* name : {"EMD", "wmd", "WMD", "Word Mover", "word mover's distance",
                           "Earth-Mover", "Earth Mover's Distance", "Wasserstein"})
    EXPECT_EQ(name_of(name), "emd") << name;
  for (const char* name : {"EMD-hat", "emd_hat", "emdhat"}) EXPECT_EQ(name_of(name), "emd-hat");
  EXPECT_EQ(name_of("LC-RWMD"), "rwmd");
  EXPECT_EQ(name_of("bag of words"), "bow");
  EXPECT_EQ(parse_measures("bow, ACT-3 ,wmd"),
            (std::vector<Measure>{{MeasureKind::bow}, {MeasureKind::act, 3}, {MeasureKind::emd}}));
}

TEST(Measure, ErrorsNameWhatWasProbablyMeant) {
  const auto error_of = [](const char* name) {
    return test::error_of(ErrorCode::usage, [&] { parse_measure(name); });
  };
  EXPECT_EQ(error_of("sinkhron"),
            "unknown measure 'sinkhron' (did you mean sinkhorn?); expected bow, wcd, rwmd, omr, "
            "act-<iterations>, ict, sinkhorn, emd or emd-hat");
  EXPECT_NE(error_of("ACT").find("(did you mean act-1?)"), std::string::npos);
  EXPECT_EQ(error_of("euclidean distance"),
            "unknown measure 'euclidean distance'; expected bow, wcd, rwmd, omr, "
            "act-<iterations>, ict, sinkhorn, emd or emd-hat");
}

TEST(Measure, TheTableHasEveryKindOnceAndAgreesWithItself) {
  EXPECT_EQ(all_facts().size(), measure_kinds);
  for (std::size_t i = 0; i < all_facts().size(); ++i) {
    const MeasureFacts& known = all_facts()[i];
    EXPECT_EQ(known.kind, static_cast<MeasureKind>(i));
    EXPECT_EQ(&facts(known.kind), &known);
    const Measure measure{known.kind, 7};
    EXPECT_EQ(parse_measure(to_string(measure)).kind, known.kind) << known.name;
    EXPECT_EQ(to_string(measure).ends_with("-7"), known.parameter == MeasureParameter::iterations);
    // What is exact or relaxed moves mass; a relaxation moves it one way.
    EXPECT_TRUE(known.moves_mass || (!known.exact && !known.relaxation && !known.whole_plan));
    EXPECT_TRUE(!known.relaxation || (!known.symmetric && !known.whole_plan));
    EXPECT_TRUE(!known.exact || known.whole_plan);
  }
}

TEST(Measure, EmdOneWayMovesMassesAsTheyAre) {
  for (const MeasureFacts& known : all_facts()) {
    const Measure measure{known.kind, 1, known.kind == MeasureKind::emd_hat ? 0.5 : 0};
    const bool emd = known.kind == MeasureKind::emd || known.kind == MeasureKind::emd_hat;
    EXPECT_EQ(is_partial(measure, Direction::query_to_database), emd) << known.name;
    EXPECT_EQ(is_partial(measure, Direction::database_to_query), emd) << known.name;
    EXPECT_FALSE(is_partial(measure, Direction::symmetric));
    const Question typed = typed_question(measure);
    EXPECT_NO_THROW(validate(typed)) << known.name;
    EXPECT_EQ(typed.bow_share, 0) << known.name;
    EXPECT_EQ(typed.direction == Direction::query_to_database, emd) << known.name;
    EXPECT_EQ(typed.direction == Direction::symmetric, known.symmetric) << known.name;
  }
}

TEST(Question, RefusesMixesOfEmdAndPricesThatNobodyPays) {
  const auto refused = [](const char* measure, Direction direction, double price) {
    Question question{parse_measure(measure), direction, {}};
    if (question.measure.kind == MeasureKind::emd_hat) question.measure.threshold = 1;
    question.price = price;
    return test::error_of(ErrorCode::usage, [&] { validate(question); });
  };
  EXPECT_EQ(refused("emd", Direction::mix(0.5), 0),
            "emd does not mix directions; expected symmetric, query or rows");
  refused("emd-hat", Direction::mix(0.5), 0);
  refused("emd", Direction::symmetric, 1);
  refused("act-1", Direction::query_to_database, 1);
  EXPECT_EQ(refused("emd-hat", Direction::query_to_database, 2),
            "the price of emd-hat is its threshold; expected no other");
  for (const double wrong : {-1.0, std::nan(""), HUGE_VAL})
    refused("emd", Direction::query_to_database, wrong);
}

TEST(Question, RefusesSharesOfADirectionThatAreNone) {
  for (const double wrong : {-0.1, 1.1, std::nan("")}) {
    const Question question{{}, {Direction::Way::mix, wrong}, {}};
    test::error_of(ErrorCode::usage, [&] { validate(question); });
  }
}

TEST(Direction, NamesGoBothWays) {
  for (const Direction direction : test::every_direction)
    EXPECT_EQ(parse_direction(to_string(direction)), direction);
  EXPECT_EQ(to_string(Direction::mix(0.23)), "mix:0.23");
  EXPECT_EQ(Direction::mix(0), Direction::query_to_database);
  EXPECT_EQ(Direction::mix(1), Direction::database_to_query);
  EXPECT_EQ(parse_direction("forward"), Direction::database_to_query);
  EXPECT_EQ(parse_direction("backward"), Direction::query_to_database);
  EXPECT_EQ(parse_direction(" Query"), Direction::query_to_database);
  EXPECT_EQ(parse_direction("MIX:0.25"), Direction::mix(0.25));
  for (const char* wrong : {"sideways", "mix", "mix:", "mix:a", "mix:-0.1", "mix:1.01", "mix:nan"})
    test::error_of(ErrorCode::usage, [&] { parse_direction(wrong); });
}

TEST(Strings, KeepBytesAndValidateOffsets) {
  const std::vector<std::string> values{"a", "", std::string("x\0y", 3)};
  const Strings strings(values);
  EXPECT_EQ(strings.to_vector(), values);
  EXPECT_EQ(Strings(strings.offsets(), strings.bytes()).to_vector(), values);
  const auto refused = [](std::vector<std::uint64_t> offsets) {
    test::error_of(ErrorCode::bad_input, [&] {
      Strings(Array(std::move(offsets)), Array(std::vector<char>{'a', 'b'}));
    });
  };
  refused({});
  refused({1, 2});
  refused({0, 2, 1, 2});
  refused({0, 1});
  refused({0, 3});
}

TEST(Pieces, AscendWithNumbersAndHaveFixedBorders) {
  EXPECT_EQ(core::piece_of(0), 0U);
  EXPECT_EQ(core::piece_of(63), 0U);
  EXPECT_EQ(core::piece_of(64), 1U);
  EXPECT_EQ(core::piece_of(1023), 15U);
  EXPECT_EQ(core::piece_of(1024), 16U);
  EXPECT_EQ(core::piece_of(2047), 16U);
  EXPECT_EQ(core::piece_of(2048), 17U);
}

TEST(Pieces, EndAfterTheirLastBinByNumberNotById) {
  const Vocabulary vocabulary(1, Array(std::vector<float>{0, 1, 2, 3, 4}),
                              Array(Ids{5, 63, 64, 2000, 2040}));
  const auto ends = [&](const Ids& coordinates) {
    const std::vector<float> weights(coordinates.size(), 1);
    return core::piece_ends(vocabulary, {coordinates, weights});
  };
  EXPECT_EQ(ends({0, 1, 2, 3, 4}), (Ids{2, 3, 5}));
  EXPECT_EQ(ends({1, 4}), (Ids{1, 2}));
  EXPECT_EQ(ends({2}), (Ids{1}));
  EXPECT_EQ(ends({}), Ids{});
}

}  // namespace
}  // namespace navvy
