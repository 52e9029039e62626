// Fields in JSON: values of rows, summaries, and rows as lines.
#include "app/fields.hpp"

#include <gtest/gtest.h>

#include "app/export.hpp"
#include "app/summary.hpp"
#include "navvy/loaders.hpp"

namespace navvy::app {
namespace {

using Texts = std::vector<std::string>;

Index three_rows() {
  HistogramsBuilder builder(3);
  builder.add(std::vector<std::uint32_t>{0, 2}, std::vector<double>{1, 2});
  builder.add(std::vector<std::uint32_t>{1}, std::vector<double>{1});
  builder.add({}, {});
  const Vocabulary points(1, Array(std::vector<float>{0, 1, 2}),
                          Array(std::vector<std::uint32_t>{5, 6, 70}));
  Index index = index_histograms(builder.build(), points);
  set_fields(index, {make_field("year", FieldType::number, Texts{"1990", "", "-0.5"}),
                     make_field("day", FieldType::date, Texts{"", "1999-12-31", ""}),
                     make_field("by", FieldType::text, Texts{"Ann\x1b", "", ""}),
                     make_field("none", FieldType::text, Texts{"", "", ""})});
  return index;
}

TEST(FieldsJson, HasWhatARowHas) {
  const Index index = three_rows();
  EXPECT_EQ(fields_json(index, 0).dump(), "{\"year\":1990,\"by\":\"Ann\\u001b\"}");
  EXPECT_EQ(fields_json(index, 1).dump(), R"({"day":"1999-12-31"})");
  EXPECT_EQ(fields_json(index, 2).dump(), R"({"year":-0.5})");
}

TEST(FieldsJson, TellsTypesAndRanges) {
  const Json fields = summary_json(three_rows(), summarize(three_rows()))["fields"];
  EXPECT_EQ(fields[0].dump(),
            R"({"name":"year","type":"number","values":2,"least":-0.5,"most":1990})");
  EXPECT_EQ(fields[1]["most"], "1999-12-31");
  EXPECT_EQ(fields[2].dump(), R"({"name":"by","type":"text","values":1})");
  EXPECT_EQ(fields[3]["values"], 0);
}

TEST(RowLine, HasNumbersOfCoordinatesAndShortWeights) {
  const Index index = three_rows();
  EXPECT_EQ(row_line(index, 0),
            "{\"row\":0,\"id\":\"0\",\"fields\":{\"year\":1990,\"by\":\"Ann\\u001b\"},"
            "\"bins\":[[5,0.33333334],[70,0.6666667]]}");
  EXPECT_EQ(row_line(index, 2), R"({"row":2,"id":"2","fields":{"year":-0.5},"bins":[]})");
}

TEST(RowLine, HasPlacesOfPixels) {
  const Index index = index_images({1, 2, 2, {0, 3, 0, 1}});
  EXPECT_EQ(row_line(index, 0), R"({"row":0,"id":"0","bins":[[0,1,0.75],[1,1,0.25]]})");
}

}  // namespace
}  // namespace navvy::app
