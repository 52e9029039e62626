// Who may take how much memory: a budget limits one call, a ledger counts what outlives it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace navvy::core {

/// A number of bytes in use. Whoever holds bytes of it keeps it alive, so that a reservation may
/// outlive the budget it came from.
using MemoryCount = std::shared_ptr<std::atomic<std::uint64_t>>;

/// Bytes set aside; given back when it dies. Belongs beside the memory that it stands for.
class Reservation {
 public:
  Reservation() = default;
  Reservation(Reservation&& other) noexcept;
  Reservation& operator=(Reservation&& other) noexcept;
  ~Reservation();

  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

  /// Takes over the bytes of another reservation of the same call.
  void merge(Reservation&& other) noexcept;

 private:
  friend class Budget;
  Reservation(MemoryCount count, std::uint64_t bytes) noexcept;

  MemoryCount count_;
  std::uint64_t bytes_ = 0;
};

/// What is kept from call to call, in bytes. Each budget over this ledger finds that much less
/// left.
class Ledger {
 public:
  Ledger() : held_(std::make_shared<std::atomic<std::uint64_t>>(0)) {}

  [[nodiscard]] std::uint64_t held() const noexcept { return *held_; }

 private:
  friend class Budget;
  MemoryCount held_;
};

/// A hard limit on the memory that one call may take beyond the index itself: what the ledger holds
/// already, what this call adds to it, and what it needs for itself together stay below. Work asks
/// before it allocates and is refused then, not half-way. Any thread may ask at any time.
///
/// A copy shares limit and counts; only what was set aside by take() stays with the original.
class Budget {
 public:
  /// 0: half of the machine's memory. `option`: what raises it.
  explicit Budget(std::uint64_t bytes, const Ledger& ledger = Ledger(),
                  const char* option = "memory");
  Budget(const Budget& other) : Budget(other, other.charged_) {}
  Budget& operator=(const Budget&) = delete;
  ~Budget() = default;

  /// The same limit, but what is reserved counts as kept by the ledger: for parts that are made
  /// during this call and stay for the next.
  [[nodiscard]] Budget for_kept() const { return {*this, kept_}; }

  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  [[nodiscard]] std::uint64_t left() const noexcept;
  [[nodiscard]] bool fits(std::uint64_t bytes) const noexcept { return bytes <= left(); }

  /// Sets memory aside; throws Error(limit) that says how much `what` needs and how much is left.
  [[nodiscard]] Reservation reserve(std::uint64_t bytes, std::string_view what) const;

  /// The same for work that can be cut smaller: nothing where it does not fit.
  [[nodiscard]] std::optional<Reservation> try_reserve(std::uint64_t bytes) const noexcept;

  /// Reserves for as long as this budget lives; by one thread at a time.
  void take(std::uint64_t bytes, std::string_view what) { taken_.merge(reserve(bytes, what)); }

 private:
  Budget(const Budget& other, MemoryCount charged);

  std::uint64_t total_;
  const char* option_;
  MemoryCount kept_;     // by the ledger
  MemoryCount own_;      // by this call for itself
  MemoryCount charged_;  // one of the two
  Reservation taken_;
};

/// The machine's memory in bytes.
std::uint64_t physical_memory() noexcept;

}  // namespace navvy::core
