// Index files. Checksums are corrected first, since a fuzzer cannot guess them: what is tried here
// are the checks behind them.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "../tests/index/checksums.hpp"
#include "index/layout.hpp"
#include "index/mapped_file.hpp"
#include "navvy/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::shared_ptr<std::byte> memory = navvy::index::aligned_memory(size);
  if (size > 0) std::memcpy(memory.get(), data, size);
  const std::span<std::byte> file(memory.get(), size);
  navvy::test::correct_checksums(file);
  navvy::Index index;
  try {
    index = navvy::index::read_index({file, memory}, "fuzz", {});
  } catch (const navvy::Error&) {
    return 0;
  }
  // What was accepted is sound and is written back byte by byte, unless it had sections that this
  // version does not know.
  navvy::validate(index);
  for (std::size_t row = 0; row < index.rows.size(); ++row) {
    if (index.id(row) == index.label(row) && index.rows[row].size() > size) std::abort();
  }
  if (navvy::index::FileImage(index).bytes() > size) std::abort();
  return 0;
}
