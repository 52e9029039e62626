// PNG and JPEG pictures: decoded, turned upright, weighed as ink and resized.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "loaders/picture.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace navvy::loaders;
  exif_orientation({data, size});
  try {
    InputStream input("fuzz", std::as_bytes(std::span(data, size)));
    const Picture picture = read_picture(input);
    const std::size_t pixels = std::size_t{picture.width} * picture.height;
    if (picture.pixels.size() != pixels * picture_channels) std::abort();
    // Large pictures take long and show nothing more.
    if (pixels > (std::size_t{1} << 20U)) return 0;
    const auto ink = ink_of(picture, true, true);
    constexpr std::size_t values = 105;  // 3 for each of 7 by 5 pixels
    if (resized(ink, {picture.width, picture.height, 3}, 7, 5).size() != values) std::abort();
  } catch (const navvy::Error&) {
  }
  return 0;
}
