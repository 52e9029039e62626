// One writer at a time: a lock on the index file itself.
#pragma once

#include <filesystem>
#include <utility>

#include "core/files.hpp"

namespace navvy::index {

/// Holds the lock of the file that stands under a name, from construction on. Whoever edits or
/// replaces the file takes it before reading, so that no edit is made of what is no longer there.
/// The system gives it back when the process ends, however that is.
class WriteLock {
 public:
  /// Waits up to so many seconds. Throws Error(failed) saying who holds the lock, or that there is
  /// no such file to write to.
  WriteLock(const std::filesystem::path& path, double seconds);

  /// Of a file that is locked already.
  explicit WriteLock(core::FileDescriptor locked) : file_(std::move(locked)) {}

  /// For replacing a file: none where there is no file yet or this user may not open it.
  static WriteLock if_there(const std::filesystem::path& path, double seconds);

  [[nodiscard]] const core::FileDescriptor& file() const noexcept { return file_; }

 private:
  WriteLock() = default;
  void acquire(const std::filesystem::path& path, double seconds, bool must_exist);

  core::FileDescriptor file_;
};

}  // namespace navvy::index
