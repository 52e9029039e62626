// Bytes of index files at addresses that fit their sections.
#pragma once

#include <filesystem>

#include "index/format.hpp"
#include "navvy/writer.hpp"

namespace navvy::index {

/// The bytes of a file and which state of it they are, but for the number of edits.
struct MappedFile {
  Bytes bytes;
  FileState state;
};

/// The bytes of a file: mapped, or copied where the file is small, since a mapping costs whole
/// pages and breaks when somebody truncates the file. Throws Error(failed).
MappedFile map_file(const std::filesystem::path& path);

/// Gives the memory of mapped pages back until they are looked at again; who copies a file section
/// by section then needs little more than the copy.
void forget_pages(const Bytes& file) noexcept;

/// The bytes themselves, or a copy of them where they are not aligned like a mapping.
Bytes aligned_bytes(const Array<std::byte>& file);

/// Memory for `size` bytes, aligned like a mapping.
std::shared_ptr<std::byte> aligned_memory(std::size_t size);

}  // namespace navvy::index
