#pragma once

#include <nlohmann/json.hpp>

namespace navvy::cli {

/// Keys keep the order in which they are added.
using Json = nlohmann::ordered_json;

/// A document of the present schema. Keys may be added to a schema; a change of meaning makes a new
/// one.
Json json_document();

/// Writes a document to stdout, on one line. Bytes that are no UTF-8 are replaced; numbers that are
/// not finite become null.
void print_json(const Json& document);

}  // namespace navvy::cli
