// Names and documents of devices, and the data that benchmarks of them make up.
#include "app/devices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "app/device_bench.hpp"
#include "app/made_up.hpp"
#include "app/summary.hpp"

namespace navvy::app {
namespace {

TEST(Devices, KernelsOfTheProcessorAreCalledCpu) {
  EXPECT_EQ(device_name("cpu:avx2"), "cpu");
  EXPECT_EQ(device_name("cpu"), "cpu");
  EXPECT_EQ(device_name("opencl:0,cuda:1"), "opencl:0,cuda:1");
}

TEST(Devices, ADocumentTellsWhatFailed) {
  const TestedDevice good{{"cuda:0", "a card", "a driver 1.2", 8, true, true}, {"", 0.25}};
  const TestedDevice bad{{"opencl:0", "a card", "another", 4, true, false},
                         {"row_costs differs", 0}};
  const Json document = devices_document(std::vector{good, bad});
  const Json& first = document["devices"][0];
  EXPECT_EQ(first["name"], "cuda:0");
  EXPECT_EQ(first["memory"], 8);
  EXPECT_EQ(first["self_test"], (Json{{"passed", true}, {"failure", nullptr}, {"seconds", 0.25}}));
  const Json& second = document["devices"][1];
  EXPECT_EQ(second["doubles"], false);
  EXPECT_EQ(second["self_test"]["failure"], "row_costs differs");
  EXPECT_TRUE(second["self_test"]["seconds"].is_null());
}

TEST(Devices, GpusAreMeasuredOnMoreRows) {
  const TestedDevice gpu{{"cuda:0", "", "", 0, true, true}, {}};
  const TestedDevice other{{"opencl:0", "", "", 0, false, true}, {}};
  EXPECT_GT(bench_rows(std::vector{gpu}), bench_rows(std::vector{gpu, other}));
}

TEST(Devices, MadeUpImagesLookLikeThoseOfDigits) {
  const Index index = made_up_images(50);
  const Summary summary = summarize(index);
  EXPECT_EQ(summary.n, 50U);
  EXPECT_EQ(summary.m, 2U);
  EXPECT_EQ(summary.empty, 0U);
  EXPECT_GT(summary.h, 80);
  EXPECT_LT(summary.h, 250);
  // More rows do not change those before them: figures of different sizes speak of the same data.
  const Index more = made_up_images(60);
  EXPECT_TRUE(std::ranges::equal(index.rows[49].weights, more.rows[49].weights));
}

TEST(Devices, MadeUpTextsShareFewWords) {
  const Index index = made_up_texts(40);
  const Summary summary = summarize(index);
  EXPECT_EQ(summary.n, 40U);
  EXPECT_EQ(summary.m, 100U);
  EXPECT_GT(summary.v, 500U);
  EXPECT_GT(summary.h, 30);
  EXPECT_LE(summary.largest, 80U);
}

}  // namespace
}  // namespace navvy::app
