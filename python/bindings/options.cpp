#include "options.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
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

namespace {

// What is asked: `contains` what typed texts ask, otherwise what rows ask of rows; what is given
// takes the place of what is usual.
Question question_of(bool contains, const std::optional<std::string>& measure,
                     const std::optional<std::string>& direction, double threshold,
                     std::optional<double> bow_share) {
  Question question = contains ? typed_question() : Question{};
  if (measure) question.measure = parse_measure(*measure);
  question.measure.threshold = threshold;
  if (contains && measure) question = typed_question(question.measure);
  if (direction) question.direction = parse_direction(*direction);
  if (bow_share) question.bow_share = *bow_share;
  return question;
}

}  // namespace

void bind_options(nb::module_& module) {
  nb::class_<Options>(module, "Options")
      .def(
          "__init__",
          [](Options* options, bool contains, const std::optional<std::string>& measure,
             const std::optional<std::string>& direction, double threshold,
             std::optional<double> mix_bow, std::size_t top, unsigned threads, std::uint64_t memory,
             nb::object progress) {
            Options made;
            made.question = question_of(contains, measure, direction, threshold, mix_bow);
            made.top = top;
            made.run.threads = threads;
            made.run.memory = memory;
            made.run.progress = progress_callback(std::move(progress));
            new (options) Options(std::move(made));
          },
          nb::arg("contains"), nb::arg("measure").none(), nb::arg("direction").none(),
          nb::arg("threshold"), nb::arg("mix_bow").none(), nb::arg("top"), nb::arg("threads"),
          nb::arg("memory"), nb::arg("progress").none())
      .def_prop_ro("measure", [](const Options& self) { return to_string(self.question.measure); })
      .def_prop_ro("direction",
                   [](const Options& self) { return to_string(self.question.direction); })
      .def_prop_ro("one_way",
                   [](const Options& self) {
                     return is_partial(self.question.measure, self.question.direction);
                   })
      .def_prop_ro("bow_share", [](const Options& self) { return self.question.bow_share; })
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
      .def("set_price", [](Options& options, double price) { options.question.price = price; })
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
