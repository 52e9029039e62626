// Images on a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "navvy/loaders.hpp"

namespace navvy::cli {

/// One image of a row of images, with a word below it.
struct Picture {
  std::uint32_t image = 0;
  std::string caption;
};

/// Small images side by side on stdout, in shades of text.
void print_pictures(const Images& images, const std::vector<Picture>& pictures);

}  // namespace navvy::cli
