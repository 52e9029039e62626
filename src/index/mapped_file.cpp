// Brings the bytes of a file into memory, mapped or copied.
#include "index/mapped_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

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

namespace {

FileState state_of(const core::FileDescriptor& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return {};
  return {status.st_dev, status.st_ino, 0,
          std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
}

}  // namespace

MappedFile map_file(const std::filesystem::path& path) {
  constexpr std::uint64_t small = std::uint64_t{1} << 20;
  const core::OpenFile file = core::open_for_reading(path);
  if (!file.regular) {
    throw Error(ErrorCode::failed, core::display_name(path) + ": is a pipe, expected a file");
  }
  const auto size = static_cast<std::size_t>(file.size);
  if (size < small) {
    const std::shared_ptr<std::byte> memory = aligned_memory(size);
    const std::size_t got = core::read_fully(file.descriptor, {memory.get(), size}, path);
    return {{{memory.get(), got}, memory, false}, state_of(file.descriptor)};
  }
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor.get(), 0);
  if (start == MAP_FAILED) core::throw_system_error(path, "map", errno);
  std::shared_ptr<const void> owner(start, [size](void* mapping) { ::munmap(mapping, size); });
  return {{{static_cast<const std::byte*>(start), size}, std::move(owner), true},
          state_of(file.descriptor)};
}

void forget_pages(const Bytes& file) noexcept {
  if (!file.mapped) return;
  auto* const start = const_cast<std::byte*>(file.span.data());
  ::madvise(start, file.span.size(), MADV_DONTNEED);
}

Bytes aligned_bytes(const Array<std::byte>& file) {
  if (reinterpret_cast<std::uintptr_t>(file.data()) % alignment == 0) {
    return {file.span(), std::make_shared<const Array<std::byte>>(file), false};
  }
  const std::shared_ptr<std::byte> memory = aligned_memory(file.size());
  std::ranges::copy(file, memory.get());
  return {{memory.get(), file.size()}, memory, false};
}

}  // namespace navvy::index
