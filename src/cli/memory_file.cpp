#include "cli/memory_file.hpp"

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "navvy/error.hpp"

namespace navvy::cli {
namespace {

[[noreturn]] void fail() {
  throw Error(ErrorCode::failed,
              fmt::format("file in memory: {}", std::generic_category().message(errno)));
}

}  // namespace

MemoryFile::MemoryFile(std::span<const std::byte> bytes)
    : descriptor_(memfd_create("navvy", MFD_CLOEXEC)) {
  if (descriptor_ < 0) fail();
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      close(descriptor_);
      fail();
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

MemoryFile::~MemoryFile() { close(descriptor_); }

std::filesystem::path MemoryFile::path() const {
  return fmt::format("/proc/self/fd/{}", descriptor_);
}

}  // namespace navvy::cli
