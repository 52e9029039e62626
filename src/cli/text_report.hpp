#pragma once

#include "cli/json.hpp"
#include "navvy/text.hpp"

/// What `build` and `add` tell about a corpus.
namespace navvy::cli {

void print_report(const TextReport& report);
Json report_json(const TextReport& report);

}  // namespace navvy::cli
