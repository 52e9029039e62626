#pragma once

#include <mutex>
#include <utility>

namespace navvy::core {

/// One set of buffers that is handed on from call to call: where calls are short, getting memory
/// anew from the system takes a good part of their time. Calls may come from several threads; one
/// that finds nothing here starts with empty buffers.
template <class T>
class Spare {
 public:
  [[nodiscard]] T take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(kept_, T());
  }
  void give(T buffers) noexcept {
    const std::scoped_lock lock(mutex_);
    kept_ = std::move(buffers);
  }

 private:
  std::mutex mutex_;
  T kept_;
};

}  // namespace navvy::core
