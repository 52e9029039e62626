#pragma once

#include <nanobind/nanobind.h>

/// The parts of the module, one file each.
namespace navvy::python {

void bind_errors(nanobind::module_& module);
void bind_options(nanobind::module_& module);
void bind_index(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_fields(nanobind::module_& module);
void bind_names(nanobind::module_& module);
void bind_text(nanobind::module_& module);
void bind_writer(nanobind::module_& module);
void bind_pair(nanobind::module_& module);
void bind_pictures(nanobind::module_& module);
void bind_devices(nanobind::module_& module);
void bind_shards(nanobind::module_& module);

}  // namespace navvy::python
