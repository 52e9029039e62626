// JSON documents as all clients give them out.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace navvy::app {

/// Keys keep the order in which they are added.
using Json = nlohmann::ordered_json;

/// A document of the present schema. Keys may be added to a schema; a change of meaning makes a new
/// one.
Json json_document();

/// A document on one line, see printable_json(). Bytes that are no UTF-8 are replaced by U+FFFD;
/// numbers that are not finite become null.
std::string to_line(const Json& document);

}  // namespace navvy::app
