// Files that appear whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "core/files.hpp"

namespace navvy::core {

/// A file that appears whole or not at all. Bytes go to the hidden file `.NAME.navvy-tmp` in the
/// same folder; commit() syncs it, renames it to NAME and syncs the folder. Until then NAME keeps
/// its old content, also if the process is killed. The temporary file is removed when the object
/// dies without commit(); what a killed process left behind is overwritten by the next writer of
/// the same NAME. The temporary file is locked, so that a second writer of NAME fails instead of
/// mixing its bytes in. Permissions follow the umask. A symbolic link is followed, not replaced.
///
/// All functions throw Error(failed) with the reason of the system.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::span<const std::byte> bytes);

  /// Returns the file under its new name, still locked. If only the last step fails, the sync of
  /// the folder, the new file is in place already but may not survive a power cut; the message says
  /// so.
  FileDescriptor commit();

 private:
  void open_temporary();

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  FileDescriptor file_;
  FileDescriptor folder_;
};

}  // namespace navvy::core
