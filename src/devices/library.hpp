// A library that may be there: loaded when first asked for, never unloaded.
#pragma once

#include <dlfcn.h>

namespace navvy::devices {

/// Drivers keep threads and memory of their own, so that what was loaded stays until the process
/// ends.
class Library {
 public:
  explicit Library(const char* name) noexcept : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

  [[nodiscard]] bool is_loaded() const noexcept { return handle_ != nullptr; }

  /// Sets a pointer to the function of a name; false where the library has none.
  template <class Function>
  bool find(const char* name, Function*& function) const noexcept {
    function = handle_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle_, name));
    return function != nullptr;
  }

 private:
  void* handle_;
};

}  // namespace navvy::devices
