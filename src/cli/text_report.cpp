#include "cli/text_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "cli/describe.hpp"
#include "cli/terminal.hpp"

namespace navvy::cli {
namespace {

constexpr std::size_t listed = 8;  // names in a line; the JSON has them all

// The first names of a list and how many more there are.
template <class List, class Name>
std::string some_of(const List& list, Name name) {
  std::string text;
  for (std::size_t i = 0; i < std::min(list.size(), listed); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", name(list[i]));
  }
  if (list.size() > listed) text += fmt::format(", and {} more", list.size() - listed);
  return text;
}

}  // namespace

void print_report(const TextReport& report) {
  const auto shown = [](const std::string& text) { return one_line(text, 40); };
  print_line("documents", fmt::format("{} with {} labels", report.documents, report.labels));
  print_line("vocabulary",
             fmt::format("{} words of {} in the vectors ({}, {} dimensions)", report.words,
                         report.vectors.words, report.vectors.format, report.vectors.dimensions));
  print_line("words per text", fmt::format("{:.1f} on average, {} at most kept", report.mean_bins,
                                           report.largest_bins));
  print_line(
      "tokens",
      fmt::format("{}, of them {} stop words and {} unknown ({:.1f} % of the rest)", report.tokens,
                  report.stop_tokens, report.unknown_tokens, 100 * unknown_share(report)));
  if (!report.unknown_words.empty()) {
    print_line("most unknown", some_of(report.unknown_words, [&](const TextReport::Word& word) {
                 return fmt::format("{} ({})", shown(word.word), word.count);
               }));
  }
  if (report.truncated > 0) print_line("truncated", fmt::format("{} documents", report.truncated));
  if (!report.empty.empty()) {
    print_line("without a word", fmt::format("{} (never found): {}", report.empty.size(),
                                             some_of(report.empty, shown)));
  }
  if (!report.duplicates.empty()) {
    print_line("same histograms", fmt::format("{} groups, such as {}", report.duplicates.size(),
                                              some_of(report.duplicates.front(), shown)));
  }
  if (report.broken_bytes > 0) {
    print_line("broken bytes",
               fmt::format("{} replaced; is --encoding right?", report.broken_bytes));
  }
}

Json report_json(const TextReport& report) {
  Json json;
  json["documents"] = report.documents;
  json["labels"] = report.labels;
  json["words"] = report.words;
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
  json["vectors"] = {{"format", report.vectors.format},
                     {"words", report.vectors.words},
                     {"dimensions", report.vectors.dimensions},
                     {"broken", report.vectors.broken},
                     {"duplicates", report.vectors.duplicates}};
  return json;
}

}  // namespace navvy::cli
