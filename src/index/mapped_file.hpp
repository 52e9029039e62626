// Bytes of index files at addresses that fit their sections.
#pragma once

#include <filesystem>

#include "index/format.hpp"

namespace navvy::index {

/// The bytes of a file: mapped, or copied where the file is small, since a mapping costs whole
/// pages and breaks when somebody truncates the file. Throws Error(failed).
Bytes map_file(const std::filesystem::path& path);

/// The bytes themselves, or a copy of them where they are not aligned like a mapping.
Bytes aligned_bytes(const Array<std::byte>& file);

/// Memory for `size` bytes, aligned like a mapping.
std::shared_ptr<std::byte> aligned_memory(std::size_t size);

}  // namespace navvy::index
