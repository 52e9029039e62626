#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace navvy::core {

/// Uninitialised memory for plain values, aligned to a cache line as kernels like it.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::align_val_t alignment{64};

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : data_(static_cast<T*>(::operator new[](size * sizeof(T), alignment))), size_(size) {}

  [[nodiscard]] T* data() noexcept { return data_.get(); }
  [[nodiscard]] const T* data() const noexcept { return data_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  [[nodiscard]] std::span<T> span() noexcept { return {data_.get(), size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_.get(), size_}; }

  /// Grows, without keeping the contents; never shrinks.
  void require(std::size_t size) {
    if (size > size_) *this = Buffer(size);
  }

 private:
  struct Free {
    void operator()(T* data) const noexcept { ::operator delete[](data, alignment); }
  };
  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace navvy::core
