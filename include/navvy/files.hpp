// Files that are written whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace navvy {

/// Writes a file through a temporary file in the same folder, synced and renamed: it appears whole
/// or not at all. Throws Error(failed) with the reason of the system.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace navvy
