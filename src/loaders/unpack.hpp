// Packed data as plain streams.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "loaders/input.hpp"

namespace navvy::loaders {

/// Refuses data that grow out of all proportion when unpacked: bombs.
class UnpackBudget {
 public:
  explicit UnpackBudget(std::string name) : name_(std::move(name)) {}

  /// Throws Error(limit) when more than 1,000 times the packed bytes plus 64 MB have come out.
  void count(std::uint64_t packed, std::uint64_t unpacked);

 private:
  std::string name_;
  std::uint64_t packed_ = 0;
  std::uint64_t unpacked_ = 0;
};

/// Unpacks gzip data of one or several members.
std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<BufferedSource> packed,
                                             const std::string& name);
/// Unpacks zstd data of one or several frames.
std::unique_ptr<ByteSource> make_zstd_source(std::unique_ptr<BufferedSource> packed,
                                             const std::string& name);

}  // namespace navvy::loaders
