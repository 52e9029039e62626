// The report of a build of texts, key by key.
#include "app/text_report.hpp"

namespace navvy::app {

Json report_json(const TextReport& report) {
  Json json;
  json["documents"] = report.documents;
  json["labels"] = report.labels;
  json["lone_labels"] = report.lone_labels;
  json["words"] = report.words;
  if (report.own_words > 0) json["own_words"] = report.own_words;
  json["query_words"] = report.query_words;
  json["mean_bins"] = report.mean_bins;
  json["largest_bins"] = report.largest_bins;
  json["mean_words"] = report.mean_words;
  json["tokens"] = report.tokens;
  json["stop_tokens"] = report.stop_tokens;
  json["unknown_tokens"] = report.unknown_tokens;
  json["unknown_share"] = unknown_share(report);
  json["unknown_words"] = Json::array();
  for (const TextReport::Word& word : report.unknown_words) {
    json["unknown_words"].push_back({{"word", word.word}, {"count", word.count}});
  }
  json["truncated"] = report.truncated;
  json["empty"] = report.empty;
  json["duplicates"] = report.duplicates;
  json["broken_bytes"] = report.broken_bytes;
  json["broken_links"] = {{"count", report.broken_links.count},
                          {"names", report.broken_links.names}};
  json["vectors"] = {{"format", report.vectors.format},         {"words", report.vectors.words},
                     {"dimensions", report.vectors.dimensions}, {"broken", report.vectors.broken},
                     {"duplicates", report.vectors.duplicates}, {"made", report.vectors.made},
                     {"clashes", report.vectors.clashes}};
  return json;
}

}  // namespace navvy::app
