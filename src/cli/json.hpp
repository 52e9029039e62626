// The one document that a verb writes under --json.
#pragma once

#include "app/json.hpp"

namespace navvy::cli {

/// Writes a document to stdout, on one line.
void print_json(const app::Json& document);

}  // namespace navvy::cli
