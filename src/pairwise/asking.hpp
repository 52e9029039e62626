// Long work on one pair asks now and then whether to go on.
#pragma once

#include "core/parallel.hpp"

namespace navvy::pairwise {

/// While it lives, whoever waits for a solve on this thread is asked now and then whether to go on.
/// LEMON's loops have no hook and no argument to carry one; they do call what this folder gives
/// them to work on, and that calls `count`.
class Asking {
 public:
  explicit Asking(core::Monitor* monitor) { asked = monitor; }
  ~Asking() { asked = nullptr; }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  /// One more step of some microseconds. Throws Error(interrupted) where it is to be the last.
  static void count() {
    if (asked == nullptr || ++steps % 16 != 0) return;
    asked->throw_if_stopped();
  }

 private:
  static inline thread_local core::Monitor* asked = nullptr;
  static inline thread_local unsigned steps = 0;
};

}  // namespace navvy::pairwise
