// Where all loaders get their bytes: streams that see through packing and name their file in
// errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "navvy/error.hpp"

namespace navvy::loaders {

/// Somewhere bytes come from, front to back.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `out` as far as there are bytes; a smaller number than asked for means the end.
  virtual std::size_t read(std::span<std::byte> out) = 0;
  /// How many bytes are left, where that is known before reading.
  [[nodiscard]] virtual std::optional<std::uint64_t> remaining() const { return std::nullopt; }
};

/// A source with a look-ahead buffer.
class BufferedSource final : public ByteSource {
 public:
  explicit BufferedSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  /// The next bytes without taking them: at least `count`, fewer only at the end.
  std::span<const std::byte> peek(std::size_t count);
  void consume(std::size_t count) noexcept;
  std::size_t read(std::span<std::byte> out) override;
  [[nodiscard]] std::optional<std::uint64_t> remaining() const override;

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<std::byte> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// The content of a file, a pipe or a piece of memory; gzip and zstd are seen through by their
/// magic bytes. What unpacks to more than 1,000 times its packed size plus 64 MB, counted on the
/// real bytes, throws Error(limit). Errors in the packed data throw Error(bad_input), those of the
/// system Error(failed).
class InputStream {
 public:
  explicit InputStream(const std::filesystem::path& path);
  /// `bytes` must outlive the stream.
  InputStream(std::string name, std::span<const std::byte> bytes);
  /// A source that is read as it is; for members of archives.
  InputStream(std::string name, std::unique_ptr<ByteSource> source);

  /// The file as it stands in messages.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// How many (unpacked) bytes were taken so far.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  /// How many bytes are left, where that is known: not for packed data and pipes.
  [[nodiscard]] std::optional<std::uint64_t> remaining() const { return source_->remaining(); }

  /// Fills `out` as far as there are bytes; a smaller number than asked for means the end.
  std::size_t read(std::span<std::byte> out);
  /// The next bytes without taking them: exactly `count`, fewer only at the end.
  std::span<const std::byte> peek(std::size_t count);
  /// True if the next bytes are `magic`.
  bool starts_with(std::string_view magic);
  bool at_end() { return peek(1).empty(); }

  /// The next `limit` bytes, or fewer where the data end before. Memory grows with the bytes that
  /// are really there, so `limit` may come from an untrusted head.
  std::vector<std::uint8_t> read_up_to(std::uint64_t limit);

  /// Everything that is left, which must be exactly `bytes` long; else throws Error(bad_input):
  /// "name: <what needs> 47040016 bytes, found 1000", both counted from the beginning of the data.
  std::vector<std::uint8_t> read_rest(std::uint64_t bytes, const std::string& what_needs);

  /// Everything that is left; throws Error(limit) beyond `limit` bytes.
  std::vector<std::uint8_t> read_all(std::uint64_t limit = default_limit());

  /// Takes one line without its end ("\n" or "\r\n"); false at the end of the data. Throws
  /// Error(bad_input) if a line is longer than `limit`. line_number() is then the line's, from 1.
  bool read_line(std::string& line, std::size_t limit = std::size_t{16} << 20);
  [[nodiscard]] std::uint64_t line_number() const noexcept { return line_number_; }

  /// Throws Error(bad_input): "name: what".
  [[noreturn]] void fail(const std::string& what) const;

  /// Half of the machine's memory.
  static std::uint64_t default_limit();

 private:
  void unpack(std::unique_ptr<ByteSource> raw);

  std::string name_;
  std::unique_ptr<BufferedSource> source_;
  std::uint64_t position_ = 0;
  std::uint64_t line_number_ = 0;
};

/// Throws Error(bad_input) on text in UTF-16: it has its byte order mark, or its zeros.
void require_no_utf16(InputStream& stream);

/// Throws Error(bad_input) on UTF-16, and on what is no text at all by its first bytes: pictures,
/// archives, indexes. gzip and zstd are seen through already.
void require_text(InputStream& stream);

/// What stands for the name of a file where there are only bytes.
inline constexpr const char* bytes_name = "bytes in memory";

/// a * b, or the largest number on overflow: more than any file holds.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) noexcept;

/// A number as it stands in messages, in as few digits as tell it from all others.
std::string shortest(double value);

/// The first bytes of something unknown, as they stand in messages: "50 4b 03 04", or "nothing".
std::string hex(std::span<const std::byte> bytes);

}  // namespace navvy::loaders
