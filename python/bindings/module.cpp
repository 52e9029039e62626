#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bind.hpp"
#include "navvy/printable.hpp"
#include "navvy/version.hpp"

NB_MODULE(_navvy, module) {
  using namespace navvy::python;
  bind_errors(module);
  bind_options(module);
  bind_index(module);
  bind_fields(module);
  bind_names(module);
  bind_text(module);
  bind_writer(module);
  bind_search(module);
  bind_pair(module);
  bind_pictures(module);
  bind_devices(module);
  bind_shards(module);
  module.def("version", &navvy::version);
  module.def("printable", [](const std::string& text) { return navvy::printable(text); });
  module.def("kernels_in_use", &navvy::kernels_in_use);
  module.def("available_kernels", &navvy::available_kernels);
}
