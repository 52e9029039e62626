// Brings the bytes of a file into memory, mapped or copied.
#include "index/mapped_file.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "core/files.hpp"
#include "navvy/error.hpp"

namespace navvy::index {

std::shared_ptr<std::byte> aligned_memory(std::size_t size) {
  constexpr std::align_val_t boundary{alignment};
  auto* memory = static_cast<std::byte*>(::operator new(std::max<std::size_t>(size, 1), boundary));
  return {memory, [](std::byte* bytes) { ::operator delete(bytes, boundary); }};
}

Bytes map_file(const std::filesystem::path& path) {
  constexpr std::uint64_t small = std::uint64_t{1} << 20;
  const core::OpenFile file = core::open_for_reading(path);
  if (!file.regular) {
    throw Error(ErrorCode::failed, core::display_name(path) + ": is a pipe, expected a file");
  }
  const auto size = static_cast<std::size_t>(file.size);
  if (size < small) {
    const std::shared_ptr<std::byte> memory = aligned_memory(size);
    const std::size_t got = core::read_fully(file.descriptor, {memory.get(), size}, path);
    return {{memory.get(), got}, memory};
  }
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor.get(), 0);
  if (start == MAP_FAILED) core::throw_system_error(path, "map", errno);
  std::shared_ptr<const void> owner(start, [size](void* mapping) { ::munmap(mapping, size); });
  return {{static_cast<const std::byte*>(start), size}, std::move(owner)};
}

Bytes aligned_bytes(const Array<std::byte>& file) {
  if (reinterpret_cast<std::uintptr_t>(file.data()) % alignment == 0) {
    return {file.span(), std::make_shared<const Array<std::byte>>(file)};
  }
  const std::shared_ptr<std::byte> memory = aligned_memory(file.size());
  std::ranges::copy(file, memory.get());
  return {{memory.get(), file.size()}, memory};
}

}  // namespace navvy::index
