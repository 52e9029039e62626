// What one call carries down to all that works for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/budget.hpp"
#include "core/buffer.hpp"
#include "core/parallel.hpp"
#include "core/workspaces.hpp"

namespace navvy::core {

/// One call: its threads, its memory, whom it tells and asks, and the memory it may use again. All
/// parts may be used by all threads that work for the call.
class Run {
 public:
  /// 0 threads: all cores; 0 bytes of memory: half of the machine's.
  Run(unsigned threads, std::uint64_t memory, Monitor& monitor, Workspaces& workspaces);

  /// The same call with at most so many threads: 1 for work that is shared out already.
  [[nodiscard]] Run with_threads(unsigned threads) const { return {*this, threads, budget}; }

  /// The same call, where what is reserved is charged to the searcher: for making parts that stay.
  [[nodiscard]] Run for_kept() const { return {*this, pool.threads(), budget.for_kept()}; }

  /// Memory for as long as the call lasts at most, charged to its budget and then left to the next
  /// call. Parts that stay take a Buffer from the budget instead.
  template <class T>
  [[nodiscard]] Buffer<T> buffer(std::size_t size, std::string_view what) const {
    Reservation reserved = budget.reserve(std::uint64_t{size} * sizeof(T), what);
    return Buffer<T>(size, std::move(reserved), workspaces.take(size * sizeof(T)));
  }

  /// Grows a buffer, without keeping its contents; never shrinks it.
  template <class T>
  void require(Buffer<T>& buffer, std::size_t size, std::string_view what) const {
    if (size <= buffer.size()) return;
    buffer = Buffer<T>();  // so that old and new are never there at once
    buffer = this->buffer<T>(size, what);
  }

  /// The same for work that can do without: false, and an empty buffer, where it does not fit.
  template <class T>
  [[nodiscard]] bool try_require(Buffer<T>& buffer, std::size_t size) const {
    if (size <= buffer.size()) return true;
    buffer = Buffer<T>();
    std::optional<Reservation> reserved = budget.try_reserve(std::uint64_t{size} * sizeof(T));
    if (!reserved) return false;
    buffer = Buffer<T>(size, *std::move(reserved), workspaces.take(size * sizeof(T)));
    return true;
  }

  ThreadPool pool;
  Budget budget;
  Monitor& monitor;
  Workspaces& workspaces;
  std::uint64_t device_memory = 0;  ///< of each device, in bytes; 0: as much as is good there

 private:
  Run(const Run& other, unsigned threads, Budget charged)
      : pool(threads),
        budget(charged),
        monitor(other.monitor),
        workspaces(other.workspaces),
        device_memory(other.device_memory) {}

  Reservation set_aside_;  // for what the workspaces keep
};

}  // namespace navvy::core
