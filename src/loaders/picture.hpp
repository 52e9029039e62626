// One picture out of the bytes of a PNG or JPEG file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "loaders/input.hpp"
#include "navvy/loaders.hpp"

namespace navvy::loaders {

/// Pixels of red, green, blue and alpha, line by line, upright.
struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> pixels;
};

inline constexpr std::size_t picture_channels = 4;
inline constexpr std::string_view png_magic = "\x89PNG\r\n\x1a\n";
inline constexpr std::string_view jpeg_magic = "\xff\xd8\xff";

/// True if the next bytes are those of a PNG or JPEG file.
bool is_picture(InputStream& input);

/// Throws Error(bad_input) on what is neither, on a file that is cut or damaged, and on a picture
/// of more than 2^26 pixels, before memory is taken for it.
Picture read_picture(InputStream& input);

/// One format each; the stream is for messages only.
Picture decode_png(const InputStream& input, std::span<const std::uint8_t> file);
Picture decode_jpeg(const InputStream& input, std::span<const std::uint8_t> file);

/// Throws Error(bad_input) where a head announces too many pixels, or none.
void check_picture_size(const InputStream& input, std::uint64_t width, std::uint64_t height);

/// The orientation that an EXIF block asks for, 1 to 8; 1 where it says nothing that makes sense.
int exif_orientation(std::span<const std::uint8_t> block) noexcept;

/// The picture as it is to be seen: mirrored and turned as one of the eight orientations says.
Picture upright(Picture picture, int orientation);

/// How much ink the pixels have: one value each, or three with colour. Bright is ink, or dark where
/// inverted; what is transparent has none.
std::vector<std::uint8_t> ink_of(const Picture& picture, bool colour, bool invert);

struct Raster {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t channels = 1;
};

/// Every new pixel is the mean of what it covers of the old ones, by area, rounded half up: whole
/// numbers, so the same on every machine.
std::vector<std::uint8_t> resized(std::span<const std::uint8_t> values, const Raster& from,
                                  std::uint32_t width, std::uint32_t height);

}  // namespace navvy::loaders
