// One searcher, many callers: threads and forked processes get the bytes of serial calls.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "search/exact_truth.hpp"

// ThreadSanitizer ends a forked process that starts a thread.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NAVVY_NO_FORK
#endif
#endif

namespace navvy {
namespace {

using test::Rng;

const std::vector<std::string> measures = {"bow", "wcd", "rwmd", "act-1", "ict", "sinkhorn", "emd"};

// All verbs with one measure, as one list of numbers.
std::vector<double> answers(const Searcher& searcher, const std::string& measure,
                            unsigned threads) {
  SearchOptions options = test::options_for(4, threads);
  options.question.measure = parse_measure(measure);
  std::vector<double> result;
  const auto add = [&](const Matches& matches) {
    for (std::size_t query = 0; query < matches.queries; ++query)
      for (const Match& match : matches[query]) {
        result.push_back(static_cast<double>(match.row));
        result.push_back(match.distance);
      }
  };
  const std::vector<std::uint32_t> rows = test::rows_with_weight(searcher.index(), 9);
  add(searcher.search_rows(rows, options));
  add(searcher.knn(options));
  searcher.distances({0, 5, 0, 12}, options.question, options.run,
                     [&](std::size_t, std::size_t, std::span<const float> values) {
                       result.insert(result.end(), values.begin(), values.end());
                     });
  return result;
}

Index index_for(std::size_t vocabulary_size) {
  Rng rng(vocabulary_size);
  return test::random_index(
      rng, {.dimensions = 3, .vocabulary_size = vocabulary_size, .rows = 40, .max_bins = 8});
}

TEST(Concurrent, CallersGetTheBytesOfSerialCalls) {
  for (const std::size_t vocabulary_size : {50U, 4200U}) {
    const Index index = index_for(vocabulary_size);
    std::vector<std::vector<double>> expected;
    {
      const Searcher alone(index);
      for (const std::string& measure : measures) expected.push_back(answers(alone, measure, 1));
    }
    for (const std::size_t callers : {1U, 4U, 16U}) {
      // Nothing is prepared yet: all ask at once for parts that are made once.
      const Searcher shared(index);
      std::vector<std::vector<double>> found(callers);
      {
        std::vector<std::jthread> threads;
        for (std::size_t caller = 0; caller < callers; ++caller)
          threads.emplace_back([&, caller] {
            found[caller] = answers(shared, measures[caller % measures.size()],
                                    static_cast<unsigned>(1 + caller % 3));
          });
      }
      for (std::size_t caller = 0; caller < callers; ++caller)
        EXPECT_EQ(found[caller], expected[caller % measures.size()])
            << measures[caller % measures.size()] << " by one of " << callers;
    }
  }
}

TEST(Concurrent, AForkedChildSearches) {
#ifdef NAVVY_NO_FORK
  GTEST_SKIP() << "ThreadSanitizer ends forked processes that start threads";
#endif
  const Searcher searcher(index_for(50));
  const std::vector<double> expected = answers(searcher, "act-1", 2);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(300);  // one that hangs is ended
    _exit(answers(searcher, "act-1", 2) == expected ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace navvy
