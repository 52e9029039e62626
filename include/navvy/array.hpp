// Immutable arrays with shared ownership.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace navvy {

/// An immutable array with shared ownership: of a vector, or of a part of a mapped file. Copies are
/// cheap and refer to the same elements.
template <class T>
class Array {
 public:
  Array() = default;

  /// Takes over the elements of a vector.
  explicit Array(std::vector<T> values) {
    auto owner = std::make_shared<const std::vector<T>>(std::move(values));
    values_ = std::span<const T>(*owner);
    owner_ = std::move(owner);
  }

  /// Refers to elements that live as long as `owner` does.
  Array(std::span<const T> values, std::shared_ptr<const void> owner)
      : values_(values), owner_(std::move(owner)) {}

  [[nodiscard]] std::span<const T> span() const noexcept { return values_; }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  [[nodiscard]] const T* data() const noexcept { return values_.data(); }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return values_[i]; }
  [[nodiscard]] auto begin() const noexcept { return values_.begin(); }
  [[nodiscard]] auto end() const noexcept { return values_.end(); }

 private:
  std::span<const T> values_;
  std::shared_ptr<const void> owner_;
};

}  // namespace navvy
