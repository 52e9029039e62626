// Work in numbered blocks over threads, with a caller who is told and who may stop it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <thread>

#include "navvy/progress.hpp"

namespace navvy::core {

/// Tells a caller how far work has come and asks whether to go on; throttled, so that it may be
/// called as often as one likes. Only the thread that made it talks to the caller; others see what
/// was answered.
class Monitor {
 public:
  /// How long the caller is left alone between two calls.
  static constexpr std::chrono::milliseconds usual_period{50};

  explicit Monitor(const ProgressCallback& callback,
                   std::chrono::milliseconds period = usual_period)
      : callback_(callback), period_(period) {}

  /// Starts a phase; `total` units.
  void begin(std::string_view phase, std::uint64_t total);
  /// Adds finished units; from any thread.
  void add(std::uint64_t units) noexcept { done_.fetch_add(units, std::memory_order_relaxed); }
  /// Calls the callback if its time has come. Returns false once the work is to stop. From any
  /// thread, though phases are begun by the one that made the monitor.
  bool check();
  /// Like check, but throws Error(interrupted).
  void throw_if_stopped();

 private:
  const ProgressCallback& callback_;
  std::chrono::milliseconds period_;
  std::string_view phase_;
  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> done_{0};
  std::chrono::steady_clock::time_point next_{};
  std::thread::id owner_ = std::this_thread::get_id();
  std::atomic<bool> stopped_{false};
};

/// A call's share of the threads of this process. There is one set of worker threads for all; it is
/// made when first needed, grows to what was asked for, and sleeps in between. Each caller of run()
/// works on its own blocks, and workers that have nothing to do help: any number of callers get on
/// at once. A forked process starts workers of its own.
///
/// Which thread runs a block is not fixed; the borders of blocks are, so results do not depend on
/// the number of threads.
class ThreadPool {
 public:
  /// At most so many threads at once, the caller among them; 0: as many as there are cores. Beyond
  /// most_threads() there is nothing to gain.
  explicit ThreadPool(unsigned threads = 0);

  /// 64, or four for each core.
  [[nodiscard]] static unsigned most_threads() noexcept;

  [[nodiscard]] unsigned threads() const noexcept { return threads_; }

  /// Runs body(block, thread) for every block in [0, blocks). No two threads that are inside have
  /// the same number; all are below threads(), and the caller's is 0. Returns when all are done.
  /// The first exception of a body is thrown here, and no further block is started after it; the
  /// same once `monitor` says stop. Bodies may call run() in turn: that is one more caller.
  void run(std::size_t blocks, const std::function<void(std::size_t, unsigned)>& body,
           Monitor* monitor = nullptr) const;

 private:
  unsigned threads_;
};

}  // namespace navvy::core
