// A pool of threads, one for each item of a group, and the barrier that they share.
#include "devices/fake/items.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace fake {

thread_local Place place;
unsigned items_of_group = 1;

namespace {

struct Stopped {};  // thrown through a kernel once one of its items did wrong

// Where the text has a barrier.
struct Site {
  std::string_view path;
  int line = 0;
  [[nodiscard]] std::string name() const {
    return std::string(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(line);
  }
  bool operator==(const Site&) const = default;
};

// A number that threads wait for others to change. Whoever stops waiting knows what was done before
// that change and no more, while a mutex would order what the threads do after it as well, and so
// hide races from ThreadSanitizer.
class Turn {
 public:
  [[nodiscard]] std::uint32_t now() const { return number_.load(std::memory_order_acquire); }
  void set(std::uint32_t number) {
    number_.store(number, std::memory_order_release);
    syscall(SYS_futex, &number_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }
  /// Returns the number once it is another.
  [[nodiscard]] std::uint32_t after(std::uint32_t seen) const {
    while (now() == seen) {
      syscall(SYS_futex, &number_, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
    }
    return now();
  }

 private:
  std::atomic<std::uint32_t> number_ = 0;
};

class Pool {
 public:
  std::string run(const Shape& shape, const std::function<void()>& kernel) {
    shape_ = shape;
    kernel_ = &kernel;
    items_of_group = shape.items;
    failure_.clear();
    has_failed_ = false;
    const char* planted = std::getenv("FAKE_CUDA_PLANTED");
    planted_ = planted == nullptr ? "" : planted;
    waiting_ = ended_ = 0;
    running_ = shape.items;
    while (threads_ + 1 < shape.items) {
      // The first item is the thread that calls. The others stay until the process ends.
      std::thread([this, item = ++threads_, seen = job_.now()] { work(item, seen); }).detach();
    }
    // Who has no part in a job must know from this alone.
    job_.set((job_.now() / most_items + 1) * most_items + shape.items);
    run_item(0);
    for (std::uint32_t end = ends_.now(); running_ > 0; end = ends_.after(end)) {
    }
    return failure_;
  }

  void wait(const Site& here) {
    if (is_planted("no_barrier", here)) return;
    if (is_planted("divergent", here) && place.item % 2 == 1) return;
    const std::uint32_t turn = turn_.now();
    {
      const std::scoped_lock lock(mutex_);
      if (has_failed_) throw Stopped{};
      if (ended_ > 0) fail("an item waits at " + here.name() + " where another one has ended");
      if (waiting_ > 0 && here != site_) {
        fail("items wait at " + site_.name() + " and at " + here.name());
      }
      site_ = here;
      if (is_last(waiting_)) return;
    }
    pass(turn);
  }

  void add(std::function<void()> action) {
    const std::scoped_lock lock(mutex_);
    action();
    before_groups_.push_back(std::move(action));
  }

 private:
  [[nodiscard]] bool is_planted(const std::string& what, const Site& where) const {
    return !planted_.empty() && planted_ == what + ":" + where.name();
  }

  void work(unsigned item, std::uint32_t seen) {
    for (;;) {
      seen = job_.after(seen);
      if (item < seen % most_items) run_item(item);
    }
  }

  void run_item(unsigned item) {
    try {
      for (unsigned y = 0; y < shape_.groups_y; ++y) {
        for (unsigned x = 0; x < shape_.groups; ++x) {
          place = {item, x + (planted_ == "off_by_one" ? 1 : 0), y};
          (*kernel_)();
          end_group();
        }
      }
    } catch (const Stopped&) {
    }
    if (--running_ == 0) ends_.set(ends_.now() + 1);
  }

  void end_group() {
    const std::uint32_t turn = turn_.now();
    {
      const std::scoped_lock lock(mutex_);
      if (has_failed_) throw Stopped{};
      if (waiting_ > 0) fail("an item ended while others wait at " + site_.name());
      if (is_last(ended_)) return;
    }
    pass(turn);
  }

  // Counts this item among those that are there; the last one lets all go on.
  bool is_last(unsigned& there) {
    if (++there < shape_.items) return false;
    if (&there == &ended_) {
      for (const auto& action : before_groups_) action();
    }
    there = 0;
    turn_.set(turn_.now() + 1);
    return true;
  }

  void pass(std::uint32_t turn) {
    (void)turn_.after(turn);
    if (has_failed_) throw Stopped{};
  }

  [[noreturn]] void fail(const std::string& what) {
    failure_ = what;
    has_failed_ = true;
    turn_.set(turn_.now() + 1);
    throw Stopped{};
  }

  static constexpr std::uint32_t most_items = 4096;
  Shape shape_;
  const std::function<void()>* kernel_ = nullptr;
  std::string planted_;  // see driver.cpp
  unsigned threads_ = 0;
  Turn job_;   // a job's number and its items
  Turn ends_;  // jobs that ended
  Turn turn_;  // barriers that all have passed, and failures
  std::atomic<unsigned> running_ = 0;
  std::atomic<bool> has_failed_ = false;

  std::mutex mutex_;  // of what stands below, which is changed by those who come to a barrier
  unsigned waiting_ = 0;
  unsigned ended_ = 0;
  Site site_;
  std::string failure_;
  std::vector<std::function<void()>> before_groups_;
};

// Never destroyed: its threads wait in it until the process ends.
Pool& pool() {
  static Pool& only = *new Pool;
  return only;
}

}  // namespace

std::string run(const Shape& shape, const std::function<void()>& kernel) {
  static std::mutex& one_at_a_time = *new std::mutex;
  const std::scoped_lock lock(one_at_a_time);
  return pool().run(shape, kernel);
}

void wait(const char* file, int line) { pool().wait({file, line}); }

void before_each_group(std::function<void()> action) { pool().add(std::move(action)); }

}  // namespace fake
