// Memory that is handed on from call to call, and how much of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/budget.hpp"

namespace navvy::core {

class Workspaces;

/// Uninitialised memory, aligned to a cache line as kernels like it; freed, or given back to the
/// workspaces that it came from, when it dies.
class Block {
 public:
  Block() = default;
  explicit Block(std::size_t bytes);
  Block(Block&& other) noexcept;
  Block& operator=(Block&& other) noexcept;
  ~Block();

  [[nodiscard]] void* data() const noexcept { return data_; }

 private:
  friend class Workspaces;

  void* data_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;  // what was asked for
  Workspaces* home_ = nullptr;
};

/// What a searcher keeps from call to call: the count of its prepared parts, and blocks that calls
/// give back, since getting memory anew from the system takes a good part of a short call's time.
/// Calls may come from several threads. It outlives the blocks.
class Workspaces {
 public:
  Workspaces();

  [[nodiscard]] const Ledger& ledger() const noexcept { return ledger_; }

  /// Called with a call's memory limit before it starts: from now on at most the bytes returned are
  /// kept, so the call sets aside as many.
  std::uint64_t keep_for(std::uint64_t limit);

  /// A block that was given back where one is large enough, else a new one.
  [[nodiscard]] Block take(std::size_t bytes);

  /// Bytes that nobody has asked for: idle blocks, and what others are larger than was asked for.
  [[nodiscard]] std::uint64_t spare() const noexcept { return spare_; }

 private:
  friend class Block;
  void give(Block block) noexcept;
  void shrink() noexcept;

  Ledger ledger_;
  // Never waited for: who finds it locked does without, as a process must that was forked while
  // another thread held it.
  std::mutex mutex_;
  std::vector<Block> idle_;  // the oldest first
  std::atomic<std::uint64_t> most_{0};
  std::atomic<std::uint64_t> spare_{0};
};

}  // namespace navvy::core
