#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>

namespace navvy::test {

/// What the system calls that write files do at the call that is chosen: save_test.cpp puts its own
/// before those of the C library for the whole test program.
struct Fault {
  enum Kind { none, error, die, short_write } kind = none;
  int call = 0;    // counted down at every call; the fault happens at 0
  int number = 0;  // errno
};
inline thread_local Fault fault;

/// Set where many files are written and none has to outlast a crash.
inline thread_local bool without_syncs = false;

inline bool strikes() {
  if (fault.kind == Fault::none || fault.call-- != 0) return false;
  if (fault.kind == Fault::die) ::kill(::getpid(), SIGKILL);
  errno = fault.number;
  return true;
}

/// How many calls that can fail `body` makes.
inline int calls_of(const std::function<void()>& body) {
  fault = {Fault::error, 1 << 20, EIO};
  body();
  const int calls = (1 << 20) - fault.call;
  fault = {};
  return calls;
}

/// Runs `body` in a process of its own and returns how that ended (as waitpid tells it).
inline int in_child(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      body();
    } catch (...) {
      ::_exit(9);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

inline std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

}  // namespace navvy::test
