// What was made of a corpus, as JSON.
#pragma once

#include "app/json.hpp"
#include "navvy/text.hpp"

namespace navvy::app {

Json report_json(const TextReport& report);

}  // namespace navvy::app
