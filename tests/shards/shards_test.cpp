// A folder of shards answers like one index, however rows are shared out and whoever asks at once.
#include <gtest/gtest.h>

#include <thread>

#include "shards/cases.hpp"
#include "support/effort.hpp"

namespace navvy {
namespace {

using test::asking;

const std::vector<std::string> measures =
    test::sanitized ? std::vector<std::string>{"act-1", "emd"}
                    : std::vector<std::string>{"bow", "wcd", "act-1", "ict", "sinkhorn", "emd"};
const std::vector<std::size_t> counts =
    test::sanitized ? std::vector<std::size_t>{1, 4} : std::vector<std::size_t>{1, 2, 4, 7};

std::vector<Index> indexes() {
  return {test::plain_case(), test::text_case(Weighting::tf), test::text_case(Weighting::tfidf)};
}

// The rows of an index that may ask the whole: a query without weight is an error there.
Index askers(const Index& index) {
  Index queries = test::queries_of(index);
  const std::vector<std::uint32_t> rows = test::rows_with_weight(index, 9);
  queries.rows = core::chosen_rows(index.rows, rows);
  return queries;
}

TEST(Shards, AnswerLikeOneIndex) {
  for (const Index& index : indexes()) {
    const Searcher one(index);
    const Index queries = askers(index);
    for (const std::size_t count : counts)
      for (const Sharing sharing : {Sharing::contiguous, Sharing::hashed}) {
        const test::TemporaryFolder folder;
        split(index, count, sharing, folder / "s");
        const Shards shards(folder / "s");
        for (const std::string& measure : measures) {
          SCOPED_TRACE(measure + " " + std::to_string(count));
          const SearchOptions options = asking(measure);
          EXPECT_EQ(test::lists_of(test::search_all(shards, queries, options).matches),
                    test::lists_of(one.search(queries.rows, queries.vocabulary, options)));
          const Lists graph = test::knn_all(shards, options);
          EXPECT_EQ(test::lists_of(by_row(graph, index.rows.size())),
                    test::lists_of(one.knn(options)));
        }
        const Index whole = open_whole(folder / "s");
        EXPECT_EQ(test::lists_of(Searcher(whole).knn(asking("act-1"))),
                  test::lists_of(one.knn(asking("act-1"))));
      }
  }
}

TEST(Shards, FewRowsInManyShardsLeaveSomeEmpty) {
  const Index index = test::first_rows(test::plain_case(), 5);
  const test::TemporaryFolder folder;
  split(index, 5, Sharing::hashed, folder / "s");
  const Shards shards(folder / "s");
  EXPECT_EQ(test::lists_of(by_row(test::knn_all(shards, asking("act-1")), 5)),
            test::lists_of(Searcher(index).knn(asking("act-1"))));
}

TEST(Shards, ListsWithinARadiusAreNotCut) {
  const Index index = test::plain_case();
  const test::TemporaryFolder folder;
  split(index, 3, Sharing::hashed, folder / "s");
  const Shards shards(folder / "s");
  SearchOptions options = asking("act-1", uncut);
  options.within = 1;
  const Index queries = askers(index);
  const Lists found = test::search_all(shards, queries, options);
  EXPECT_TRUE(found.uncut);
  EXPECT_EQ(test::lists_of(found.matches),
            test::lists_of(Searcher(index).search(queries.rows, queries.vocabulary, options)));
}

TEST(Shards, ManyThreadsGetTheAnswersOfOne) {
  const Index index = test::text_case(Weighting::tfidf);
  const test::TemporaryFolder folder;
  split(index, 3, Sharing::hashed, folder / "s");
  const Index queries = test::queries_of(index);
  const Shards alone(folder / "s");
  const auto found = test::search_all(alone, queries, asking("act-1"));
  const auto graph = test::knn_all(alone, asking("act-1"));
  const Shards shared(folder / "s");
  std::vector<std::vector<std::byte>> answers(6);
  {
    std::vector<std::jthread> threads;
    for (std::size_t caller = 0; caller < answers.size(); ++caller)
      threads.emplace_back([&, caller] {
        answers[caller] =
            to_bytes(caller % 2 == 0 ? test::search_all(shared, queries, asking("act-1"))
                                     : test::knn_all(shared, asking("act-1")));
      });
  }
  for (std::size_t caller = 0; caller < answers.size(); ++caller)
    EXPECT_EQ(answers[caller], to_bytes(caller % 2 == 0 ? found : graph)) << caller;
}

}  // namespace
}  // namespace navvy
