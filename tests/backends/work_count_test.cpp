// What kernels move and compute, counted by hand for small sizes, and what a device's tally says.
#include "backends/device/work_count.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "navvy/devices.hpp"
#include "support/no_device.hpp"

namespace navvy::backends {
namespace {

constexpr WorkSizes sizes{10, 3, 2, 2};  // coordinates, dimensions, levels

TEST(WorkCount, HasSquaresTileByTile) {
  // Two tiles side by side: the 70 of one side are read once, the one of the other twice. Each is
  // read with its number and its norm.
  const Work work = squares_work(70, 1, 3);
  EXPECT_EQ(work.bytes, (70 + 2) * 5 * 4 + 70 * 4);
  EXPECT_EQ(work.least, (70 + 1) * 5 * 4 + 70 * 4);
  EXPECT_EQ(work.operations, 70 * (2 * 3 + 7));
}

TEST(WorkCount, HasTablesOnceForEachBin) {
  // Two rows with seven bins into one block of four lanes: three planes, six operations.
  const Work work = row_costs_work(sizes, {2, 7, 4, 1});
  const std::uint64_t rows = 7 * 8 + 2 * 16;
  EXPECT_EQ(work.bytes, rows + 7 * 4 * 3 * 4 + 2 * 4 * 4);
  EXPECT_EQ(work.least, work.bytes) << "fewer bins than coordinates";
  EXPECT_EQ(work.operations, 7 * 4 * 6);
  EXPECT_EQ(row_costs_work(sizes, {2, 70, 4, 1}).least,
            70 * 8 + 2 * 16 + 10 * 4 * 3 * 4 + 2 * 4 * 4);
}

TEST(WorkCount, AddsUpOverParts) {
  const Work all = row_costs_work(sizes, {5, 40, 64, 3});
  const Work first = row_costs_work(sizes, {2, 15, 64, 3});
  const Work rest = row_costs_work(sizes, {3, 25, 64, 3});
  EXPECT_EQ(first.bytes + rest.bytes, all.bytes);
  EXPECT_EQ(first.operations + rest.operations, all.operations);
  EXPECT_LE(all.least, first.least + rest.least) << "tables are read by both";
}

TEST(WorkCount, NeedsNeverMoreThanItUses) {
  for (const Work& work : {squared_norms_work(sizes),
                           squares_work(100, 70, 3),
                           sort_neighbours_work(10, 16),
                           spread_work(5, 40),
                           pick_sorted_work(sizes, 9, 3, 64),
                           pick_sorted_work(sizes, 0, 0, 64),
                           pick_work(sizes, 64, 9, 3, 5),
                           pick_fused_work(sizes, 9, 3),
                           pick_fused_work(sizes, 0, 0),
                           bow_costs_work(sizes, {2, 9, 64, 2}),
                           wcd_costs_work(sizes, {2, 0, 3}),
                           squared_lengths_work(2, 9),
                           centroids_work(sizes, 2, 9),
                           query_costs_work(sizes, 4, 2, 9),
                           query_costs_sorted_work(sizes, 4, 2, 9),
                           query_costs_sorted_work(sizes, 4, 0, 0),
                           combine_work(33, 5),
                           update_lists_work(7, 9),
                           sinkhorn_work(12, 3),
                           copy_work(8)})
    EXPECT_LE(work.least, work.bytes);
}

// Texts over so many words that tables are dear.
Index made_up_rows(std::size_t rows) {
  constexpr std::size_t words = 5000;
  std::mt19937 random(1);
  std::vector<float> values;
  for (std::size_t i = 0; i < 2 * words; ++i) values.push_back(static_cast<float>(random() % 97));
  HistogramsBuilder builder(words);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t> ids;
    for (int bin = 0; bin < 4; ++bin) ids.push_back(static_cast<std::uint32_t>(random() % words));
    builder.add(ids, std::vector<double>(ids.size(), 1.0));
  }
  Index index;
  index.vocabulary = {2, Array(std::move(values))};
  index.rows = builder.build();
  return index;
}

// Operations of all tables that all pairs take on a card with so much memory.
double tables_made(const Index& index, std::uint64_t memory) {
  devices::Facts card{"a card of " + std::to_string(memory) + " bytes", "", ""};
  card.memory = card.largest_buffer = memory;
  card.largest_group = 256;
  card.is_gpu = true;
  const auto work = test::all_pairs_work(index, parse_measure("act-1"), 8, card, 2);
  return static_cast<double>(work[static_cast<std::size_t>(Phase::nearest)].operations);
}

TEST(WorkCount, ShowsThatTablesAreKept) {
  const Index index = made_up_rows(10000);
  const double once = tables_made(index, std::uint64_t{4} << 30U);
  // Room for four of the ten tables: three stay while the others pass by, so that those of
  // 10 + 7 + 4 + 1 tiles are made, less what is still there.
  const double made = tables_made(index, std::uint64_t{520} << 20U);
  EXPECT_GT(made / once, 1.9);
  EXPECT_LT(made / once, 2.2);
}

TEST(WorkTally, AddsUpWhatThreadsCount) {
  const std::string name = "a device of this test";
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int launch = 0; launch < 1000; ++launch)
        work_tally(name).add(Phase::lists, {3, 2, 1}, std::chrono::milliseconds(1));
    });
  for (std::thread& thread : threads) thread.join();
  const std::vector<DevicePhase> work = device_work(name);
  ASSERT_EQ(work.size(), phases);
  for (const DevicePhase& phase : work) {
    const std::uint64_t launches = phase.name == "lists" ? 4000 : 0;
    EXPECT_EQ(phase.launches, launches);
    EXPECT_EQ(phase.bytes, 3 * launches);
    EXPECT_EQ(phase.least_bytes, 2 * launches);
    EXPECT_EQ(phase.operations, launches);
    EXPECT_DOUBLE_EQ(phase.seconds, static_cast<double>(launches) * 1e-3);
  }
  reset_device_work(name);
  for (const DevicePhase& phase : device_work(name)) EXPECT_EQ(phase.launches, 0);
}

}  // namespace
}  // namespace navvy::backends
