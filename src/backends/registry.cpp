// Which backends there are, by name.
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "backends/cpu/cpu_backend.hpp"
#include "backends/device/device_backend.hpp"
#include "backends/reference/reference.hpp"
#include "navvy/error.hpp"

namespace navvy::backends {

std::span<const Backend* const> all_backends() {
  static const auto backends = [] {
    std::vector<const Backend*> all;
    for (const auto& backend : cpu_backends()) all.push_back(backend.get());
    all.push_back(&reference_backend());
    return all;
  }();
  return backends;
}

const Backend& find_backend(std::string_view name) {
  if (is_device_name(name)) return device_backend(name);
  std::string known;
  for (const Backend* backend : all_backends()) {
    if (backend->name() == name) return *backend;
    known += (known.empty() ? "" : ", ") + std::string(backend->name());
  }
  throw Error(ErrorCode::usage, "there is no backend " + std::string(name) + "; expected one of " +
                                    known + ", or a device such as opencl:0");
}

}  // namespace navvy::backends
