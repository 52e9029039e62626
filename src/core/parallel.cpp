#include "core/parallel.hpp"

#include <algorithm>

#include "navvy/error.hpp"

namespace navvy::core {
namespace {

constexpr std::chrono::milliseconds callback_period{50};

}  // namespace

void Monitor::begin(std::string_view phase, std::uint64_t total) {
  phase_ = phase;
  total_ = total;
  done_.store(0, std::memory_order_relaxed);
  next_ = {};
}

bool Monitor::check() {
  if (stopped_.load(std::memory_order_relaxed)) return false;
  if (!callback_ || std::this_thread::get_id() != owner_) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return true;
  next_ = now + callback_period;
  const bool go_on = callback_({phase_, done_.load(std::memory_order_relaxed), total_});
  if (!go_on) stopped_.store(true, std::memory_order_relaxed);
  return go_on;
}

void Monitor::throw_if_stopped() {
  if (!check()) throw Error(ErrorCode::interrupted, "interrupted");
}

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  for (unsigned thread = 1; thread < threads; ++thread)
    workers_.emplace_back([this, thread](const std::stop_token& stop) { work(stop, thread); });
}

ThreadPool::~ThreadPool() {
  for (std::jthread& worker : workers_) worker.request_stop();
}

void ThreadPool::run(std::size_t blocks, const std::function<void(std::size_t, unsigned)>& body,
                     Monitor* monitor) {
  {
    const std::lock_guard lock(mutex_);
    body_ = &body;
    blocks_ = blocks;
    next_.store(0, std::memory_order_relaxed);
    failure_ = nullptr;
    running_ = static_cast<unsigned>(workers_.size());
    ++job_;
  }
  start_.notify_all();
  if (monitor != nullptr)
    take_blocks_watching(*monitor);
  else
    take_blocks(0);
  {
    std::unique_lock lock(mutex_);
    // While others finish their last blocks, this thread keeps asking whether to go on.
    while (!finished_.wait_for(lock, callback_period, [this] { return running_ == 0; })) {
      if (monitor == nullptr) continue;
      lock.unlock();
      if (!monitor->check()) next_.store(blocks_, std::memory_order_relaxed);
      lock.lock();
    }
    if (failure_) std::rethrow_exception(failure_);
  }
  if (monitor != nullptr) monitor->throw_if_stopped();
}

void ThreadPool::work(const std::stop_token& stop, unsigned thread) {
  std::uint64_t seen = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      if (!start_.wait(lock, stop, [&] { return job_ != seen; })) return;
      seen = job_;
    }
    take_blocks(thread);
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) finished_.notify_one();
  }
}

void ThreadPool::take_blocks(unsigned thread) {
  for (std::size_t block = next_.fetch_add(1); block < blocks_; block = next_.fetch_add(1))
    run_block(block, thread);
}

void ThreadPool::take_blocks_watching(Monitor& monitor) {
  while (true) {
    if (!monitor.check()) {
      next_.store(blocks_);
      return;
    }
    const std::size_t block = next_.fetch_add(1);
    if (block >= blocks_) return;
    run_block(block, 0);
  }
}

void ThreadPool::run_block(std::size_t block, unsigned thread) {
  try {
    (*body_)(block, thread);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    next_.store(blocks_);
  }
}

}  // namespace navvy::core
