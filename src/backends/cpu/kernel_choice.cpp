// Kernels by name, and the default: the fastest that run here unless the environment names others.
#include "backends/cpu/kernel_choice.hpp"

#include <cstdlib>

#include "navvy/error.hpp"
#include "navvy/version.hpp"

namespace navvy {
namespace backends {
namespace {

// What the environment names, else the fastest.
const kernels::KernelTable& default_kernels() {
  const char* name = std::getenv("NAVVY_KERNELS");
  if (name == nullptr || *name == '\0') return kernels::best_kernels();
  if (const kernels::KernelTable* found = kernels::find_kernels(name)) return *found;
  std::string known;
  for (const std::string& available : available_kernels())
    known += (known.empty() ? "" : ", ") + available;
  throw Error(ErrorCode::usage, "NAVVY_KERNELS: this machine has no kernels '" + std::string(name) +
                                    "'; expected one of " + known);
}

}  // namespace

std::string cpu_name(const kernels::KernelTable& kernels) {
  return std::string(cpu_prefix) + kernels.name;
}

std::string default_cpu() { return cpu_name(default_kernels()); }

}  // namespace backends

std::string kernels_in_use() { return backends::default_kernels().name; }

std::vector<std::string> available_kernels() {
  std::vector<std::string> names;
  for (const kernels::KernelTable* table : kernels::supported_kernels())
    names.emplace_back(table->name);
  return names;
}

}  // namespace navvy
