#pragma once

#include <filesystem>

#include "index/format.hpp"

namespace navvy::index {

/// The bytes of a file: mapped, or copied where the file is small, since a mapping costs whole
/// pages and breaks when somebody truncates the file. Throws Error(failed).
Bytes map_file(const std::filesystem::path& path);

/// Memory for `size` bytes, aligned like a mapping.
std::shared_ptr<std::byte> aligned_memory(std::size_t size);

}  // namespace navvy::index
