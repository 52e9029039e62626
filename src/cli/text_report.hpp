// What `build` and `add` tell about a corpus.
#pragma once

#include "cli/describe.hpp"
#include "navvy/text.hpp"

namespace navvy::cli {

Facts report_facts(const TextReport& report);
/// Says on stderr which words of added texts were lost because no vectors came with them.
void warn_of_lost_words(const TextBuild& built);
/// Says on stderr where labels hardly group anything, of texts or of pictures.
void warn_of_labels(const app::Summary& summary);

/// Keeps the facts in the index, and gives them back; none where an index has none or where what it
/// has makes no sense.
void keep_report(Index& index, const TextReport& report);
Facts kept_report(const Index& index);

}  // namespace navvy::cli
