// Interrupted work goes on from its checkpoint and gives the same bits; a checkpoint of other work,
// or a damaged one, is refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "navvy/error.hpp"
#include "navvy/search.hpp"
#include "support/expect_error.hpp"
#include "support/random_histograms.hpp"
#include "support/temporary_folder.hpp"

namespace navvy {
namespace {

using test::SampleShape;

// Some rows are without weight.
Index random_index(const SampleShape& shape) {
  test::Rng rng(15);
  const test::Sample sample = test::random_sample(rng, shape);
  HistogramsBuilder builder(shape.vocabulary_size);
  for (std::size_t row = 0; row < sample.rows.size(); ++row) {
    const Histogram histogram = sample.rows[row];
    const std::vector<double> weights(histogram.weights.begin(), histogram.weights.end());
    if (row % 50 == 7)
      builder.add({}, {});
    else
      builder.add(histogram.coordinates, weights);
  }
  Index index;
  index.vocabulary = sample.vocabulary;
  index.rows = builder.build();
  return index;
}

Index small_index(std::size_t rows) {
  SampleShape shape;
  shape.rows = rows;
  shape.vocabulary_size = 60;
  shape.grid = true;  // many ties
  return random_index(shape);
}

// More coordinates than the tables for small supports take.
Index text_like_index(std::size_t rows) {
  SampleShape shape;
  shape.rows = rows;
  shape.dimensions = 3;
  shape.vocabulary_size = 4200;
  return random_index(shape);
}

SearchOptions options_for(const std::string& measure, std::size_t top = 3) {
  SearchOptions options;
  options.question.measure = parse_measure(measure);
  options.top = top;
  return options;
}

template <class T>
void expect_same_bytes(const std::vector<T>& found, const std::vector<T>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_TRUE(found.empty() ||
              std::memcmp(found.data(), expected.data(), found.size() * sizeof(T)) == 0);
}

void expect_same(const Matches& found, const Matches& expected) {
  expect_same_bytes(found.rows, expected.rows);
  expect_same_bytes(found.distances, expected.distances);
  expect_same_bytes(found.lower, expected.lower);
  expect_same_bytes(found.upper, expected.upper);
  expect_same_bytes(found.exact, expected.exact);
  ASSERT_EQ(found.proofs.size(), expected.proofs.size());
  for (std::size_t row = 0; row < found.proofs.size(); ++row) {
    EXPECT_EQ(found.proofs[row].rows, expected.proofs[row].rows);
    EXPECT_EQ(found.proofs[row].solves, expected.proofs[row].solves);
    EXPECT_EQ(found.proofs[row].matches, expected.proofs[row].matches);
    EXPECT_EQ(found.proofs[row].certain, expected.proofs[row].certain);
  }
}

class Checkpoints : public testing::Test {
 protected:
  // Goes on until something new is saved, and is interrupted then; false where it came to its end.
  bool is_interrupted(const Searcher& searcher, SearchOptions options, Matches& found) {
    const std::string before = saved();
    options.run.progress = [&](const Progress&) { return saved() == before; };
    try {
      found = searcher.knn(options, {file_, 0});
      return false;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::interrupted) << error.what();
      return true;
    }
  }

  // Interrupted after every part; returns how often.
  int expect_resumed(const Index& index, const SearchOptions& options) {
    const Matches expected = Searcher(index).knn(options);
    std::filesystem::remove(file_);
    Matches found;
    int interruptions = 0;
    while (is_interrupted(Searcher(index), options, found)) ++interruptions;
    expect_same(found, expected);
    return interruptions;
  }

  // A file that holds the outcome of the first part.
  void interrupt_once(const Searcher& searcher, const SearchOptions& options) {
    Matches found;
    ASSERT_TRUE(is_interrupted(searcher, options, found));
  }

  void expect_refused(const Searcher& searcher, const SearchOptions& options, ErrorCode code) {
    const std::string before = saved();
    const std::string message = test::error_of(code, [&] { searcher.knn(options, {file_, 0}); });
    EXPECT_NE(message.find(file_.string()), std::string::npos) << message;
    EXPECT_TRUE(saved() == before);
  }

  std::string saved() const { return test::read_file(file_); }

  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "graph.npz.parts";
};

TEST_F(Checkpoints, LowerBoundsAreResumed) {
  const Index index = small_index(1100);  // two tiles, so three pairs of them
  const SearchOptions options = options_for("act-1");
  EXPECT_EQ(Searcher(index).knn(options).counters.stages.front().measure, "coarse act-1");
  EXPECT_EQ(expect_resumed(index, options), 2);
}

TEST_F(Checkpoints, DistancesAreResumed) {
  EXPECT_EQ(expect_resumed(small_index(1100), options_for("bow")), 2);
  EXPECT_EQ(expect_resumed(text_like_index(1100), options_for("wcd")), 2);
  EXPECT_EQ(expect_resumed(text_like_index(1100), options_for("rwmd")), 2);
}

TEST_F(Checkpoints, RowsAreResumedOneByOne) {
  // One of these rows has no weight, and nothing is left to resume after the last.
  EXPECT_EQ(expect_resumed(small_index(20), options_for("emd")), 18);
  EXPECT_EQ(expect_resumed(text_like_index(9), options_for("emd")), 7);
  EXPECT_EQ(expect_resumed(small_index(9), options_for("sinkhorn")), 7);
}

TEST_F(Checkpoints, ChosenRowsAndLimitsAreResumed) {
  const Index index = small_index(1100);
  for (const char* measure : {"act-1", "bow"}) {
    SearchOptions options = options_for(measure);
    std::vector<std::uint8_t> among(index.rows.size());
    std::vector<double> limits(index.rows.size());
    for (std::size_t row = 0; row < among.size(); ++row) {
      among[row] = row % 3 == 0 ? 0 : 1;
      limits[row] = row % 2 == 0 ? 0.4 : 1.2;
    }
    options.among = Array(std::move(among));
    options.limits = Array(std::move(limits));
    EXPECT_EQ(expect_resumed(index, options), 2) << measure;
  }
}

TEST_F(Checkpoints, NothingIsLeftOutBetweenSaves) {
  const Index index = small_index(60);
  SearchOptions options = options_for("emd");
  options.run.threads = 2;
  const Searcher searcher(index);
  // So rarely that nothing is saved, and at the pace that saving allows.
  for (const double seconds : {1e9, 1e-9}) {
    std::filesystem::remove(file_);
    expect_same(searcher.knn(options, {file_, seconds}), searcher.knn(options));
    EXPECT_EQ(std::filesystem::exists(file_), seconds < 1);
  }
}

TEST_F(Checkpoints, OtherWorkIsRefused) {
  const Index index = small_index(20);
  const Searcher searcher(index);
  const SearchOptions options = options_for("emd");
  interrupt_once(searcher, options);
  expect_refused(searcher, options_for("emd", 4), ErrorCode::usage);
  expect_refused(searcher, options_for("sinkhorn"), ErrorCode::usage);
  SearchOptions other = options;
  other.exact.tolerance = 0.01;
  expect_refused(searcher, other, ErrorCode::usage);
  expect_refused(Searcher(small_index(21)), options, ErrorCode::usage);
  expect_refused(Searcher(index, "reference"), options, ErrorCode::usage);
}

TEST_F(Checkpoints, OtherPartsOfTheSameWorkAreRefused) {
  const Searcher searcher(text_like_index(2100));
  SearchOptions options = options_for("rwmd");
  options.run.threads = 2;
  interrupt_once(searcher, options);
  options.run.memory = 40U << 20U;  // tables of two tiles of queries at a time, not of all
  expect_refused(searcher, options, ErrorCode::usage);
}

TEST_F(Checkpoints, ADamagedFileIsRefused) {
  for (const char* measure : {"act-1", "emd"}) {
    const Index index = small_index(measure == std::string("emd") ? 20 : 1100);
    const Searcher searcher(index);
    const SearchOptions options = options_for(measure);
    std::filesystem::remove(file_);
    interrupt_once(searcher, options);
    const std::string whole = saved();
    for (std::size_t place = 0; place < whole.size();
         place += std::max<std::size_t>(1, whole.size() / 20)) {
      std::string damaged = whole;
      damaged[place] = static_cast<char>(damaged[place] ^ 0x10);
      test::write_file(file_, damaged);
      expect_refused(searcher, options, ErrorCode::bad_input);
      test::write_file(file_, whole.substr(0, place));
      expect_refused(searcher, options, ErrorCode::bad_input);
    }
    test::write_file(file_, whole + '\0');
    expect_refused(searcher, options, ErrorCode::bad_input);
  }
}

}  // namespace
}  // namespace navvy
