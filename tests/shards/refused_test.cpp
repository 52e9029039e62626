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
