// What all readers and writers of files share: descriptors, names in messages, reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace navvy::core {

/// Owns an open file descriptor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int value) noexcept : value_(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~FileDescriptor();

  [[nodiscard]] int get() const noexcept { return value_; }
  [[nodiscard]] bool is_open() const noexcept { return value_ >= 0; }

 private:
  int value_ = -1;
};

/// A file opened for reading.
struct OpenFile {
  FileDescriptor descriptor;
  bool regular = false;    ///< false: a pipe, whose size is unknown
  std::uint64_t size = 0;  ///< of a regular file, when it was opened
};

/// A path as it stands in messages and facts: printable() whatever the file is called.
std::string display_name(const std::filesystem::path& path);

/// Throws Error(failed): "file: cannot <action>: <reason of the system>".
[[noreturn]] void throw_system_error(const std::filesystem::path& path, std::string_view action,
                                     int error);

/// Opens a regular file or a pipe; throws Error(failed) on anything else.
OpenFile open_for_reading(const std::filesystem::path& path);

/// Reads until `out` is full or the file ends, and returns how much was read. `path` is for the
/// message only.
std::size_t read_fully(const FileDescriptor& file, std::span<std::byte> out,
                       const std::filesystem::path& path);

}  // namespace navvy::core
