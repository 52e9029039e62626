// Unpacks the embedded PTX.
#include "devices/cuda_ptx.hpp"

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "navvy/error.hpp"

// What the build embeds: see CMakeLists.txt.
#define NAVVY_PTX(levels)                              \
  extern "C" const unsigned char navvy_ptx_##levels[]; \
  extern "C" const std::uint64_t navvy_ptx_##levels##_size
NAVVY_PTX(0);
NAVVY_PTX(1);
NAVVY_PTX(2);
NAVVY_PTX(4);
NAVVY_PTX(8);
NAVVY_PTX(16);
#undef NAVVY_PTX

namespace navvy::devices::cuda {
namespace {

std::span<const unsigned char> packed(int levels) {
  switch (levels) {
    case 0:
      return {navvy_ptx_0, navvy_ptx_0_size};
    case 1:
      return {navvy_ptx_1, navvy_ptx_1_size};
    case 2:
      return {navvy_ptx_2, navvy_ptx_2_size};
    case 4:
      return {navvy_ptx_4, navvy_ptx_4_size};
    case 8:
      return {navvy_ptx_8, navvy_ptx_8_size};
    case 16:
      return {navvy_ptx_16, navvy_ptx_16_size};
    default:
      break;
  }
  throw Error(ErrorCode::failed, "there are no kernels for " + std::to_string(levels) +
                                     " levels; expected 0, 1, 2, 4, 8 or 16");
}

// A file of gzip ends with the number of bytes that it holds, the lowest first.
std::size_t unpacked_size(std::span<const unsigned char> file) {
  std::size_t size = 0;
  for (int i = 1; i <= 4; ++i) size = size << 8 | file[file.size() - static_cast<std::size_t>(i)];
  return size;
}

}  // namespace

std::string ptx(int levels) {
  const std::span<const unsigned char> file = packed(levels);
  std::string text(unpacked_size(file), '\0');
  z_stream stream{};
  stream.next_in = const_cast<unsigned char*>(file.data());
  stream.avail_in = static_cast<uInt>(file.size());
  stream.next_out = reinterpret_cast<unsigned char*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  const int with_head_of_gzip = 16 + MAX_WBITS;
  bool whole = inflateInit2(&stream, with_head_of_gzip) == Z_OK;
  whole = whole && inflate(&stream, Z_FINISH) == Z_STREAM_END;
  inflateEnd(&stream);
  if (!whole) throw Error(ErrorCode::failed, "the kernels in this program cannot be unpacked");
  return text;
}

}  // namespace navvy::devices::cuda
