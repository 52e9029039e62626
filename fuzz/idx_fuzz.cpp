// IDX images and labels, plain or packed.
#include <cstdint>
#include <span>

#include "loaders/histograms.hpp"
#include "loaders/idx.hpp"
#include "navvy/loaders.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    navvy::loaders::InputStream input("fuzz", bytes);
    const navvy::Images images = navvy::loaders::read_idx_images(input);
    for (const auto zero_bins : {navvy::ZeroBins::drop, navvy::ZeroBins::keep}) {
      navvy::validate(navvy::index_images(images, zero_bins));
    }
  } catch (const navvy::Error&) {
  }
  try {
    navvy::loaders::InputStream input("fuzz", bytes);
    navvy::loaders::read_labels(input);
  } catch (const navvy::Error&) {
  }
  return 0;
}
