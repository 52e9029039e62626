#pragma once

#include <cstdint>
#include <string_view>

namespace navvy::core {

/// A hard limit on the memory that a piece of work may take beyond the index itself. Work asks
/// before it starts and is refused then, not half-way.
class Budget {
 public:
  /// 0: half of the machine's memory.
  explicit Budget(std::uint64_t bytes);

  [[nodiscard]] std::uint64_t left() const noexcept { return left_; }
  [[nodiscard]] bool fits(std::uint64_t bytes) const noexcept { return bytes <= left_; }

  /// Sets memory aside; throws Error(limit) that says how much `what` needs and how much is left.
  void take(std::uint64_t bytes, std::string_view what);

 private:
  std::uint64_t total_;
  std::uint64_t left_;
};

/// The machine's memory in bytes.
std::uint64_t physical_memory() noexcept;

}  // namespace navvy::core
