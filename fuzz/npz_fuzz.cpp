// SciPy sparse matrices. An input is a list of members, "name, length, bytes", and is packed into
// an archive here: a fuzzer cannot guess checksums. Inputs that begin as an archive are taken as
// they are.
#include <zip.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loaders/histograms.hpp"

namespace {

constexpr std::array<const char*, 7> names = {
    "format.npy", "shape.npy", "indptr.npy", "indices.npy", "data.npy", "row.npy", "col.npy"};

// Each member is one byte for its name, two for its length, and its bytes.
std::string archive_of(std::span<const std::uint8_t> input) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(target);
  zip_t* archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  while (input.size() >= 3) {
    const char* name = names[input[0] % names.size()];
    const bool packed = input[0] >= 128;
    const std::size_t claimed = input[1] + std::size_t{256} * input[2];
    const std::size_t length = std::min(claimed, input.size() - 3);
    zip_source_t* bytes = zip_source_buffer(archive, input.data() + 3, length, 0);
    const zip_int64_t place = zip_file_add(archive, name, bytes, ZIP_FL_OVERWRITE);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(place),
                             packed ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 1);
    input = input.subspan(3 + length);
  }
  std::string result;
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_close(archive) != 0) {
    zip_discard(archive);
  } else if (zip_source_stat(target, &status) == 0 && zip_source_open(target) == 0) {
    result.resize(status.size);
    zip_source_read(target, result.data(), result.size());
    zip_source_close(target);
  }
  zip_source_free(target);
  zip_error_fini(&error);
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (!bytes.starts_with("PK")) bytes = archive_of({data, size});
  try {
    navvy::loaders::InputStream input("fuzz", std::as_bytes(std::span(bytes)));
    navvy::loaders::read_histograms(input, navvy::ZeroBins::keep);
  } catch (const navvy::Error&) {
  }
  return 0;
}
