// Manifests that tell what their shards are not, with right checksums: refused before it matters.
#include <gtest/gtest.h>

#include <functional>

#include "navvy/edit.hpp"
#include "navvy/error.hpp"
#include "shards/cases.hpp"
#include "support/expect_error.hpp"

namespace navvy {
namespace {

using test::asking;
using test::error_of;
using ::testing::HasSubstr;

class HostileManifest : public ::testing::Test {
 protected:
  void make(const Index& index, std::size_t shards, Sharing sharing) {
    index_ = index;
    split(index, shards, sharing, path_);
  }

  void change(const std::function<void(ShardManifest&)>& edit) const {
    ShardManifest manifest = read_manifest(path_);
    edit(manifest);
    write_manifest(manifest, path_);
  }

  // Every task that needs the shard says the same.
  void expect_refused(const std::string& message, ErrorCode code = ErrorCode::bad_input) const {
    const Shards shards(path_);
    const Index queries = test::queries_of(index_);
    const std::vector<std::function<void()>> tasks = {
        [&] { static_cast<void>(shards.search(0, queries, asking("act-1"))); },
        [&] { static_cast<void>(shards.knn(0, 0, asking("act-1"))); },
        [&] { static_cast<void>(shards.open(0)); }, [&] { static_cast<void>(open_whole(path_)); }};
    for (const auto& task : tasks) EXPECT_THAT(error_of(code, task), HasSubstr(message));
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "s";
  Index index_;
};

TEST_F(HostileManifest, MayNotTellOtherNumbersOfRows) {
  make(test::plain_case(), 1, Sharing::contiguous);
  for (const std::uint64_t rows : {0U, 1U, 40U, 42U, 2147483645U}) {
    change([&](ShardManifest& manifest) { manifest.shards[0].rows = rows; });
    const std::string message = "has 41 rows, the manifest tells " + std::to_string(rows);
    expect_refused(message);
    EXPECT_THAT(
        error_of(ErrorCode::bad_input, [&] { static_cast<void>(Shards(path_).rows_of(0)); }),
        HasSubstr(message));
  }
}

// In time and memory that follow from the rows which are there: otherwise this test takes minutes.
TEST_F(HostileManifest, CostsNothingWhereRowsAreHashed) {
  make(test::plain_case(), 3, Sharing::hashed);
  constexpr std::uint64_t many = 2147483646;
  const std::uint64_t own = Shards(path_).manifest().shards[0].rows;
  change([&](ShardManifest& manifest) {
    for (NamedFile& shard : manifest.shards) shard.rows = many;
  });
  for (std::size_t shard = 0; shard < 3; ++shard)
    EXPECT_THAT(
        error_of(ErrorCode::bad_input, [&] { static_cast<void>(Shards(path_).rows_of(shard)); }),
        HasSubstr("the manifest tells 2147483646"));
  EXPECT_THAT(error_of(ErrorCode::bad_input,
                       [&] { static_cast<void>(Shards(path_).knn(0, 1, asking("act-1"))); }),
              HasSubstr("the manifest tells 2147483646"));
  // One that lies about the other shards alone.
  change([&](ShardManifest& manifest) { manifest.shards[0].rows = own; });
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { static_cast<void>(Shards(path_).rows_of(0)); }),
              HasSubstr("hashing puts more there"));
}

TEST_F(HostileManifest, MayNotTellAnotherKind) {
  make(test::plain_case(), 1, Sharing::contiguous);
  change([](ShardManifest& manifest) { manifest.kind = DataKind::images; });
  expect_refused("this is an index of histograms, the manifest tells images");
}

TEST_F(HostileManifest, NamesOneFileTwiceInVain) {
  make(test::plain_case(), 2, Sharing::hashed);
  change([](ShardManifest& manifest) { manifest.shards[0] = manifest.shards[1]; });
  EXPECT_THROW(static_cast<void>(open_whole(path_)), Error);
}

TEST_F(HostileManifest, AReplacedShardIsNamed) {
  make(test::plain_case(), 2, Sharing::contiguous);
  save_index(test::first_rows(index_, 20), path_ / "shard-0000.navvy");
  expect_refused("shard-0000.navvy: this is not the file that the manifest names");
}

TEST_F(HostileManifest, TextsNeedAVocabulary) {
  make(test::text_case(Weighting::tfidf), 2, Sharing::contiguous);
  change([](ShardManifest& manifest) { manifest.vocabulary.clear(); });
  EXPECT_THAT(error_of(ErrorCode::bad_input, [&] { static_cast<void>(Shards(path_)); }),
              HasSubstr("manifest.json: shards of texts without a vocabulary"));
}

TEST_F(HostileManifest, AVocabularyHasNoRows) {
  const Index index = test::text_case(Weighting::tfidf);
  make(index, 2, Sharing::contiguous);
  const std::vector<std::string> files = {"shard-0000.navvy"};
  EXPECT_THAT(
      error_of(ErrorCode::bad_input, [&] { make_shards(path_, files, "shard-0001.navvy"); }),
      HasSubstr("expected a vocabulary, which has none"));
}

}  // namespace
}  // namespace navvy
