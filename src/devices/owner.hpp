// Which process opened a device: drivers do not survive a fork.
#pragma once

#include <unistd.h>

#include <string>

#include "navvy/error.hpp"

namespace navvy::devices {

/// The process that made it.
class Owner {
 public:
  [[nodiscard]] bool is_here() const noexcept { return process_ == getpid(); }

  /// Throws Error(failed) in a process that was forked since.
  void check(const std::string& device) const {
    if (is_here()) return;
    throw Error(ErrorCode::failed,
                device +
                    ": was opened before this process was forked, and drivers do "
                    "not survive that; use it only in the forked processes");
  }

 private:
  pid_t process_ = getpid();
};

}  // namespace navvy::devices
