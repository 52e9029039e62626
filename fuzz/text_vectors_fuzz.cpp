// Vectors files of any format as they are: GloVe, word2vec, fastText, and what is refused.
#include "vectors_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  navvy::fuzz::scan(std::as_bytes(std::span(data, size)));
  return 0;
}
