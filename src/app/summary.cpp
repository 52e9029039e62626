// Counts rows, bins and labels of an index.
#include "app/summary.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "app/fields.hpp"

namespace navvy::app {

Summary summarize(const Index& index) {
  Summary summary;
  summary.n = index.rows.size();
  summary.v = index.vocabulary.size();
  summary.m = index.vocabulary.dimensions();
  if (summary.n > 0) {
    summary.h = static_cast<double>(index.rows.bins()) / static_cast<double>(summary.n);
  }
  for (std::size_t row = 0; row < summary.n; ++row) {
    summary.largest = std::max(summary.largest, index.rows[row].size());
    summary.empty += is_empty(index.rows[row]) ? 1 : 0;
  }
  summary.label_counts.resize(index.label_names.size());
  for (const std::int32_t label : index.labels) {
    if (label < 0) {
      ++summary.unlabelled;
    } else {
      ++summary.label_counts[static_cast<std::size_t>(label)];
    }
  }
  return summary;
}

void add_sizes(Json& document, const Summary& summary) {
  document["n"] = summary.n;
  document["v"] = summary.v;
  document["h"] = summary.h;
  document["m"] = summary.m;
}

Json summary_json(const Index& index, const Summary& summary) {
  Json document = json_document();
  document["kind"] = to_string(index.kind);
  add_sizes(document, summary);
  if (index.kind == DataKind::text) document["query_words"] = index.beyond.vocabulary().size();
  document["largest"] = summary.largest;
  document["empty"] = summary.empty;
  Json labels = Json::object();
  for (std::size_t i = 0; i < summary.label_counts.size(); ++i) {
    labels[std::string(index.label_names[i])] = summary.label_counts[i];
  }
  document["labels"] = std::move(labels);
  document["fields"] = field_summaries_json(index);
  document["properties"] = index.properties;
  return document;
}

}  // namespace navvy::app
