// Many strings in two flat arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "navvy/array.hpp"

namespace navvy {

/// An immutable list of strings in two flat arrays, so that it can be mapped from a file: string i
/// is bytes[offsets[i], offsets[i + 1]).
class Strings {
 public:
  Strings() = default;
  explicit Strings(std::span<const std::string> values);

  /// Throws Error(bad_input) unless offsets start at 0, ascend and end at the number of bytes.
  Strings(Array<std::uint64_t> offsets, Array<char> bytes);

  [[nodiscard]] std::size_t size() const noexcept {
    return offsets_.empty() ? 0 : offsets_.size() - 1;
  }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept {
    return {bytes_.data() + offsets_[i], static_cast<std::size_t>(offsets_[i + 1] - offsets_[i])};
  }
  [[nodiscard]] const Array<std::uint64_t>& offsets() const noexcept { return offsets_; }
  [[nodiscard]] const Array<char>& bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::vector<std::string> to_vector() const;

 private:
  Array<std::uint64_t> offsets_;
  Array<char> bytes_;
};

}  // namespace navvy
