// Appends to index files; the order of syncs is what makes an edit whole or nothing.
#include "index/append.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "navvy/error.hpp"

namespace navvy::index {

Appender::Appender(const core::FileDescriptor& file, const std::filesystem::path& path,
                   std::uint64_t end)
    : file_(file), path_(path), end_(end), place_(end) {
  if (::ftruncate(file_.get(), static_cast<off_t>(end)) != 0) {
    core::throw_system_error(path_, "write", errno);
  }
}

Appender::~Appender() {
  // Best effort: what stays behind the length in the head does not count anyway.
  if (!committed_ && ::ftruncate(file_.get(), static_cast<off_t>(end_)) != 0) return;
}

void Appender::write_at(std::uint64_t place, std::span<const std::byte> bytes) const {
  constexpr std::size_t piece = std::size_t{1} << 26;
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(file_.get(), bytes.data(), std::min(bytes.size(), piece),
                                 static_cast<off_t>(place));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) core::throw_system_error(path_, "write", put < 0 ? errno : EIO);
    place += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

void Appender::write(std::span<const std::byte> bytes) {
  write_at(place_, bytes);
  place_ += bytes.size();
}

void Appender::align() {
  constexpr std::array<std::byte, alignment> zeros{};
  write(std::span(zeros).first(aligned(place_) - place_));
}

void Appender::put_head(const Head& before, const Head& after) const {
  try {
    write_at(0, std::as_bytes(std::span(&after, 1)));
  } catch (const Error&) {
    // Should a part of it be there: readers need the old one whole.
    const auto old = std::as_bytes(std::span(&before, 1));
    const ssize_t put = ::pwrite(file_.get(), old.data(), old.size(), 0);
    if (put != static_cast<ssize_t>(old.size())) {
      throw Error(ErrorCode::failed,
                  core::display_name(path_) + ": cannot write its head, which may be damaged now");
    }
    throw;
  }
}

void Appender::commit(const Head& before, const Head& after) {
  if (::fsync(file_.get()) != 0) core::throw_system_error(path_, "write", errno);
  put_head(before, after);
  committed_ = true;
  if (::fsync(file_.get()) != 0) {
    core::throw_system_error(path_, "sync the edit, which is there but may not survive a crash",
                             errno);
  }
}

}  // namespace navvy::index
