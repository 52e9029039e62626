#include <nanobind/nanobind.h>

#include <exception>

#include "bind.hpp"
#include "navvy/error.hpp"

namespace navvy::python {
namespace {

PyObject* exception_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::failed:
      return PyExc_OSError;
    case ErrorCode::interrupted:
      return PyExc_KeyboardInterrupt;
    default:
      return PyExc_ValueError;
  }
}

}  // namespace

void bind_errors(nanobind::module_&) {
  nanobind::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Error& error) {
      // A stop has its reason with it: the signal or what the progress function raised.
      if (error.code() == ErrorCode::interrupted && PyErr_Occurred() != nullptr) return;
      PyErr_SetString(exception_of(error.code()), error.what());
    }
  });
}

}  // namespace navvy::python
