// Opens and reads files through the system, with messages that name file and reason.
#include "core/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "navvy/error.hpp"
#include "navvy/printable.hpp"

namespace navvy::core {

FileDescriptor::~FileDescriptor() {
  if (is_open()) ::close(value_);
}

std::string display_name(const std::filesystem::path& path) { return printable(path.string()); }

void throw_system_error(const std::filesystem::path& path, std::string_view action, int error) {
  throw Error(ErrorCode::failed,
              display_name(path) + ": cannot " + std::string(action) + ": " +
                  std::generic_category().message(error),
              error, path.string());
}

OpenFile open_for_reading(const std::filesystem::path& path) {
  FileDescriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!descriptor.is_open()) throw_system_error(path, "open", errno);
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0) throw_system_error(path, "open", errno);
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorCode::failed, display_name(path) + ": is a directory, expected a file", EISDIR,
                path.string());
  }
  // Devices such as /dev/zero never end; sockets cannot be opened anyway.
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) {
    throw Error(ErrorCode::failed, display_name(path) + ": is a device, expected a file or a pipe");
  }
  const bool regular = S_ISREG(status.st_mode);
  return {std::move(descriptor), regular, regular ? static_cast<std::uint64_t>(status.st_size) : 0};
}

std::size_t read_fully(const FileDescriptor& file, std::span<std::byte> out,
                       const std::filesystem::path& path) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = ::read(file.get(), out.data() + done, out.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_system_error(path, "read", errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace navvy::core
