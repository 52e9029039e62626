// Documents go to stdout, and nothing else does under --json.
#include "cli/json.hpp"

#include <fmt/core.h>

namespace navvy::cli {

void print_json(const app::Json& document) { fmt::print("{}\n", app::to_line(document)); }

}  // namespace navvy::cli
