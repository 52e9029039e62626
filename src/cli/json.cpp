#include "cli/json.hpp"

#include <fmt/core.h>

namespace navvy::cli {

Json json_document() { return Json{{"schema", 1}}; }

void print_json(const Json& document) {
  fmt::print("{}\n", document.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace navvy::cli
