// Chooses the instruction set by what the processor has or the environment names.
#include "backends/cpu/kernel_choice.hpp"

#include <cstdlib>
#include <string>

#include "navvy/error.hpp"
#include "navvy/version.hpp"

namespace navvy {
namespace backends {

const kernels::KernelTable& active_kernels() {
  const char* name = std::getenv("NAVVY_KERNELS");
  if (name == nullptr || *name == '\0') return kernels::best_kernels();
  if (const kernels::KernelTable* found = kernels::find_kernels(name)) return *found;
  std::string known;
  for (const std::string& available : available_kernels())
    known += (known.empty() ? "" : ", ") + available;
  throw Error(ErrorCode::usage, "NAVVY_KERNELS: this machine has no kernels '" + std::string(name) +
                                    "'; expected one of " + known);
}

}  // namespace backends

std::string kernels_in_use() { return backends::active_kernels().name; }

std::vector<std::string> available_kernels() {
  std::vector<std::string> names;
  for (const kernels::KernelTable* table : kernels::supported_kernels())
    names.emplace_back(table->name);
  return names;
}

}  // namespace navvy
