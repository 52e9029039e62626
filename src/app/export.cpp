// Writes rows as lines of JSON.
#include "app/export.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include "app/fields.hpp"
#include "app/json.hpp"

namespace navvy::app {
namespace {

// By hand: a JSON library would write a float as the double that it is, with twice the digits.
std::string bin_text(const Index& index, std::uint32_t coordinate, float weight, bool by_word) {
  const Vocabulary& vocabulary = index.vocabulary;
  if (by_word) {
    return fmt::format("{}:{}", to_line(Json(vocabulary.word(coordinate))), weight);
  }
  if (index.kind == DataKind::images) {
    const auto place = vocabulary.coordinate(coordinate);
    return fmt::format("[{},{}]", fmt::join(place, ","), weight);
  }
  return fmt::format("[{},{}]", vocabulary.number(coordinate), weight);
}

std::string bins_text(const Index& index, std::size_t row) {
  const bool by_word = index.kind == DataKind::text && index.vocabulary.has_words();
  const Histogram histogram = index.rows[row];
  std::string text = by_word ? "{" : "[";
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    if (i > 0) text += ',';
    text += bin_text(index, histogram.coordinates[i], histogram.weights[i], by_word);
  }
  return text + (by_word ? "}" : "]");
}

}  // namespace

std::string row_line(const Index& index, std::size_t row) {
  Json entry;
  entry["row"] = row;
  entry["id"] = index.id(row);
  if (!index.labels.empty()) entry["label"] = index.label(row);
  if (!index.titles.empty()) entry["title"] = index.titles[row];
  if (!index.snippets.empty()) entry["snippet"] = index.snippets[row];
  if (!index.fields.empty()) entry["fields"] = fields_json(index, row);
  std::string line = to_line(entry);
  line.pop_back();  // the closing brace
  return line + ",\"bins\":" + bins_text(index, row) + "}";
}

}  // namespace navvy::app
