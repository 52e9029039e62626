// Shares blocks out among threads: the caller's own, and workers who help any caller.
#include "core/parallel.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "navvy/error.hpp"

namespace navvy::core {
namespace {

constexpr std::chrono::milliseconds callback_period = Monitor::usual_period;

using Body = std::function<void(std::size_t, unsigned)>;

// Whoever comes first notes the number. No static of a function: a process that is forked while
// another thread makes one waits for it for ever.
unsigned cores() noexcept {
  static constinit std::atomic<unsigned> count{0};
  if (count == 0) count = std::max(1U, std::thread::hardware_concurrency());
  return count;
}

// Held while threads are started, and by who forks: the system's own locks, which a new thread
// takes, are then free in the forked process.
constinit std::mutex starting;

[[maybe_unused]] const int fork_handlers =
    pthread_atfork([] { starting.lock(); }, [] { starting.unlock(); }, [] { starting.unlock(); });

// One call of run(). It is on its caller's stack, who stays until the last helper has left.
struct Job {
  Job(std::size_t all, const Body& run, unsigned threads)
      : body(run),
        blocks(all),
        most_helpers(static_cast<unsigned>(
            std::min<std::size_t>(threads, std::max<std::size_t>(all, 1)) - 1)) {}

  [[nodiscard]] bool wants_help() const noexcept { return joined < most_helpers && next < blocks; }

  void stop() noexcept { next = blocks; }

  // Runs one more block; false where there is none.
  bool run_block(unsigned thread) {
    const std::size_t block = next.fetch_add(1);
    if (block >= blocks) return false;
    try {
      body(block, thread);
    } catch (...) {
      if (!has_failed.exchange(true)) failure = std::current_exception();
      stop();
    }
    return true;
  }

  const Body& body;
  const std::size_t blocks;
  const unsigned most_helpers;
  std::atomic<std::size_t> next{0};
  std::atomic<bool> has_failed{false};
  std::exception_ptr failure;  // to be read when all have left
  // Guarded by the mutex of the workers.
  unsigned joined = 0;  // helpers ever; none leaves while there are blocks, so this numbers them
  unsigned inside = 0;  // helpers now
  std::condition_variable last_left;
};

// The worker threads of this process. They are never ended: there is no moment at which nobody may
// need them, and a process that exits does not wait for them.
class Workers {
 public:
  explicit Workers(const Workers* inherited) : inherited_(inherited) {}

  // Those of this process: a forked one has a copy of its parent's, without the threads and perhaps
  // with a mutex that nobody will unlock. It leaves them as they are and makes its own.
  static Workers& of_process() {
    static std::atomic<Workers*> present{nullptr};
    Workers* workers = present;
    if (workers != nullptr && workers->process_ == getpid()) return *workers;
    auto made = std::make_unique<Workers>(workers);
    if (present.compare_exchange_strong(workers, made.get())) return *made.release();
    return *workers;  // another thread was first
  }

  void add(Job& job) {
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(&job);
      grow(job.most_helpers);
    }
    for (unsigned helper = 0; helper < job.most_helpers; ++helper) wake_.notify_one();
  }

  // Returns when nobody is inside any more and nobody will be.
  void remove(Job& job) {
    std::unique_lock lock(mutex_);
    std::erase(jobs_, &job);
    job.last_left.wait(lock, [&] { return job.inside == 0; });
  }

  bool wait_for(Job& job, std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return job.last_left.wait_for(lock, time, [&] { return job.inside == 0; });
  }

 private:
  // Enough for the largest job, and for all jobs together while there are cores for them.
  void grow(unsigned largest) {
    unsigned all = 0;
    for (const Job* job : jobs_) all += job->most_helpers;
    const unsigned wanted = std::max(largest, std::min(all, cores()));
    if (count_ >= wanted) return;
    const std::lock_guard lock(starting);
    try {
      for (; count_ < wanted; ++count_) std::thread([this] { work(); }).detach();
    } catch (const std::exception&) {
      // The system has no more threads. Callers do without: each works on its own blocks.
    }
  }

  // The job that has the least help among those that want some.
  [[nodiscard]] Job* neediest() const {
    Job* best = nullptr;
    for (Job* job : jobs_)
      if (job->wants_help() && (best == nullptr || job->inside < best->inside)) best = job;
    return best;
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      Job* job = nullptr;
      wake_.wait(lock, [&] { return (job = neediest()) != nullptr; });
      const unsigned thread = ++job->joined;
      ++job->inside;
      lock.unlock();
      while (job->run_block(thread)) {
      }
      lock.lock();
      // Told before the mutex is free: after that the job may be gone.
      if (--job->inside == 0) job->last_left.notify_one();
    }
  }

  const pid_t process_ = getpid();
  [[maybe_unused]] const Workers* const inherited_;  // still pointed to, so not a leak
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Job*> jobs_;  // in the order in which they came
  unsigned count_ = 0;      // of threads
};

// The workers' help with a job, for as long as this lives.
class Help {
 public:
  explicit Help(Job& job) : job_(job) {
    if (job.most_helpers == 0) return;
    workers_ = &Workers::of_process();
    workers_->add(job);
  }
  ~Help() {
    job_.stop();
    if (workers_ != nullptr) workers_->remove(job_);
  }
  Help(const Help&) = delete;
  Help& operator=(const Help&) = delete;

  [[nodiscard]] bool has_ended_within(std::chrono::milliseconds time) const {
    return workers_ == nullptr || workers_->wait_for(job_, time);
  }

 private:
  Job& job_;
  Workers* workers_ = nullptr;
};

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
  next_ = now + period_;
  const bool go_on = callback_({phase_, done_.load(std::memory_order_relaxed), total_});
  if (!go_on) stopped_.store(true, std::memory_order_relaxed);
  return go_on;
}

void Monitor::throw_if_stopped() {
  if (!check()) throw Error(ErrorCode::interrupted, "interrupted");
}

ThreadPool::ThreadPool(unsigned threads)
    : threads_(threads == 0 ? cores() : std::min(threads, most_threads())) {}

unsigned ThreadPool::most_threads() noexcept { return std::max(64U, 4 * cores()); }

void ThreadPool::run(std::size_t blocks, const Body& body, Monitor* monitor) const {
  Job job(blocks, body, threads_);
  const auto go_on = [&] {
    if (monitor == nullptr || monitor->check()) return true;
    job.stop();
    return false;
  };
  {
    const Help help(job);
    while (go_on() && job.run_block(0)) {
    }
    // While others finish their last blocks, this thread keeps asking whether to go on.
    while (!help.has_ended_within(callback_period)) go_on();
  }
  if (job.failure) std::rethrow_exception(job.failure);
  if (monitor != nullptr) monitor->throw_if_stopped();
}

}  // namespace navvy::core
