// Memory budgets: what is set aside is never more than the limit and comes back in the end.

#include "core/budget.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/buffer.hpp"
#include "support/expect_error.hpp"

namespace navvy::core {
namespace {

constexpr std::uint64_t megabyte = 1U << 20U;

TEST(Budget, RefusesBeforeAndSaysHowMuch) {
  Budget budget(10 * megabyte);
  budget.take(6 * megabyte, "tables");
  EXPECT_TRUE(budget.fits(4 * megabyte));
  EXPECT_FALSE(budget.fits(4 * megabyte + 1));
  const std::string message =
      test::error_of(ErrorCode::limit, [&] { budget.take(5 * megabyte, "lists"); });
  EXPECT_EQ(message,
            "lists needs 5 MB, but 4 MB of the memory budget of 10 MB are left; raise it "
            "(memory)");
  EXPECT_EQ(budget.left(), 4 * megabyte);
  EXPECT_EQ(Budget(0).left(), physical_memory() / 2);
}

TEST(Budget, RefusesMoreBytesThanCanBeCounted) {
  const Budget budget(100);
  const Reservation some = budget.reserve(60, "some");
  EXPECT_FALSE(budget.try_reserve(UINT64_MAX));
  EXPECT_FALSE(budget.try_reserve(UINT64_MAX - 50));
  EXPECT_EQ(budget.left(), 40U);
}

TEST(Budget, TakesBackWhatAReservationHeld) {
  const Budget budget(100);
  {
    Reservation first = budget.reserve(30, "first");
    std::optional<Reservation> second = budget.try_reserve(70);
    ASSERT_TRUE(second);
    EXPECT_FALSE(budget.try_reserve(1));
    EXPECT_EQ(budget.left(), 0U);
    const Reservation moved = std::move(first);
    EXPECT_EQ(moved.bytes(), 30U);
    second = budget.try_reserve(0);
    EXPECT_EQ(budget.left(), 70U);
  }
  EXPECT_EQ(budget.left(), 100U);
}

TEST(Budget, MergesReservations) {
  const Budget budget(100);
  Reservation all;
  for (int i = 0; i < 3; ++i) all.merge(budget.reserve(10, "a part"));
  EXPECT_EQ(all.bytes(), 30U);
  EXPECT_EQ(budget.left(), 70U);
  all = Reservation();
  EXPECT_EQ(budget.left(), 100U);
}

TEST(Budget, CopiesShareTheLimitAndGiveBackTheirOwn) {
  Budget budget(100);
  budget.take(20, "all stages");
  {
    Budget stage = budget;
    stage.take(50, "one stage");
    EXPECT_EQ(budget.left(), 30U);
    EXPECT_EQ(stage.left(), 30U);
  }
  EXPECT_EQ(budget.left(), 80U);
}

TEST(Budget, AReservationMayOutliveIt) {
  std::optional<Budget> budget(100);
  const Reservation reserved = budget->reserve(40, "what stays");
  budget.reset();
  EXPECT_EQ(reserved.bytes(), 40U);
}

TEST(Budget, StartsFromWhatTheLedgerHolds) {
  const Ledger ledger;
  Reservation part;
  {
    Budget first(100, ledger);
    part = first.for_kept().reserve(40, "a part");
    EXPECT_EQ(ledger.held(), 40U);
    EXPECT_EQ(first.left(), 60U);
    first.take(60, "scratch");
    EXPECT_FALSE(first.for_kept().try_reserve(1));
    EXPECT_EQ(Budget(100, ledger).left(), 60U) << "what a call needs is its own affair";
  }
  EXPECT_EQ(ledger.held(), 40U);
  EXPECT_EQ(Budget(100, ledger).left(), 60U);
  EXPECT_EQ(Budget(30, ledger).left(), 0U);
  EXPECT_FALSE(Budget(30, ledger).try_reserve(1));
  part = Reservation();
  EXPECT_EQ(Budget(30, ledger).left(), 30U);
}

TEST(Budget, IsHeldByManyThreads) {
  const Ledger ledger;
  const Budget own(1000, ledger);
  for (const Budget& budget : {own, own.for_kept()}) {
    std::atomic<std::uint64_t> used{0};
    std::atomic<int> granted{0};
    std::vector<std::jthread> threads;
    for (unsigned seed = 0; seed < 8; ++seed)
      threads.emplace_back([&, seed] {
        std::uint64_t bytes = 100 + seed;
        for (int round = 0; round < 2000; ++round) {
          bytes = (bytes * 7 + 11) % 600;
          const std::optional<Reservation> reserved = budget.try_reserve(bytes);
          if (!reserved) continue;
          EXPECT_LE(used += bytes, 1000U);
          used -= bytes;
          ++granted;
        }
      });
    threads.clear();
    EXPECT_GT(granted.load(), 0);
    EXPECT_EQ(budget.left(), 1000U);
  }
  EXPECT_EQ(ledger.held(), 0U);
}

TEST(Buffer, IsChargedWhileItLives) {
  const Budget budget(1000);
  {
    Buffer<float> buffer(100, budget, "values");
    EXPECT_EQ(buffer.size(), 100U);
    EXPECT_EQ(budget.left(), 600U);
    const Buffer<float> moved = std::move(buffer);
    EXPECT_EQ(budget.left(), 600U);
  }
  EXPECT_EQ(budget.left(), 1000U);
}

}  // namespace
}  // namespace navvy::core
