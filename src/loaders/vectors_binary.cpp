// word2vec binary: per word its bytes, a space and little-endian floats; a newline after them or
// not.
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "loaders/vectors.hpp"
#include "loaders/window.hpp"

namespace navvy::loaders {
namespace {

static_assert(std::endian::native == std::endian::little,
              "floats are read as they lie in the file");

constexpr std::uint64_t records_per_check = 4096;

std::string announced(const VectorsHead& head) {
  return "the first line announces " + std::to_string(head.words) + " words of " +
         std::to_string(head.dimensions) + " dimensions";
}

// A head that the file cannot hold is refused before anything is done for it.
void check_size(const InputStream& stream, const VectorsHead& head) {
  const auto rest = stream.remaining();
  const std::uint64_t least = head.dimensions * sizeof(float) + 1;
  if (rest && *rest / least < head.words)
    stream.fail("truncated: " + announced(head) + ", but the file ends in record " +
                std::to_string(*rest / least + 1) + " or before");
}

[[noreturn]] void fail_truncated(const InputStream& stream, const VectorsHead& head,
                                 std::uint64_t record) {
  stream.fail("record " + std::to_string(record) + ": the file ends here, but " + announced(head));
}

// The word of the next record. Some writers end each vector with a newline, some do not.
std::string_view next_word(Window& window, const InputStream& stream, const VectorsHead& head,
                           std::uint64_t record, std::size_t record_bytes) {
  std::string_view ready = window.ensure(record_bytes);
  while (!ready.empty() && ready[0] == '\n') {
    window.consume(1);
    ready = window.ensure(record_bytes);
  }
  const std::size_t searched = std::min(ready.size(), max_word_bytes + 1);
  const void* space = searched == 0 ? nullptr : std::memchr(ready.data(), ' ', searched);
  if (space == nullptr) {
    if (ready.size() <= max_word_bytes) fail_truncated(stream, head, record);
    stream.fail("record " + std::to_string(record) + ": no space within " +
                std::to_string(max_word_bytes) + " bytes, expected a word, a space and its vector");
  }
  return ready.substr(0, static_cast<std::size_t>(static_cast<const char*>(space) - ready.data()));
}

void check_end(Window& window, const InputStream& stream, const VectorsHead& head) {
  std::string_view rest = window.ensure(1);
  while (!rest.empty() && (rest[0] == '\n' || rest[0] == '\r' || rest[0] == ' ')) {
    window.consume(1);
    rest = window.ensure(1);
  }
  if (!rest.empty()) stream.fail("there are bytes after the last record, but " + announced(head));
}

void check_finite(const InputStream& stream, std::span<const float> vector, std::uint64_t record,
                  std::string_view word) {
  for (const float value : vector)
    if (!std::isfinite(value))
      stream.fail("record " + std::to_string(record) + " ('" + std::string(word) +
                  "'): a value is not a finite number");
}

}  // namespace

void scan_binary_vectors(InputStream& stream, const VectorsHead& head, VectorsVisitor& visitor,
                         core::Monitor& monitor, VectorsReport& report) {
  check_size(stream, head);
  const std::size_t vector_bytes = head.dimensions * sizeof(float);
  const std::size_t record_bytes = vector_bytes + max_word_bytes + 1;
  Window window(stream);
  std::vector<float> vector(head.dimensions);
  std::string scratch;
  std::uint64_t last_position = 0;
  for (std::uint64_t record = 1; record <= head.words; ++record) {
    const std::string_view raw = next_word(window, stream, head, record, record_bytes);
    const std::string_view rest = window.ensure(record_bytes).substr(raw.size() + 1);
    if (rest.size() < vector_bytes) fail_truncated(stream, head, record);
    const std::string_view word = valid_word(raw, scratch, report.broken);
    const auto number = static_cast<std::uint32_t>(record - 1);
    if (visitor.wants(number, word)) {
      std::memcpy(vector.data(), rest.data(), vector_bytes);
      check_finite(stream, vector, record, word);
      visitor.take(number, word, vector);
    }
    window.consume(raw.size() + 1 + vector_bytes);
    if (record % records_per_check == 0) {
      monitor.add(stream.position() - last_position);
      last_position = stream.position();
      monitor.throw_if_stopped();
    }
  }
  check_end(window, stream, head);
  report.words = head.words;
}

}  // namespace navvy::loaders
