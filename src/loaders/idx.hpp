// IDX, the format of MNIST: big-endian, unsigned bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "loaders/input.hpp"
#include "navvy/loaders.hpp"

namespace navvy::loaders {

using namespace std::string_view_literals;
inline constexpr std::string_view idx_images_magic = "\x00\x00\x08\x03"sv;
inline constexpr std::string_view idx_labels_magic = "\x00\x00\x08\x01"sv;

Images read_idx_images(InputStream& input);
std::vector<std::string> read_idx_labels(InputStream& input);

}  // namespace navvy::loaders
