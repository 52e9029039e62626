#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/fingerprint.hpp"

/// List files whose checksum fits what was changed, as an attacker would make them.
namespace navvy::test {

/// Corrects the fingerprint at the end of a list file; leaves what is too short, or tells sizes
/// beyond its bytes, as it is.
inline void correct_lists(std::span<std::byte> file) {
  constexpr std::size_t head_bytes = 56;
  constexpr std::size_t check_bytes = sizeof(std::uint64_t);
  if (file.size() < head_bytes + check_bytes) return;
  const auto number = [&](std::size_t place) {
    std::uint64_t value = 0;
    std::memcpy(&value, file.data() + place, sizeof value);
    return value;
  };
  const std::uint64_t question = number(16);
  const std::uint64_t parts = number(24);
  const std::uint64_t queries = number(32);
  const std::uint64_t top = number(40);
  const bool bounds = (static_cast<std::uint8_t>(file[52]) & 1U) != 0;
  const std::size_t all = file.size();
  if (question > all || parts > all || queries > all || top > all) return;
  core::Fingerprint written;
  std::span<const std::byte> left = file.first(all - check_bytes);
  const auto take = [&](std::uint64_t bytes) {
    if (bytes > left.size()) {
      left = {};
      return;
    }
    written.add_bytes(left.first(bytes));
    left = left.subspan(bytes);
  };
  take(head_bytes);
  take(question);
  for (std::uint64_t part = 0; part < parts; ++part) take(8);
  take(4 * queries);
  take(8 * queries);
  take(8 * queries * top);
  take(8 * queries * top);
  if (bounds) {
    take(8 * queries * top);
    take(8 * queries * top);
    take(queries * top);
    for (std::uint64_t query = 0; query < queries; ++query) take(56);
  }
  const std::uint64_t check = written.value();
  std::memcpy(file.data() + all - check_bytes, &check, check_bytes);
}

}  // namespace navvy::test
