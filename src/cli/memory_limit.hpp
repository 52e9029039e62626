// The memory budget of verbs whose need is not known beforehand.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "cli/options.hpp"

namespace navvy::cli {

/// Holds this process to its budget: beyond it every request for memory is refused by the system.
/// For verbs whose need is not known before they have read their input; those that compute ask the
/// library, which refuses before it starts. Mapped index files do not count, nor do those that were
/// edited (`files`), whose segments are put together in memory instead.
void limit_memory(const CommonOptions& options, std::span<const std::filesystem::path> files = {});

/// What to say when a request for memory was refused.
std::string out_of_memory_message();

}  // namespace navvy::cli
