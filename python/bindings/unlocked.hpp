#pragma once

#include <nanobind/nanobind.h>

namespace navvy::python {

/// What `work` returns, done while other Python threads may run.
template <class Work>
auto unlocked(const Work& work) {
  const nanobind::gil_scoped_release release;
  return work();
}

}  // namespace navvy::python
