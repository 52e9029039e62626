// Arrays as files that NumPy reads: .npy, and .npz as a zip archive without compression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"

namespace navvy::core {

/// The head of an .npy file, format version 1.0, padded so that the data are aligned to 64 bytes.
std::string npy_head(const std::string& type, const std::string& shape);

/// NumPy's way to write a tuple: "(3,)", "(3, 4)".
std::string shape_of(std::initializer_list<std::uint64_t> lengths);

/// A zip archive of stored members, always with 64-bit sizes: graphs may exceed 4 GB. It appears
/// whole or not at all.
class NpzWriter {
 public:
  explicit NpzWriter(const std::filesystem::path& path) : file_(path) {}

  /// `name` without ".npy".
  void add(const std::string& name, const std::string& head, std::span<const std::byte> data);
  /// An array of one dimension.
  template <class T>
  void add_list(const std::string& name, const std::string& type, std::span<const T> values) {
    add(name, npy_head(type, shape_of({values.size()})), std::as_bytes(values));
  }
  void commit();

 private:
  struct Member {
    std::string name;
    std::uint64_t offset;
    std::uint64_t size;
    std::uint32_t crc;
  };

  static void put_common(std::string& out, const Member& member);
  static std::string local_header(const Member& member);
  static std::string directory_entry(const Member& member);
  [[nodiscard]] std::string end_of_directory(std::uint64_t offset, std::uint64_t size) const;
  void write(const std::string& text);

  AtomicFile file_;
  std::uint64_t offset_ = 0;
  std::vector<Member> members_;
};

}  // namespace navvy::core
