// A part that is made when it is first asked for, once for all who ask.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

namespace navvy::core {

/// A value that any number of threads may ask for at once: the first makes it, the others wait.
template <class T>
class Lazy {
 public:
  /// `make` returns the value; where it throws, the next who asks tries again.
  template <class Make>
  const T& get(const Make& make) const {
    if (const T* made = made_.load(std::memory_order_acquire)) return *made;
    const std::lock_guard lock(mutex_);
    if (!value_) {
      value_.reset(new T(make()));  // for values that cannot be moved
      made_.store(value_.get(), std::memory_order_release);
    }
    return *value_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const T> value_;
  mutable std::atomic<const T*> made_{nullptr};
};

}  // namespace navvy::core
