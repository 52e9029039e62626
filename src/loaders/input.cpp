// Buffers files, pipes and memory, and hands packed ones to who unpacks them.
#include "loaders/input.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include "core/files.hpp"
#include "loaders/unpack.hpp"

namespace navvy::loaders {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 16;

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path)
      : path_(path), file_(core::open_for_reading(path)) {}

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t got = core::read_fully(file_.descriptor, out, path_);
    position_ += got;
    return got;
  }
  [[nodiscard]] std::optional<std::uint64_t> remaining() const override {
    if (!file_.regular) return std::nullopt;
    return file_.size - std::min(file_.size, position_);
  }

 private:
  std::filesystem::path path_;
  core::OpenFile file_;
  std::uint64_t position_ = 0;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t count = std::min(out.size(), bytes_.size());
    std::copy_n(bytes_.begin(), count, out.begin());
    bytes_ = bytes_.subspan(count);
    return count;
  }
  [[nodiscard]] std::optional<std::uint64_t> remaining() const override { return bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
};

bool begins_with(std::span<const std::byte> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

}  // namespace

std::span<const std::byte> BufferedSource::peek(std::size_t count) {
  if (end_ - begin_ < count) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
    buffer_.resize(std::max({buffer_.size(), buffer_bytes, count}));
    end_ += source_->read(std::span(buffer_).subspan(end_));
  }
  return std::span<const std::byte>(buffer_).subspan(begin_, end_ - begin_);
}

void BufferedSource::consume(std::size_t count) noexcept { begin_ += count; }

std::size_t BufferedSource::read(std::span<std::byte> out) {
  const std::size_t ready = std::min(out.size(), end_ - begin_);
  std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), ready, out.begin());
  begin_ += ready;
  return ready == out.size() ? ready : ready + source_->read(out.subspan(ready));
}

std::optional<std::uint64_t> BufferedSource::remaining() const {
  const std::optional<std::uint64_t> rest = source_->remaining();
  return rest ? std::optional(*rest + (end_ - begin_)) : std::nullopt;
}

InputStream::InputStream(const std::filesystem::path& path) : name_(core::display_name(path)) {
  unpack(std::make_unique<FileSource>(path));
}

InputStream::InputStream(std::string name, std::span<const std::byte> bytes)
    : name_(std::move(name)) {
  unpack(std::make_unique<MemorySource>(bytes));
}

InputStream::InputStream(std::string name, std::unique_ptr<ByteSource> source)
    : name_(std::move(name)), source_(std::make_unique<BufferedSource>(std::move(source))) {}

void InputStream::unpack(std::unique_ptr<ByteSource> raw) {
  source_ = std::make_unique<BufferedSource>(std::move(raw));
  const std::span<const std::byte> head = source_->peek(4);
  if (begins_with(head, "\x1f\x8b")) {
    source_ = std::make_unique<BufferedSource>(make_gzip_source(std::move(source_), name_));
  } else if (begins_with(head, "\x28\xb5\x2f\xfd")) {
    source_ = std::make_unique<BufferedSource>(make_zstd_source(std::move(source_), name_));
  }
}

std::size_t InputStream::read(std::span<std::byte> out) {
  const std::size_t got = source_->read(out);
  position_ += got;
  return got;
}

std::span<const std::byte> InputStream::peek(std::size_t count) {
  const std::span<const std::byte> next = source_->peek(count);
  return next.first(std::min(next.size(), count));
}

bool InputStream::starts_with(std::string_view magic) {
  return begins_with(peek(magic.size()), magic);
}

std::vector<std::uint8_t> InputStream::read_up_to(std::uint64_t limit) {
  constexpr std::uint64_t first_step = buffer_bytes;
  std::vector<std::uint8_t> bytes;
  const std::uint64_t known = std::min(limit, remaining().value_or(0));
  std::uint64_t step = std::max(known, first_step);
  while (bytes.size() < limit) {
    const std::size_t begin = bytes.size();
    bytes.resize(static_cast<std::size_t>(begin + std::min(limit - begin, step)));
    const std::size_t got = read(std::as_writable_bytes(std::span(bytes).subspan(begin)));
    const bool ended = got < bytes.size() - begin;
    bytes.resize(begin + got);
    if (ended) break;
    step = std::max<std::uint64_t>(first_step, bytes.size());
  }
  return bytes;
}

std::vector<std::uint8_t> InputStream::read_rest(std::uint64_t bytes,
                                                 const std::string& what_needs) {
  const std::uint64_t head = position_;
  const auto refuse = [&](std::uint64_t found, const char* more) {
    // Saturated: the need may be beyond any file.
    const std::uint64_t need = std::max(bytes, bytes + head);
    fail(what_needs + " " + std::to_string(need) + " bytes, found " + more +
         std::to_string(found + head));
  };
  if (const auto there = remaining(); there && *there != bytes) refuse(*there, "");
  std::vector<std::uint8_t> body = read_up_to(bytes);
  if (body.size() < bytes) refuse(body.size(), "");
  if (!at_end()) refuse(bytes, "more than ");
  return body;
}

std::vector<std::uint8_t> InputStream::read_all(std::uint64_t limit) {
  std::vector<std::uint8_t> bytes = read_up_to(limit);
  if (!at_end()) {
    throw Error(ErrorCode::limit,
                name_ + ": more than " + std::to_string(limit) + " bytes, which is the limit");
  }
  return bytes;
}

bool InputStream::read_line(std::string& line, std::size_t limit) {
  line.clear();
  bool found = false;
  for (;;) {
    const std::span<const std::byte> next = source_->peek(1);
    if (next.empty()) break;
    if (!found) ++line_number_;
    found = true;
    const auto* text = reinterpret_cast<const char*>(next.data());
    const auto* end = static_cast<const char*>(std::memchr(text, '\n', next.size()));
    const std::size_t count = end != nullptr ? static_cast<std::size_t>(end - text) : next.size();
    if (line.size() + count > limit) {
      fail("line " + std::to_string(line_number_) + ": longer than " + std::to_string(limit) +
           " bytes");
    }
    line.append(text, count);
    const std::size_t taken = count + (end != nullptr ? 1 : 0);
    source_->consume(taken);
    position_ += taken;
    if (end != nullptr) break;
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return found;
}

void InputStream::fail(const std::string& what) const {
  throw Error(ErrorCode::bad_input, name_ + ": " + what);
}

std::uint64_t InputStream::default_limit() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 2;
}

// Nothing but Latin letters in 16 bits has a zero in most of either the even or the odd places, and
// hardly any in the others.
void require_no_utf16(InputStream& stream) {
  constexpr std::size_t sample_bytes = 4096;
  const std::span<const std::byte> bytes = stream.peek(sample_bytes);
  const std::size_t pairs = bytes.size() / 2;
  std::size_t zeros[2] = {0, 0};
  for (std::size_t i = 0; i < 2 * pairs; ++i)
    if (bytes[i] == std::byte{0}) ++zeros[i % 2];
  const auto [few, many] = std::minmax(zeros[0], zeros[1]);
  const bool has_mark = stream.starts_with("\xff\xfe") || stream.starts_with("\xfe\xff");
  if (has_mark || (many >= 2 && 2 * many > pairs && 20 * few <= pairs))
    stream.fail(
        "is UTF-16, expected UTF-8: `iconv -f UTF-16 -t UTF-8` (UTF-16LE or UTF-16BE where there "
        "is no byte order mark) makes it of such a file");
}

void require_text(InputStream& stream) {
  constexpr std::pair<std::string_view, const char*> others[] = {
      {"NAVVYIDX", "a navvy index"},
      {"\x89PNG\r\n\x1a\n", "a PNG picture"},
      {"\xff\xd8\xff", "a JPEG picture"},
      {"GIF87a", "a GIF picture"},
      {"GIF89a", "a GIF picture"},
      {"%PDF-", "a PDF document"},
      {"PK\x03\x04", "a zip archive"},
      {"\x93NUMPY", "an array of NumPy"},
      {"\x1f\x8b", "packed with gzip twice"},
      {"\x28\xb5\x2f\xfd", "packed with zstd twice"}};
  for (const auto& [magic, what] : others)
    if (stream.starts_with(magic)) stream.fail(std::string("is ") + what + ", expected text");
  require_no_utf16(stream);
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t product = 0;
  const bool overflow = __builtin_mul_overflow(a, b, &product);
  return overflow ? std::numeric_limits<std::uint64_t>::max() : product;
}

std::string shortest(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string hex(std::span<const std::byte> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  if (bytes.empty()) return "nothing";
  std::string text;
  for (const std::byte byte : bytes) {
    if (!text.empty()) text += ' ';
    text += digits[std::to_integer<std::size_t>(byte >> 4)];
    text += digits[std::to_integer<std::size_t>(byte & std::byte{15})];
  }
  return text;
}

}  // namespace navvy::loaders
