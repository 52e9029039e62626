// What a call carries: its share of threads, its budget, and memory handed on between calls.

#include "core/run.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "support/expect_error.hpp"

namespace navvy::core {
namespace {

constexpr std::uint64_t megabyte = 1U << 20U;

const ProgressCallback silent;

TEST(Workspaces, HandOnWhatWasGivenOnce) {
  Workspaces workspaces;
  workspaces.keep_for(1600 * megabyte);
  Block block = workspaces.take(megabyte);
  const void* place = block.data();
  block = Block();
  EXPECT_EQ(workspaces.spare(), megabyte);
  const Block again = workspaces.take(megabyte);
  EXPECT_EQ(again.data(), place);
  EXPECT_EQ(workspaces.spare(), 0U);
  const Block other = workspaces.take(megabyte);
  EXPECT_NE(other.data(), place);
}

TEST(Workspaces, GiveTheSmallestBlockThatIsLargeEnough) {
  Workspaces workspaces;
  workspaces.keep_for(1600 * megabyte);
  std::vector<const void*> places;
  {
    std::vector<Block> blocks;
    for (const std::uint64_t size : {5U, 3U, 9U}) {
      blocks.push_back(workspaces.take(size * megabyte));
      places.push_back(blocks.back().data());
    }
  }
  EXPECT_EQ(workspaces.spare(), 17 * megabyte);
  const Block four = workspaces.take(4 * megabyte);
  EXPECT_EQ(four.data(), places[0]);
  EXPECT_EQ(workspaces.spare(), 13 * megabyte);  // with the fifth that nobody asked for
  EXPECT_NE(workspaces.take(10 * megabyte).data(), places[2]);
}

TEST(Workspaces, KeepNoMoreThanAllowed) {
  Workspaces workspaces;
  EXPECT_EQ(workspaces.keep_for(160 * megabyte), 10 * megabyte);
  { const Block large = workspaces.take(11 * megabyte); }
  EXPECT_EQ(workspaces.spare(), 0U);
  {
    const Block first = workspaces.take(6 * megabyte);
    const Block second = workspaces.take(3 * megabyte);
    const Block third = workspaces.take(4 * megabyte);
  }  // the first is given back last, and what came before gives way
  EXPECT_EQ(workspaces.spare(), 9 * megabyte);
  EXPECT_EQ(workspaces.keep_for(16 * 7 * megabyte), 7 * megabyte);
  EXPECT_EQ(workspaces.spare(), 6 * megabyte);
  EXPECT_EQ(workspaces.keep_for(0), 0U);
  EXPECT_EQ(workspaces.spare(), 0U);
  EXPECT_LE(workspaces.keep_for(std::uint64_t{1} << 40U), 64 * megabyte);
}

TEST(Workspaces, NeverGiveTheSameToTwoThreads) {
  Workspaces workspaces;
  workspaces.keep_for(1600 * megabyte);
  std::vector<std::jthread> threads;
  for (unsigned char mark = 0; mark < 4; ++mark)
    threads.emplace_back([&, mark] {
      for (std::size_t round = 0; round < 300; ++round) {
        const std::size_t bytes = (64U << 10U) * (1 + round % 3);
        const Block block = workspaces.take(bytes);
        auto* values = static_cast<unsigned char*>(block.data());
        std::memset(values, mark, bytes);
        std::this_thread::yield();
        EXPECT_EQ(values[0], mark);
        EXPECT_EQ(values[bytes - 1], mark);
      }
    });
  threads.clear();
  workspaces.keep_for(0);
  EXPECT_EQ(workspaces.spare(), 0U);
}

TEST(Run, ChargesBuffersAndHandsThemOn) {
  Workspaces workspaces;
  const void* place = nullptr;
  for (int call = 0; call < 2; ++call) {
    Monitor monitor(silent);
    const core::Run run(2, 160 * megabyte, monitor, workspaces);
    EXPECT_EQ(run.budget.left(), 150 * megabyte);  // a sixteenth is for what is handed on
    const Buffer<float> buffer = run.buffer<float>(megabyte, "values");
    EXPECT_EQ(run.budget.left(), 146 * megabyte);
    if (call > 0) {
      EXPECT_EQ(buffer.data(), place);
    }
    place = buffer.data();
    EXPECT_THAT(test::error_of(ErrorCode::limit,
                               [&] { (void)run.buffer<float>(40 * megabyte, "more values"); }),
                testing::StartsWith("more values needs 160 MB, but 146 MB of the memory budget of "
                                    "160 MB are left"));
    EXPECT_EQ(run.budget.left(), 146 * megabyte);
  }
}

TEST(Run, GrowsBuffersInPlaceOfTheOld) {
  Workspaces workspaces;
  Monitor monitor(silent);
  const core::Run run(1, 160 * megabyte, monitor, workspaces);
  Buffer<char> buffer;
  run.require(buffer, 100 * megabyte, "values");
  EXPECT_EQ(buffer.size(), 100 * megabyte);
  const char* place = buffer.data();
  run.require(buffer, 50 * megabyte, "values");
  EXPECT_EQ(buffer.data(), place);
  run.require(buffer, 150 * megabyte, "values");  // which fits only if the old values go first
  EXPECT_EQ(buffer.size(), 150 * megabyte);
  EXPECT_EQ(run.budget.left(), 0U);
}

TEST(Run, WhatIsKeptCountsInLaterCalls) {
  Workspaces workspaces;
  Buffer<char> part;
  for (const std::uint64_t left : {150U, 50U}) {
    Monitor monitor(silent);
    const core::Run run(1, 160 * megabyte, monitor, workspaces);
    EXPECT_EQ(run.budget.left(), left * megabyte);
    if (part.size() == 0) part = Buffer<char>(100 * megabyte, run.for_kept().budget, "a part");
    EXPECT_EQ(run.budget.left(), 50 * megabyte);
  }
  EXPECT_EQ(workspaces.ledger().held(), 100 * megabyte);
  Monitor monitor(silent);
  EXPECT_EQ(core::Run(1, 50 * megabyte, monitor, workspaces).budget.left(), 0U);
}

TEST(Run, NarrowsItsThreads) {
  Workspaces workspaces;
  Monitor monitor(silent);
  const core::Run run(3, 0, monitor, workspaces);
  EXPECT_EQ(run.pool.threads(), 3U);
  const core::Run alone = run.with_threads(1);
  EXPECT_EQ(alone.pool.threads(), 1U);
  const Reservation some = alone.budget.reserve(megabyte, "some");
  EXPECT_EQ(run.budget.left(), alone.budget.left());
}

}  // namespace
}  // namespace navvy::core
