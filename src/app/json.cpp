// The schema's number and the way in which documents become text.
#include "app/json.hpp"

#include "navvy/printable.hpp"

namespace navvy::app {

Json json_document() { return Json{{"schema", 1}}; }

std::string to_line(const Json& document) {
  return printable_json(document.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace navvy::app
