// Memory for kernels, and for all that is large: it knows which budget it was taken from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/budget.hpp"
#include "core/workspaces.hpp"

namespace navvy::core {

/// Uninitialised memory for plain values, aligned to a cache line as kernels like it.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : Buffer(size, Reservation(), Block(size * sizeof(T))) {}

  /// Memory that is charged to a budget for as long as it lives.
  Buffer(std::size_t size, const Budget& budget, std::string_view what)
      : Buffer(size, budget.reserve(std::uint64_t{size} * sizeof(T), what)) {}
  Buffer(std::size_t size, Reservation reserved)
      : Buffer(size, std::move(reserved), Block(size * sizeof(T))) {}
  Buffer(std::size_t size, Reservation reserved, Block block) noexcept
      : reserved_(std::move(reserved)), block_(std::move(block)), size_(size) {}

  Buffer(Buffer&& other) noexcept
      : Buffer(std::exchange(other.size_, 0), std::move(other.reserved_), std::move(other.block_)) {
  }
  Buffer& operator=(Buffer&& other) noexcept {
    block_ = std::move(other.block_);
    reserved_ = std::move(other.reserved_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~Buffer() = default;

  [[nodiscard]] T* data() noexcept { return static_cast<T*>(block_.data()); }
  [[nodiscard]] const T* data() const noexcept { return static_cast<const T*>(block_.data()); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return data()[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data()[i]; }
  [[nodiscard]] std::span<T> span() noexcept { return {data(), size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data(), size_}; }

  /// Grows, without keeping the contents; never shrinks.
  void require(std::size_t size) {
    if (size > size_) *this = Buffer(size);
  }

 private:
  Reservation reserved_;  // dies after the memory
  Block block_;
  std::size_t size_ = 0;
};

}  // namespace navvy::core
