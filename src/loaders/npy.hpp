// NumPy arrays in files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/input.hpp"

namespace navvy::loaders {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// What stands in the head of a .npy file: type and shape.
struct NpyHead {
  char kind = 0;               ///< 'i', 'u', 'f' (numbers), 'U' (UTF-32), 'S' (bytes)
  std::size_t item_bytes = 0;  ///< per element
  bool big_endian = false;
  bool fortran_order = false;
  std::string type;  ///< as in the file, for messages: "<f8"
  std::vector<std::uint64_t> shape;
};

/// Reads the Python literal of a head. `input` is for messages.
NpyHead parse_npy_head(const InputStream& input, std::string_view text);

/// An array of numbers or strings. Object arrays are pickles, that is programs, and are refused.
class NpyArray {
 public:
  /// Reads a .npy file of version 1, 2 or 3 to its end; throws Error(bad_input).
  explicit NpyArray(InputStream& input);

  [[nodiscard]] const std::string& type() const noexcept { return head_.type; }
  [[nodiscard]] const std::vector<std::uint64_t>& shape() const noexcept { return head_.shape; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] bool is_integer() const noexcept { return head_.kind == 'i' || head_.kind == 'u'; }
  [[nodiscard]] bool is_number() const noexcept { return is_integer() || head_.kind == 'f'; }
  [[nodiscard]] bool is_text() const noexcept { return head_.kind == 'U' || head_.kind == 'S'; }

  /// Element i in the order of the file; only where is_number().
  [[nodiscard]] double number(std::uint64_t i) const noexcept { return load_number_(at(i)); }
  /// Only where is_integer(). Values beyond the range of the result become its limit.
  [[nodiscard]] std::int64_t integer(std::uint64_t i) const noexcept {
    return load_integer_(at(i));
  }
  /// An integer or a string as UTF-8; only where is_integer() or is_text(). Throws
  /// Error(bad_input) on what is no Unicode.
  [[nodiscard]] std::string text(std::uint64_t i) const;

  /// The place in the file's order of an element of a two-dimensional array.
  [[nodiscard]] std::uint64_t place(std::uint64_t row, std::uint64_t column) const noexcept {
    return head_.fortran_order ? column * head_.shape[0] + row : row * head_.shape[1] + column;
  }

  /// Throws Error(bad_input) that begins with the file's name.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  [[nodiscard]] const std::uint8_t* at(std::uint64_t i) const noexcept {
    return data_.data() + i * head_.item_bytes;
  }
  void choose_loads();

  std::string name_;
  NpyHead head_;
  std::uint64_t size_ = 1;
  std::vector<std::uint8_t> data_;
  double (*load_number_)(const std::uint8_t*) = nullptr;
  std::int64_t (*load_integer_)(const std::uint8_t*) = nullptr;
};

/// "(3, 4)".
std::string to_string(const std::vector<std::uint64_t>& shape);

/// True for well-formed UTF-8.
bool is_utf8(std::string_view text) noexcept;

}  // namespace navvy::loaders
