// Writing whole index files.
#pragma once

#include <filesystem>

#include "core/files.hpp"
#include "core/parallel.hpp"
#include "index/format.hpp"

namespace navvy::index {

/// Puts out an image piece by piece, so that progress is seen and a stop is heard.
void write_image(const FileImage& image, core::Monitor& monitor, const ByteSink& sink);

/// Replaces a file by an index, whole or not at all, and returns the new file, locked before it had
/// its name. The caller holds the lock of the old one.
core::FileDescriptor replace_file(const Index& index, const std::filesystem::path& path,
                                  const ProgressCallback& progress);

}  // namespace navvy::index
