// What cannot be asked of shards, and queries that were made in other ways than their rows.
#include <gtest/gtest.h>

#include "navvy/edit.hpp"
#include "navvy/error.hpp"
#include "shards/cases.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::asking;
using test::error_of;
using ::testing::HasSubstr;

TEST(RefusedShards, QueriesOfAnotherMaking) {
  const std::vector<Weighting> weightings = {Weighting::tf, Weighting::log, Weighting::tfidf};
  for (const Weighting weighting : weightings) {
    const Index index = test::text_case(weighting);
    const test::TemporaryFolder folder;
    split(index, 2, Sharing::hashed, folder / "s");
    const Shards shards(folder / "s");
    EXPECT_NO_THROW(static_cast<void>(shards.search(0, test::queries_of(index), asking("act-1"))));
    const auto refused = [&](const Index& queries) {
      EXPECT_THAT(error_of(ErrorCode::bad_input,
                           [&] { static_cast<void>(shards.search(0, queries, asking("act-1"))); }),
                  HasSubstr("the queries were encoded by another vocabulary"));
    };
    refused(index);  // it knows only its own rows, and tells no collection
    for (const Weighting other : weightings)
      if (other != weighting) refused(test::queries_of(test::text_case(other)));
  }
}

TEST(RefusedShards, TheWholeIsNoPartOfACollection) {
  const Index index = test::text_case(Weighting::tf);
  const test::TemporaryFolder folder;
  split(index, 2, Sharing::contiguous, folder / "s");
  EXPECT_FALSE(open_whole(folder / "s").properties.contains(collection_property));
  // Under tf a shard may join any rows, and is none afterwards.
  const Index joined = merged(Shards(folder / "s").open(0),
                              removed(index, Shards(folder / "s").open(0).ids.to_vector()));
  EXPECT_FALSE(joined.properties.contains(collection_property));
  EXPECT_EQ(joined.rows.size(), index.rows.size());
}

TEST(RefusedShards, AChoiceOfRows) {
  const Index index = test::plain_case();
  const test::TemporaryFolder folder;
  split(index, 2, Sharing::contiguous, folder / "s");
  const Shards shards(folder / "s");
  SearchOptions options = asking("act-1");
  options.among = Array(std::vector<std::uint8_t>(index.rows.size(), 1));
  const auto message = HasSubstr("a choice of rows asked of shards");
  EXPECT_THAT(
      error_of(ErrorCode::usage, [&] { static_cast<void>(shards.search(0, index, options)); }),
      message);
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { static_cast<void>(shards.knn(0, 1, options)); }),
              message);
}

TEST(RefusedShards, FoldersWithFilesOfOthers) {
  const test::TemporaryFolder folder;
  for (const std::string name : {"shard-0001.navvy", "vocabulary.navvy"}) {
    const std::filesystem::path path = folder / name.substr(0, 5);
    std::filesystem::create_directories(path);
    test::write_file(path / name, "my notes");
    EXPECT_THAT(
        error_of(ErrorCode::usage,
                 [&] { split(test::text_case(Weighting::tf), 2, Sharing::contiguous, path); }),
        HasSubstr(name + ": exists and is not a navvy index"));
    EXPECT_EQ(test::read_file(path / name), "my notes");
    EXPECT_FALSE(std::filesystem::exists(path / "shard-0000.navvy"));
  }
}

}  // namespace
}  // namespace navvy
