// Errors of the library as those that Python's users expect.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <exception>
#include <string>

#include "bind.hpp"
#include "navvy/error.hpp"
#include "navvy/printable.hpp"

namespace navvy::python {
namespace nb = nanobind;
namespace {

PyObject* exception_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::failed:
      return PyExc_OSError;
    case ErrorCode::limit:
      return PyExc_MemoryError;
    case ErrorCode::interrupted:
      return PyExc_KeyboardInterrupt;
    default:
      return PyExc_ValueError;
  }
}

// OSError(number, text, file) becomes FileNotFoundError, PermissionError and so on by its number.
// Its own text names the file, so that ours need not begin with it.
void set_system_error(const Error& error) {
  const std::string whole = error.what();
  const std::string name = printable(*error.file()) + ": ";
  const std::string text = whole.starts_with(name) ? whole.substr(name.size()) : whole;
  nb::object path = nb::steal(PyUnicode_DecodeFSDefault(error.file()->c_str()));
  if (!path.is_valid()) return;
  nb::object made = nb::borrow(PyExc_OSError)(error.system_error(), text, path);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
}

}  // namespace

void bind_errors(nanobind::module_&) {
  nanobind::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Error& error) {
      // A stop has its reason with it: the signal or what the progress function raised.
      if (error.code() == ErrorCode::interrupted && PyErr_Occurred() != nullptr) return;
      if (error.system_error() != 0)
        set_system_error(error);
      else
        PyErr_SetString(exception_of(error.code()), error.what());
    }
  });
}

}  // namespace navvy::python
