// Lets the system refuse memory beyond the budget.
#include "cli/memory_limit.hpp"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>

#include "app/machine.hpp"

namespace navvy::cli {
namespace {

std::uint64_t limit_in_force = 0;

}  // namespace

void limit_memory(const CommonOptions& options, std::span<const std::filesystem::path> files) {
  rlimit limit{};
  std::uint64_t budget = app::memory_budget(options.memory);
  for (const std::filesystem::path& file : files) {
    std::error_code none;
    const auto bytes = std::filesystem::file_size(file, none);
    if (!none) budget += bytes;
  }
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
