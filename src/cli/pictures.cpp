// Draws images in shades of text.
#include "cli/pictures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>

#include "cli/terminal.hpp"

namespace navvy::cli {
namespace {

constexpr std::array<std::string_view, 5> blocks = {"  ", "\u2591\u2591", "\u2592\u2592",
                                                    "\u2593\u2593", "\u2588\u2588"};
constexpr std::array<std::string_view, 5> letters = {"  ", "..", "++", "**", "##"};

}  // namespace

void print_pictures(const Images& images, const std::vector<Picture>& pictures) {
  const auto& shades = output_terminal().unicode ? blocks : letters;
  const std::size_t size = std::size_t{images.height} * images.width;
  const int brightest =
      std::max<int>(1, *std::max_element(images.pixels.begin(), images.pixels.end()));
  const std::string gap(3, ' ');
  for (std::size_t y = 0; y < images.height; ++y) {
    std::string line;
    for (const Picture& picture : pictures) {
      const auto row =
          std::span(images.pixels).subspan(picture.image * size + y * images.width, images.width);
      // A pixel is two characters wide: characters are about twice as high as wide.
      for (const int pixel : row) {
        line += shades[static_cast<std::size_t>((pixel * 4 + brightest / 2) / brightest)];
      }
      line += gap;
    }
    line.resize(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
  std::string captions;
  for (const Picture& picture : pictures) {
    captions += fmt::format("{:<{}}{}", picture.caption, 2 * images.width, gap);
  }
  captions.resize(captions.find_last_not_of(' ') + 1);
  fmt::print("{}\n", captions);
}

}  // namespace navvy::cli
