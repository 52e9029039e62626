// Writes beside the old file, then renames: nobody sees half a file.
#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include "navvy/error.hpp"
#include "navvy/files.hpp"

namespace navvy::core {
namespace {

// Renaming over a device would replace it: as root, "-o /dev/null" would break the machine.
void require_replaceable(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return;
  if (S_ISDIR(status.st_mode))
    throw Error(ErrorCode::failed,
                display_name(path) + ": is a directory, expected a file to write", EISDIR,
                path.string());
  throw Error(ErrorCode::failed,
              display_name(path) + ": is not a regular file, which writing needs");
}

// Where a chain of links ends, whether a file is there yet or not.
std::filesystem::path follow_links(std::filesystem::path path) {
  constexpr int most = 40;  // as the kernel does
  const std::filesystem::path name = path;
  std::error_code error;
  for (int i = 0; i < most && std::filesystem::is_symlink(path, error); ++i) {
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  }
  // Renaming would replace a link of the loop.
  if (std::filesystem::is_symlink(path, error)) {
    throw Error(ErrorCode::failed,
                display_name(name) + ": is a loop of links, expected a file to write");
  }
  return path;
}

bool same_file(const FileDescriptor& file, const std::filesystem::path& path) {
  struct stat open_status {};
  struct stat path_status {};
  return ::fstat(file.get(), &open_status) == 0 && ::lstat(path.c_str(), &path_status) == 0 &&
         open_status.st_dev == path_status.st_dev && open_status.st_ino == path_status.st_ino;
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path) : path_(follow_links(path)) {
  require_replaceable(path_);
  if (!path_.has_filename()) {
    throw Error(ErrorCode::failed, display_name(path) + ": expected the name of a file");
  }
  const std::filesystem::path parent = path_.has_parent_path() ? path_.parent_path() : ".";
  temporary_ = parent / std::string(".").append(path_.filename().string()).append(".navvy-tmp");
  folder_ = FileDescriptor(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_.is_open()) throw_system_error(path_, "open its folder", errno);
  open_temporary();
}

void AtomicFile::open_temporary() {
  // Another writer may rename or remove the file between our open and our lock; then we hold a file
  // that has no name any more and begin again.
  for (;;) {
    file_ = FileDescriptor(
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!file_.is_open()) throw_system_error(path_, "write", errno);
    if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      file_ = FileDescriptor();
      throw Error(ErrorCode::failed, display_name(path_) + ": is being written by somebody else",
                  EWOULDBLOCK, path_.string());
    }
    if (same_file(file_, temporary_)) break;
  }
  if (::ftruncate(file_.get(), 0) != 0) {
    const int error = errno;
    ::unlink(temporary_.c_str());
    throw_system_error(path_, "write", error);
  }
}

AtomicFile::~AtomicFile() {
  if (file_.is_open()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  // Linux writes at most 2 GiB at once; smaller pieces also let a signal through.
  constexpr std::size_t piece = std::size_t{1} << 26;
  while (!bytes.empty()) {
    const ssize_t put = ::write(file_.get(), bytes.data(), std::min(bytes.size(), piece));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) throw_system_error(path_, "write", put < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

FileDescriptor AtomicFile::commit() {
  if (::fsync(file_.get()) != 0) throw_system_error(path_, "write", errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw_system_error(path_, "write", errno);
  FileDescriptor renamed = std::move(file_);
  file_ = FileDescriptor();
  // Some file systems cannot sync a folder and say EINVAL; there is nothing more to do then.
  if (::fsync(folder_.get()) != 0 && errno != EINVAL) {
    throw_system_error(path_, "sync the folder of the file, which is complete", errno);
  }
  return renamed;
}

}  // namespace navvy::core

namespace navvy {

void write_file(const std::filesystem::path& path, std::string_view content) {
  core::AtomicFile file(path);
  file.write(std::as_bytes(std::span(content)));
  file.commit();
}

void write_file(const std::filesystem::path& path,
                const std::function<void(const TextSink&)>& write) {
  core::AtomicFile file(path);
  write([&](std::string_view text) { file.write(std::as_bytes(std::span(text))); });
  file.commit();
}

}  // namespace navvy
