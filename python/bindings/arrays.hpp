#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "navvy/array.hpp"

/// Arrays across the border between NumPy and navvy: in without a copy, out by handing over.
namespace navvy::python {

namespace nb = nanobind;

template <class T>
using Values = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Output = nb::ndarray<nb::numpy, T>;

template <class Source>
auto span_of(const Source& array) {
  return std::span(array.data(), array.size());
}

/// The elements of a NumPy array as those of navvy: no copy, and the array lives as long as needed.
/// T may differ from the element type in signedness.
template <class T, class Source>
Array<T> shared(const Source& array) {
  static_assert(sizeof(T) == sizeof(typename Source::Scalar));
  auto owner = std::make_shared<const Source>(array);
  const std::span elements(reinterpret_cast<const T*>(owner->data()), owner->size());
  return {elements, std::move(owner)};
}

/// A vector as a NumPy array that owns it.
template <class T>
Output<T> handed_over(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return {kept->data(), shape, owner};
}

template <class T>
Output<T> handed_over(std::vector<T> values) {
  const std::size_t size = values.size();
  return handed_over(std::move(values), {size});
}

/// The elements of a navvy array as a NumPy array that must not be written.
template <class T>
nb::ndarray<nb::numpy, const T> shown(const Array<T>& array,
                                      std::initializer_list<std::size_t> shape) {
  auto* kept = new Array<T>(array);
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Array<T>*>(p); });
  return {kept->data(), shape, owner};
}

}  // namespace navvy::python
