// What becomes of the pixels of a picture: turned upright, weighed as ink, made larger or smaller.
#include "loaders/picture.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace navvy::loaders {
namespace {

constexpr std::uint64_t most_pixels = std::uint64_t{1} << 26U;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28U;

// Numbers of a TIFF head; 0 beyond the end, which no valid value there is.
class TiffBytes {
 public:
  explicit TiffBytes(std::span<const std::uint8_t> bytes)
      : bytes_(bytes), is_big_(!bytes.empty() && bytes[0] == 'M') {}

  [[nodiscard]] std::uint32_t number(std::uint64_t place, std::size_t bytes) const noexcept {
    if (place > bytes_.size() || bytes_.size() - place < bytes) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
      value = value << 8U | bytes_[place + (is_big_ ? i : bytes - 1 - i)];
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  bool is_big_;
};

// How much of the new pixels an old one is part of, along one side: in units of which a new pixel
// has `from`, an old one `to`.
struct Overlap {
  std::uint32_t first = 0;
  std::vector<std::uint32_t> parts;
};

std::vector<Overlap> overlaps(std::uint32_t from, std::uint32_t to) {
  std::vector<Overlap> found(to);
  for (std::uint64_t place = 0; place < to; ++place) {
    const std::uint64_t begin = place * from;
    const std::uint64_t end = begin + from;
    Overlap& overlap = found[place];
    overlap.first = static_cast<std::uint32_t>(begin / to);
    for (std::uint64_t old = overlap.first; old * to < end; ++old)
      overlap.parts.push_back(
          static_cast<std::uint32_t>(std::min(end, (old + 1) * to) - std::max(begin, old * to)));
  }
  return found;
}

}  // namespace

bool is_picture(InputStream& input) {
  return input.starts_with(png_magic) || input.starts_with(jpeg_magic);
}

void check_picture_size(const InputStream& input, std::uint64_t width, std::uint64_t height) {
  const std::string found =
      "a picture of " + std::to_string(width) + "x" + std::to_string(height) + " pixels";
  if (width == 0 || height == 0) input.fail(found + ", expected at least one");
  if (width > most_pixels / height)
    input.fail(found + ", expected at most " + std::to_string(most_pixels));
}

Picture read_picture(InputStream& input) {
  const bool is_png = input.starts_with(png_magic);
  if (!is_picture(input))
    input.fail("byte 0: found " + hex(input.peek(4)) + ", expected a PNG or JPEG picture");
  const std::vector<std::uint8_t> file = input.read_all(most_bytes);
  return is_png ? decode_png(input, file) : decode_jpeg(input, file);
}

int exif_orientation(std::span<const std::uint8_t> block) noexcept {
  constexpr std::array<std::uint8_t, 6> mark = {'E', 'x', 'i', 'f', 0, 0};
  constexpr std::uint32_t orientation_tag = 0x112;
  constexpr std::uint32_t short_type = 3;
  if (block.size() < mark.size() || !std::equal(mark.begin(), mark.end(), block.begin())) return 1;
  const TiffBytes tiff(block.subspan(mark.size()));
  const std::uint64_t directory = tiff.number(4, 4);
  const std::uint32_t entries = tiff.number(directory, 2);
  for (std::uint64_t entry = 0; entry < entries; ++entry) {
    const std::uint64_t place = directory + 2 + 12 * entry;
    if (tiff.number(place, 2) != orientation_tag || tiff.number(place + 2, 2) != short_type)
      continue;
    const std::uint32_t value = tiff.number(place + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Picture upright(Picture picture, int orientation) {
  if (orientation == 1) return picture;
  const bool swaps = orientation >= 5;
  const bool last_line_first =
      orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  const bool last_column_first =
      orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  Picture turned{swaps ? picture.height : picture.width, swaps ? picture.width : picture.height,
                 std::vector<std::uint8_t>(picture.pixels.size())};
  auto out = turned.pixels.begin();
  for (std::size_t y = 0; y < turned.height; ++y) {
    for (std::size_t x = 0; x < turned.width; ++x) {
      const std::size_t line = swaps ? x : y;
      const std::size_t column = swaps ? y : x;
      const std::size_t from_line = last_line_first ? picture.height - 1 - line : line;
      const std::size_t from_column = last_column_first ? picture.width - 1 - column : column;
      const std::size_t place = picture_channels * (from_line * picture.width + from_column);
      out = std::copy_n(picture.pixels.begin() + static_cast<std::ptrdiff_t>(place),
                        picture_channels, out);
    }
  }
  return turned;
}

std::vector<std::uint8_t> ink_of(const Picture& picture, bool colour, bool invert) {
  std::vector<std::uint8_t> inks;
  inks.reserve(picture.pixels.size() / picture_channels * (colour ? 3 : 1));
  for (std::size_t i = 0; i < picture.pixels.size(); i += picture_channels) {
    const std::uint32_t alpha = picture.pixels[i + 3];
    const auto add = [&](std::uint32_t value) {
      inks.push_back(
          static_cast<std::uint8_t>(((invert ? 255 - value : value) * alpha + 127) / 255));
    };
    const std::uint32_t red = picture.pixels[i];
    const std::uint32_t green = picture.pixels[i + 1];
    const std::uint32_t blue = picture.pixels[i + 2];
    if (colour) {
      for (const std::uint32_t value : {red, green, blue}) add(value);
    } else {
      add((299 * red + 587 * green + 114 * blue + 500) / 1000);  // Rec. 601
    }
  }
  return inks;
}

std::vector<std::uint8_t> resized(std::span<const std::uint8_t> values, const Raster& from,
                                  std::uint32_t width, std::uint32_t height) {
  const std::vector<Overlap> lines = overlaps(from.height, height);
  const std::vector<Overlap> columns = overlaps(from.width, width);
  const std::uint64_t area = std::uint64_t{from.width} * from.height;
  std::vector<std::uint8_t> made;
  made.reserve(std::size_t{width} * height * from.channels);
  for (const Overlap& line : lines) {
    for (const Overlap& column : columns) {
      for (std::size_t channel = 0; channel < from.channels; ++channel) {
        std::uint64_t sum = area / 2;
        for (std::size_t y = 0; y < line.parts.size(); ++y) {
          const std::size_t begin = (line.first + y) * from.width + column.first;
          for (std::size_t x = 0; x < column.parts.size(); ++x)
            sum += std::uint64_t{line.parts[y]} * column.parts[x] *
                   values[(begin + x) * from.channels + channel];
        }
        made.push_back(static_cast<std::uint8_t>(sum / area));
      }
    }
  }
  return made;
}

}  // namespace navvy::loaders
