// Locks index files, and finds out who holds a lock.
#include "index/lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "navvy/error.hpp"

namespace navvy::index {
namespace {

using Clock = std::chrono::steady_clock;

// A writer may have replaced the file while we waited for its lock.
bool still_named(const core::FileDescriptor& file, const std::filesystem::path& path) {
  struct stat open_status {};
  struct stat path_status {};
  return ::fstat(file.get(), &open_status) == 0 && ::stat(path.c_str(), &path_status) == 0 &&
         open_status.st_dev == path_status.st_dev && open_status.st_ino == path_status.st_ino;
}

std::string command_of(long process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

// "process 4711 (navvy)", as the system tells; locks of other machines have no process here.
std::string holder_of(const core::FileDescriptor& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return "another process";
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, access, place;
    long process = 0;
    if (!(words >> number >> kind >> advisory >> access >> process >> place)) continue;
    unsigned major_number = 0;
    unsigned minor_number = 0;
    unsigned long inode = 0;
    if (kind != "FLOCK" ||
        std::sscanf(place.c_str(), "%x:%x:%lu", &major_number, &minor_number, &inode) != 3)
      continue;
    // Some file systems show another device than files have; the inode says enough.
    if (inode != status.st_ino || process <= 0) continue;
    const std::string name = command_of(process);
    return "process " + std::to_string(process) + (name.empty() ? "" : " (" + name + ")");
  }
  return "another process";
}

bool try_lock(const core::FileDescriptor& file, const std::filesystem::path& path) {
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) core::throw_system_error(path, "lock", errno);
  }
  return true;
}

std::string seconds_text(double seconds) {
  std::ostringstream text;
  text << seconds << " s";
  return text.str();
}

}  // namespace

WriteLock::WriteLock(const std::filesystem::path& path, double seconds) {
  acquire(path, seconds, true);
}

WriteLock WriteLock::if_there(const std::filesystem::path& path, double seconds) {
  WriteLock lock;
  lock.acquire(path, seconds, false);
  return lock;
}

void WriteLock::acquire(const std::filesystem::path& path, double seconds, bool must_exist) {
  const auto end = Clock::now() + std::chrono::duration<double>(std::clamp(seconds, 0.0, 1e6));
  while (true) {
    file_ = core::FileDescriptor(
        ::open(path.c_str(), (must_exist ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK));
    if (!file_.is_open()) {
      if (!must_exist) return;
      core::throw_system_error(path, "open for writing", errno);
    }
    const bool locked = try_lock(file_, path);
    if (locked && still_named(file_, path)) return;
    if (locked) continue;
    if (Clock::now() >= end) {
      throw Error(ErrorCode::failed, core::display_name(path) + ": is being edited by " +
                                         holder_of(file_) + "; waited " + seconds_text(seconds) +
                                         ", nothing was changed");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace navvy::index
