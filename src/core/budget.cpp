#include "core/budget.hpp"

#include <unistd.h>

#include <string>

#include "navvy/error.hpp"

namespace navvy::core {
namespace {

std::string megabytes(std::uint64_t bytes) {
  return std::to_string((bytes + (1U << 20U) - 1) >> 20U) + " MB";
}

}  // namespace

std::uint64_t physical_memory() noexcept {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  constexpr std::uint64_t fallback = std::uint64_t{4} << 30U;
  if (pages <= 0 || page_size <= 0) return fallback;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size);
}

Budget::Budget(std::uint64_t bytes) : total_(bytes != 0 ? bytes : physical_memory() / 2) {
  left_ = total_;
}

void Budget::take(std::uint64_t bytes, std::string_view what) {
  if (!fits(bytes))
    throw Error(ErrorCode::limit, std::string(what) + " needs " + megabytes(bytes) + ", but " +
                                      megabytes(left_) + " of the memory budget of " +
                                      megabytes(total_) + " are left; raise it with --memory");
  left_ -= bytes;
}

}  // namespace navvy::core
