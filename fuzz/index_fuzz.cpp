// Index files. Checksums are corrected first, since a fuzzer cannot guess them: what is tried here
// are the checks behind them.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "../tests/index/checksums.hpp"
#include "index/layout.hpp"
#include "index/mapped_file.hpp"
#include "navvy/error.hpp"

namespace {

using navvy::index::Bytes;
using navvy::index::Layout;
using navvy::index::Reading;

// What an IndexWriter reads; it may refuse what whole reading accepts, such as words that stand
// twice in what no row uses.
void read_outline(const Bytes& file) {
  try {
    const auto segments =
        navvy::index::read_segments(file, navvy::index::read_layout(file), {}, Reading::outline);
    const navvy::Index known = navvy::index::outline(segments);
    if (known.vocabulary.size() > file.span.size()) std::abort();
  } catch (const navvy::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::shared_ptr<std::byte> memory = navvy::index::aligned_memory(size);
  if (size > 0) std::memcpy(memory.get(), data, size);
  const std::span<std::byte> bytes(memory.get(), size);
  navvy::test::correct_checksums(bytes);
  const Bytes file{bytes, memory};
  read_outline(file);
  navvy::Index index;
  try {
    index = navvy::index::read_index(file, "fuzz", {});
    static_cast<void>(index.beyond.vocabulary());  // what is wrong with them is found now
  } catch (const navvy::Error&) {
    return 0;
  }
  // What was accepted is sound and is written back byte by byte, unless it had sections that this
  // version does not know.
  navvy::validate(index);
  for (std::size_t row = 0; row < index.rows.size(); ++row) {
    if (index.id(row) == index.label(row) && index.rows[row].size() > size) std::abort();
  }
  // Of an edited file, rows that were called by number may have got ids, and fields of other rows.
  const bool edited = navvy::index::read_layout(file).has_manifest;
  if (!edited && navvy::index::FileImage(index).bytes() > size) std::abort();
  return 0;
}
