// NumPy arrays as coordinates, histograms and labels.
#include <cstdint>
#include <span>

#include "loaders/histograms.hpp"

namespace {

template <class Read>
void try_reading(std::span<const std::byte> bytes, const Read& read) {
  try {
    navvy::loaders::InputStream input("fuzz", bytes);
    read(input);
  } catch (const navvy::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using navvy::loaders::InputStream;
  const auto bytes = std::as_bytes(std::span(data, size));
  try_reading(bytes, [](InputStream& input) { navvy::loaders::read_coordinates(input); });
  try_reading(bytes, [](InputStream& input) { navvy::loaders::read_labels(input); });
  try_reading(bytes, [](InputStream& input) {
    navvy::loaders::dense_histograms(navvy::loaders::NpyArray(input), navvy::ZeroBins::keep);
  });
  return 0;
}
