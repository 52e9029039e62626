// Reads IDX heads, and bodies of exactly the size they announce.
#include "loaders/idx.hpp"

#include <array>

namespace navvy::loaders {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

// Magic, then one big-endian 32-bit size per dimension.
template <std::size_t dimensions>
std::array<std::uint32_t, dimensions> read_sizes(InputStream& input, std::string_view magic) {
  if (!input.starts_with(magic)) {
    const std::span<const std::byte> found = input.peek(magic.size());
    input.fail("byte 0: found " + hex(found) + ", expected " +
               hex(std::as_bytes(std::span(magic))) + " (IDX, unsigned bytes, " +
               number(dimensions) + (dimensions == 1 ? " dimension)" : " dimensions)"));
  }
  std::array<std::byte, 4 + 4 * dimensions> head{};
  const std::size_t got = input.read(head);
  if (got < head.size()) {
    input.fail("byte " + number(got) + ": the head ends early, expected " + number(head.size()) +
               " bytes");
  }
  std::array<std::uint32_t, dimensions> sizes{};
  for (std::size_t i = 0; i < 4 * dimensions; ++i) {
    sizes[i / 4] = sizes[i / 4] << 8 | std::to_integer<std::uint32_t>(head[4 + i]);
  }
  return sizes;
}

}  // namespace

Images read_idx_images(InputStream& input) {
  const auto [count, height, width] = read_sizes<3>(input, idx_images_magic);
  const std::string what =
      "byte 4: " + number(count) + " images of " + number(height) + "x" + number(width);
  const auto bytes = saturating_product(std::uint64_t{height} * width, count);
  if (bytes == 0) input.fail(what + ", expected at least one pixel");
  return {count, height, width, input.read_rest(bytes, what + " need")};
}

std::vector<std::string> read_idx_labels(InputStream& input) {
  const auto [count] = read_sizes<1>(input, idx_labels_magic);
  const std::vector<std::uint8_t> body =
      input.read_rest(count, "byte 4: " + number(count) + " labels need");
  std::vector<std::string> labels;
  labels.reserve(body.size());
  for (const std::uint8_t label : body) labels.push_back(std::to_string(label));
  return labels;
}

}  // namespace navvy::loaders

namespace navvy {

Images read_idx_images(const std::filesystem::path& path) {
  loaders::InputStream input(path);
  return loaders::read_idx_images(input);
}

Images read_idx_images(std::span<const std::byte> file) {
  loaders::InputStream input(loaders::bytes_name, file);
  return loaders::read_idx_images(input);
}

}  // namespace navvy
