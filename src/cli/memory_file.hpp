#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace navvy::cli {

/// Bytes under a path for as long as it lives, without touching a disk: what the library reads
/// from files can be read from the command itself.
class MemoryFile {
 public:
  /// Throws Error(failed) where the system refuses.
  explicit MemoryFile(std::span<const std::byte> bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::filesystem::path path() const;

 private:
  int descriptor_;
};

}  // namespace navvy::cli
