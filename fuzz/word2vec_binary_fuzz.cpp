// word2vec binary: the first two bytes of an input choose the head line, so that the records behind
// it are reached.
#include "vectors_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  std::string file = std::to_string(data[0]) + ' ' + std::to_string(data[1] % 16) + '\n';
  file.append(reinterpret_cast<const char*>(data) + 2, size - 2);
  navvy::fuzz::scan(std::as_bytes(std::span(file)));
  return 0;
}
