#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "navvy/progress.hpp"

namespace navvy::core {

/// Tells a caller how far work has come and asks whether to go on; throttled, so that it may be
/// called as often as one likes. Only the thread that made it talks to the caller; others see what
/// was answered.
class Monitor {
 public:
  explicit Monitor(const ProgressCallback& callback) : callback_(callback) {}

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
  std::string_view phase_;
  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> done_{0};
  std::chrono::steady_clock::time_point next_{};
  std::thread::id owner_ = std::this_thread::get_id();
  std::atomic<bool> stopped_{false};
};

/// A fixed set of threads that share out numbered blocks. Which thread runs a block is not fixed;
/// the borders of blocks are, so results do not depend on the number of threads.
class ThreadPool {
 public:
  /// 0 threads: as many as there are cores. The calling thread is one of them.
  explicit ThreadPool(unsigned threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] unsigned threads() const noexcept {
    return static_cast<unsigned>(workers_.size()) + 1;
  }

  /// Runs body(block, thread) for every block in [0, blocks), thread in [0, threads()). Returns
  /// when all are done. The first exception of a body is thrown here, and no further block is
  /// started after it; the same once `monitor` says stop. Not to be called from within a body.
  void run(std::size_t blocks, const std::function<void(std::size_t, unsigned)>& body,
           Monitor* monitor = nullptr);

 private:
  void work(const std::stop_token& stop, unsigned thread);
  void take_blocks(unsigned thread);
  void take_blocks_watching(Monitor& monitor);
  void run_block(std::size_t block, unsigned thread);

  std::mutex mutex_;
  std::condition_variable_any start_;
  std::condition_variable finished_;
  std::uint64_t job_ = 0;       // guarded by mutex_; a change wakes the workers
  unsigned running_ = 0;        // guarded by mutex_; workers inside the present job
  std::exception_ptr failure_;  // guarded by mutex_
  const std::function<void(std::size_t, unsigned)>* body_ = nullptr;
  std::size_t blocks_ = 0;
  std::atomic<std::size_t> next_{0};
  std::vector<std::jthread> workers_;
};

}  // namespace navvy::core
