// What lies in a folder, in the same order on every machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace navvy::loaders {

/// Paths below the folder, each list ordered.
struct FolderContent {
  std::vector<std::filesystem::path> files;
  std::vector<std::filesystem::path> broken_links;
};

/// All files below a folder; names that begin with "." are passed over, links to folders not
/// followed. Throws Error(failed) where something cannot be read.
FolderContent content_of(const std::filesystem::path& folder);

/// Names of files are bytes of the system, whatever the encoding of their content.
std::string name_of(const std::filesystem::path& path);

}  // namespace navvy::loaders
