// Bytes put behind the end of an index file, and the head that makes them count.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/files.hpp"
#include "index/format.hpp"

namespace navvy::index {

/// Appends to a file from a given length on. Until commit(), readers go by the old head and see
/// nothing of it; without commit() the file gets its old length back.
class Appender {
 public:
  /// Cuts off what an earlier edit has left behind `end`, a multiple of the alignment.
  Appender(const core::FileDescriptor& file, const std::filesystem::path& path, std::uint64_t end);
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;
  ~Appender();

  /// Where the next piece goes.
  [[nodiscard]] std::uint64_t place() const noexcept { return place_; }

  void write(std::span<const std::byte> bytes);
  /// Zeros up to the next multiple of the alignment.
  void align();

  /// Syncs what was appended, then replaces the head `before` by `after` and syncs that: one write
  /// of 64 bytes at the begin of the file, which disks write whole or not at all. Throws
  /// Error(failed).
  void commit(const Head& before, const Head& after);

 private:
  void write_at(std::uint64_t place, std::span<const std::byte> bytes) const;
  void put_head(const Head& before, const Head& after) const;

  const core::FileDescriptor& file_;
  std::filesystem::path path_;
  std::uint64_t end_;
  std::uint64_t place_;
  bool committed_ = false;
};

}  // namespace navvy::index
