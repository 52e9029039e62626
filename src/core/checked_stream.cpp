// Buffers values on their way, and compares what was read with what was written.
#include "core/checked_stream.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/files.hpp"
#include "navvy/error.hpp"

namespace navvy::core {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

}  // namespace

void CheckedWriter::write_bytes(std::span<const std::byte> bytes) {
  written_.add_bytes(bytes);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (buffer_.size() >= buffer_bytes) flush();
}

void CheckedWriter::flush() {
  sink_(buffer_);
  buffer_.clear();
}

void CheckedWriter::finish() {
  const std::uint64_t check = written_.value();
  write(std::span(&check, 1));
  flush();
}

CheckedReader::CheckedReader(std::string name, Source source, std::string advice)
    : name_(std::move(name)),
      advice_(std::move(advice)),
      source_(std::move(source)),
      buffer_(buffer_bytes) {}

bool CheckedReader::has_more() {
  if (left_.empty()) left_ = std::span(buffer_).first(source_(buffer_));
  return !left_.empty();
}

void CheckedReader::read_bytes(std::span<std::byte> bytes) {
  for (std::span<std::byte> missing = bytes; !missing.empty();) {
    require(has_more(), "it ends too early");
    const std::size_t count = std::min(missing.size(), left_.size());
    std::copy_n(left_.begin(), count, missing.begin());
    left_ = left_.subspan(count);
    missing = missing.subspan(count);
  }
  read_.add_bytes(bytes);
}

void CheckedReader::require(bool right, std::string_view otherwise) const {
  if (!right)
    throw Error(ErrorCode::bad_input,
                name_ + ": not what was saved: " + std::string(otherwise) + advice_);
}

void CheckedReader::finish() {
  const std::uint64_t expected = read_.value();
  std::uint64_t check = 0;
  read(std::span(&check, 1));
  require(check == expected, "its bytes have changed");
  require(!has_more(), "it goes on after its end");
}

CheckedReader read_checked(const std::filesystem::path& path, std::string advice) {
  const auto file = std::make_shared<const OpenFile>(open_for_reading(path));
  return {display_name(path),
          [file, path](std::span<std::byte> bytes) {
            return read_fully(file->descriptor, bytes, path);
          },
          std::move(advice)};
}

}  // namespace navvy::core
