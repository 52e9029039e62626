// A number that tells values apart: by accident it is never the same, by intent it can be made so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace navvy::core {

/// Grows with all that is added, in order. What is added at once counts as one: "ab" is not "a" and
/// then "b".
class Fingerprint {
 public:
  void add_bytes(std::span<const std::byte> bytes) noexcept {
    mix(bytes.size());
    while (!bytes.empty()) {
      std::uint64_t word = 0;
      const std::size_t count = bytes.size() < sizeof word ? bytes.size() : sizeof word;
      std::memcpy(&word, bytes.data(), count);
      mix(word);
      bytes = bytes.subspan(count);
    }
  }

  template <class T>
  void add(std::span<const T> values) noexcept {
    add_bytes(std::as_bytes(values));
  }
  void add(std::string_view text) noexcept { add(std::span(text)); }

  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void add(T value) noexcept {
    add(std::span<const T>(&value, 1));
  }

  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

 private:
  // A multiplication moves what differs up, the shift down again; both can be undone, so words that
  // differ in one place alone never meet.
  void mix(std::uint64_t word) noexcept {
    value_ = (value_ ^ word) * 0x9e3779b97f4a7c15;
    value_ ^= value_ >> 32;
  }

  std::uint64_t value_ = 0x243f6a8885a308d3;
};

}  // namespace navvy::core
