#include "options.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <utility>

#include "bind.hpp"
#include "progress.hpp"

namespace navvy::python {
namespace nb = nanobind;

ProgressCallback progress_callback(nb::object callable) {
  // The library may drop the callback in a thread without the interpreter's lock.
  const std::shared_ptr<nb::object> kept(new nb::object(std::move(callable)), [](nb::object* old) {
    const nb::gil_scoped_acquire lock;
    delete old;
  });
  return [kept](const Progress& progress) {
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) return false;
    if (kept->is_none()) return true;
    try {
      (*kept)(nb::str(progress.phase.data(), progress.phase.size()), progress.done, progress.total);
    } catch (nb::python_error& error) {
      error.restore();
      return false;
    }
    return true;
  };
}

void bind_options(nb::module_& module) {
  nb::class_<Options>(module, "Options")
      .def(
          "__init__",
          [](Options* options, const std::string& measure, std::size_t top,
             const std::string& direction, unsigned threads, std::uint64_t memory, double threshold,
             nb::object progress) {
            Options made;
            made.question.measure = parse_measure(measure);
            made.question.measure.threshold = threshold;
            made.question.direction = parse_direction(direction);
            made.top = top;
            made.run.threads = threads;
            made.run.memory = memory;
            made.run.progress = progress_callback(std::move(progress));
            new (options) Options(std::move(made));
          },
          nb::arg("measure"), nb::arg("top"), nb::arg("direction"), nb::arg("threads"),
          nb::arg("memory"), nb::arg("threshold"), nb::arg("progress").none())
      .def("set_device",
           [](Options& options, const std::string& device, std::uint64_t memory) {
             options.device = device;
             options.run.device_memory = memory;
           })
      .def("set_sinkhorn",
           [](Options& options, double lambda, double cost_scale, double tolerance,
              int max_iterations) {
             options.question.sinkhorn = {lambda, cost_scale, tolerance, max_iterations};
           })
      .def("set_within",
           [](Options& options, double radius, bool cut) {
             options.within = radius;
             if (!cut) options.top = uncut;
           })
      .def("set_limits",
           [](Options& options, double deadline, std::uint64_t max_solves, double tolerance) {
             options.exact.deadline = deadline;
             options.exact.max_solves = max_solves;
             options.exact.tolerance = tolerance;
           });
}

}  // namespace navvy::python
