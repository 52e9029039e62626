// Names the bytes that the build put into the program.
#include "cli/demo_data.hpp"

#include <cstdint>

// Defined by navvy_embed in src/cli/CMakeLists.txt.
extern "C" {
extern const std::byte navvy_demo_digit_images[];
extern const std::uint64_t navvy_demo_digit_images_size;
extern const std::byte navvy_demo_digit_labels[];
extern const std::uint64_t navvy_demo_digit_labels_size;
extern const std::byte navvy_demo_texts[];
extern const std::uint64_t navvy_demo_texts_size;
extern const std::byte navvy_demo_queries[];
extern const std::uint64_t navvy_demo_queries_size;
extern const std::byte navvy_demo_vectors[];
extern const std::uint64_t navvy_demo_vectors_size;
}

namespace navvy::cli {

EmbeddedFile demo_digit_images() noexcept {
  return {navvy_demo_digit_images, navvy_demo_digit_images_size};
}

EmbeddedFile demo_digit_labels() noexcept {
  return {navvy_demo_digit_labels, navvy_demo_digit_labels_size};
}

EmbeddedFile demo_texts() noexcept { return {navvy_demo_texts, navvy_demo_texts_size}; }

EmbeddedFile demo_queries() noexcept { return {navvy_demo_queries, navvy_demo_queries_size}; }

EmbeddedFile demo_vectors() noexcept { return {navvy_demo_vectors, navvy_demo_vectors_size}; }

}  // namespace navvy::cli
