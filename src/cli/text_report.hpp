#pragma once

#include "cli/describe.hpp"
#include "cli/json.hpp"
#include "navvy/text.hpp"

/// What `build` and `add` tell about a corpus.
namespace navvy::cli {

Facts report_facts(const TextReport& report);
Json report_json(const TextReport& report);

/// Keeps the facts in the index, and gives them back; none where an index has none or where what it
/// has makes no sense.
void keep_report(Index& index, const TextReport& report);
Facts kept_report(const Index& index);

}  // namespace navvy::cli
