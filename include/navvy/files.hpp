// Files that are written whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace navvy {

/// Writes a file through a temporary file in the same folder, synced and renamed: it appears whole
/// or not at all. Throws Error(failed) with the reason of the system.
void write_file(const std::filesystem::path& path, std::string_view content);

/// Takes the content of a file piece by piece.
using TextSink = std::function<void(std::string_view)>;

/// The same for content that is made while it is written: `write` hands it to the sink. What it
/// throws leaves no file.
void write_file(const std::filesystem::path& path,
                const std::function<void(const TextSink&)>& write);

}  // namespace navvy
