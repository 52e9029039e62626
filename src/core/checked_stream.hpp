// Values one after the other, with a fingerprint of all of them at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/fingerprint.hpp"

namespace navvy::core {

/// Takes values in the byte order of this machine, and hands their bytes on.
class CheckedWriter {
 public:
  using Sink = std::function<void(std::span<const std::byte>)>;

  explicit CheckedWriter(Sink sink) : sink_(std::move(sink)) {}

  template <class T>
  void write(std::span<const T> values) {
    write_bytes(std::as_bytes(values));
  }

  /// All is handed on, the fingerprint too, once this returns.
  void finish();

 private:
  void write_bytes(std::span<const std::byte> bytes);
  void flush();

  Sink sink_;
  std::vector<std::byte> buffer_;
  Fingerprint written_;
};

/// Gives values back in the pieces in which they were written.
class CheckedReader {
 public:
  /// Fills what it is given as far as there are bytes, and tells how many there were.
  using Source = std::function<std::size_t(std::span<std::byte>)>;

  /// `name` stands in messages, `advice` at the end of those that say the bytes are wrong.
  CheckedReader(std::string name, Source source, std::string advice = {});

  /// Throws Error(bad_input) where the source ends too early.
  template <class T>
  void read(std::span<T> values) {
    read_bytes(std::as_writable_bytes(values));
  }

  /// Throws Error(bad_input) naming the source unless what was read can be right.
  void require(bool right, std::string_view otherwise) const;

  /// Throws Error(bad_input) unless all was read, as it was written.
  void finish();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  void read_bytes(std::span<std::byte> bytes);
  bool has_more();

  std::string name_;
  std::string advice_;
  Source source_;
  std::vector<std::byte> buffer_;
  std::span<const std::byte> left_;  // of the buffer
  Fingerprint read_;
};

/// The bytes of a file; throws Error(failed) where it cannot be read.
CheckedReader read_checked(const std::filesystem::path& path, std::string advice = {});

}  // namespace navvy::core
