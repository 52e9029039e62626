#include "cli/memory_limit.hpp"

#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace navvy::cli {
namespace {

std::uint64_t limit_in_force = 0;

}  // namespace

std::uint64_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
             : 0;
}

std::uint64_t memory_budget(const CommonOptions& options) {
  return options.memory > 0 ? options.memory : physical_memory() / 2;
}

void limit_memory(const CommonOptions& options) {
  rlimit limit{};
  const std::uint64_t budget = memory_budget(options);
  if (budget == 0 || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(budget, limit.rlim_max);
  if (setrlimit(RLIMIT_DATA, &limit) == 0) limit_in_force = limit.rlim_cur;
}

std::string out_of_memory_message() {
  if (limit_in_force == 0) return "out of memory; --memory sets a smaller budget";
  return fmt::format("needs more than the memory budget of {} MB; raise it with --memory",
                     (limit_in_force + (1U << 20U) - 1) >> 20U);
}

}  // namespace navvy::cli
