// Choices of rows: all of what is asked holds, and documents say what was left.
#include "app/choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "navvy/files.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace navvy::app {
namespace {

using test::error_of;
using testing::ElementsAre;

Index four_rows() {
  Index index;
  index.rows = Histograms(0, Array(std::vector<std::uint64_t>(5)), {}, {});
  set_labels(index, {"a", "b", "a", "b"});
  set_ids(index, {"w", "x", "y", "z"});
  index.fields.push_back(
      {"year", FieldType::number, {}, Array(std::vector<double>{1980, 1990, 2000, 2010}), {}});
  return index;
}

TEST(RowChoice, LeavesRowsThatMeetAllOfIt) {
  const test::TemporaryFolder folder;
  const std::filesystem::path ids = folder.path() / "ids.txt";
  write_file(ids, "z\nx\n\ny\n");
  const Index index = four_rows();
  const auto left = [&](const RowChoice& choice) {
    const ChosenRows chosen = chosen_rows(choice, index);
    return std::vector<int>(chosen.among.begin(), chosen.among.end());
  };
  EXPECT_THAT(left({}), ElementsAre());
  EXPECT_THAT(left({.labels = {"b", "a"}}), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(left({.where = "year >= 1990"}), ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(left({.ids = ids}), ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(left({.labels = {"b"}, .where = "year < 2010", .ids = ids}), ElementsAre(0, 1, 0, 0));
  EXPECT_EQ(error_of(ErrorCode::usage, [&] { left({.labels = {"a"}, .where = "id = x"}); }),
            "no row is left of 4: none meets the labels and the filter");
  EXPECT_THAT(error_of(ErrorCode::usage, [&] { left({.where = ""}); }),
              testing::HasSubstr("it is empty"));
}

TEST(RowChoice, IsSaidInDocuments) {
  const Index index = four_rows();
  const auto said = [&](const RowChoice& choice) {
    Json document = Json::object();
    add_choice(document, chosen_rows(choice, index));
    return document.dump();
  };
  EXPECT_EQ(said({}), "{}");
  EXPECT_EQ(said({.labels = {"a"}}), R"({"left":2})");
  EXPECT_EQ(said({.where = "year > 2000"}), R"({"where":"year > 2000","left":1})");
}

}  // namespace
}  // namespace navvy::app
