#pragma once

#include <zip.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "loaders/input.hpp"
#include "support/temporary_folder.hpp"

/// Input files made by hand, so that they can be wrong in any way.
namespace navvy::test {

inline std::filesystem::path array_file(const std::string& name) {
  return std::filesystem::path(NAVVY_TEST_DATA) / "arrays" / name;
}

inline std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 255);
  return bytes;
}

inline std::string idx_images(std::uint32_t count, std::uint32_t height, std::uint32_t width,
                              const std::string& pixels) {
  return big_endian(0x803) + big_endian(count) + big_endian(height) + big_endian(width) + pixels;
}

inline std::string npy_with_head(const std::string& head, const std::string& data,
                                 char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  const auto size = static_cast<std::uint32_t>(head.size());
  bytes.append(reinterpret_cast<const char*>(&size), version == 1 ? 2 : 4);
  return bytes + head + data;
}

inline std::string npy(const std::string& type, const std::string& shape, const std::string& data) {
  return npy_with_head(
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n", data);
}

template <class T>
std::string raw(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

inline std::string gzip(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  std::string copy = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// An archive of members, deflated.
inline std::string zip(const std::map<std::string, std::string>& members) {
  zip_error_t error;
  zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(target);
  zip_t* archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  for (const auto& [name, bytes] : members) {
    zip_file_add(archive, name.c_str(), zip_source_buffer(archive, bytes.data(), bytes.size(), 0),
                 0);
  }
  zip_close(archive);
  zip_stat_t status;
  zip_source_stat(target, &status);
  std::string result(status.size, '\0');
  zip_source_open(target);
  zip_source_read(target, result.data(), result.size());
  zip_source_close(target);
  zip_source_free(target);
  return result;
}

/// The members of a good csr matrix, [[0, 1, 3], [2, 0, 0]], to be made wrong one by one.
inline std::map<std::string, std::string> csr_members() {
  return {{"format.npy", npy("|S3", "()", "csr")},
          {"shape.npy", npy("<i8", "(2,)", raw<std::int64_t>({2, 3}))},
          {"indptr.npy", npy("<i4", "(3,)", raw<std::int32_t>({0, 2, 3}))},
          {"indices.npy", npy("<i4", "(3,)", raw<std::int32_t>({1, 2, 0}))},
          {"data.npy", npy("<f4", "(3,)", raw<float>({1, 3, 2}))}};
}

/// A stream over a copy of the bytes of exactly their size, so that sanitizers see every step
/// beyond it.
class MemoryInput {
 public:
  explicit MemoryInput(const std::string& bytes)
      : memory_(bytes.begin(), bytes.end()), stream_("x", std::as_bytes(std::span(memory_))) {}
  loaders::InputStream& operator*() noexcept { return stream_; }

 private:
  std::vector<char> memory_;
  loaders::InputStream stream_;
};

}  // namespace navvy::test
