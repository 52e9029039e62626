// What build found in a corpus, as facts that also stay in the index.
#include "cli/text_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "app/json.hpp"
#include "cli/terminal.hpp"

namespace navvy::cli {
namespace {

constexpr std::size_t listed = 8;  // names in a line; the JSON has them all

// The first names of a list and how many more there are of `count`.
template <class List, class Name>
std::string some_of(const List& list, Name name, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < std::min(list.size(), listed); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", name(list[i]));
  }
  if (count > listed) text += fmt::format(", and {} more", count - listed);
  return text;
}

template <class List, class Name>
std::string some_of(const List& list, Name name) {
  return some_of(list, name, list.size());
}

std::string shown(const std::string& text) { return one_line(text, 40); }

// What is wrong with some of the documents.
void tell_oddities(const TextReport& report, Facts& facts) {
  if (!report.empty.empty()) {
    facts.push_back({"without a word", fmt::format("{} (never found): {}", report.empty.size(),
                                                   some_of(report.empty, shown))});
  }
  if (!report.duplicates.empty()) {
    facts.push_back(
        {"same histograms", fmt::format("{} groups, such as {}", report.duplicates.size(),
                                        some_of(report.duplicates.front(), shown))});
  }
  if (report.broken_bytes > 0) {
    facts.push_back(
        {"broken bytes", fmt::format("{} replaced; is --encoding right?", report.broken_bytes)});
  }
  const BrokenLinks& links = report.broken_links;
  if (links.count > 0) {
    facts.push_back({"broken links", fmt::format("{} passed over: {}", links.count,
                                                 some_of(links.names, shown, links.count))});
  }
}

std::string vocabulary_text(const TextReport& report) {
  const std::uint64_t words = report.words - report.own_words;
  const VectorsReport& vectors = report.vectors;
  const std::string count = fmt::format("{} word{}", words, words == 1 ? "" : "s");
  if (vectors.words == 0)
    return fmt::format("{} with vectors that the index has ({} dimensions)", count,
                       vectors.dimensions);
  const std::string for_queries =
      report.query_words > 0 ? fmt::format(", {} more for queries", report.query_words) : "";
  return fmt::format("{} of {} in the vectors ({}, {} dimensions){}", count, vectors.words,
                     vectors.format, vectors.dimensions, for_queries);
}

}  // namespace

Facts report_facts(const TextReport& report) {
  Facts facts{
      {"documents", fmt::format("{} with {} labels", report.documents, report.labels)},
      {"vocabulary", vocabulary_text(report)},
      {"words per text",
       fmt::format("{:.1f} on average, {} at most kept", report.mean_bins, report.largest_bins)},
      {"tokens",
       fmt::format("{}, of them {} stop words and {} without a vector ({:.1f} % of the rest)",
                   report.tokens, report.stop_tokens, report.unknown_tokens,
                   100 * unknown_share(report))}};
  if (report.own_words > 0) {
    facts.push_back({"without a vector",
                     report.own_words == 1
                         ? "1 word at a point of its own"
                         : fmt::format("{} words at points of their own", report.own_words)});
  }
  if (report.vectors.made > 0) {
    facts.push_back({"made of parts",
                     fmt::format("{} words that are not in the vectors", report.vectors.made)});
  }
  if (!report.unknown_words.empty()) {
    facts.push_back({"most unknown", some_of(report.unknown_words, [&](const auto& word) {
                       return fmt::format("{} ({})", shown(word.word), word.count);
                     })});
  }
  if (has_many_lone_labels(report)) {
    facts.push_back(
        {"labels of one row", fmt::format("{} of {}", report.lone_labels, report.labels)});
  }
  if (report.truncated > 0) {
    facts.push_back({"truncated", fmt::format("{} documents", report.truncated)});
  }
  tell_oddities(report, facts);
  return facts;
}

void warn_of_lost_words(const TextBuild& built) {
  const auto own = built.index.properties.find("unknown_words");
  if (own == built.index.properties.end() || own->second != "own") return;
  std::unordered_set<std::string_view> kept;
  for (std::size_t id = 0; id < built.index.vocabulary.size(); ++id)
    kept.insert(built.index.vocabulary.word(id));
  std::vector<std::string> lost;
  for (const TextReport::Word& word : built.report.unknown_words)
    if (!kept.contains(word.word)) lost.push_back(word.word);
  if (lost.empty()) return;
  talk(
      fmt::format("navvy: left out, since the index does not know its whole vectors file: {}; with "
                  "--vectors they get vectors or points of their own",
                  some_of(lost, shown)));
}

void warn_of_labels(const app::Summary& summary) {
  TextReport labels;
  labels.labels = summary.label_counts.size();
  labels.lone_labels =
      static_cast<std::uint64_t>(std::ranges::count(summary.label_counts, std::size_t{1}));
  if (!has_many_lone_labels(labels)) return;
  talk(
      fmt::format("navvy: {} of {} labels have a single row; is it the right --label-depth or "
                  "--label-field?",
                  labels.lone_labels, labels.labels));
}

void keep_report(Index& index, const TextReport& report) {
  app::Json list = app::Json::array();
  for (const report::Fact& fact : report_facts(report)) list.push_back({fact.name, fact.value});
  index.properties[build_report_property] = app::to_line(list);
}

Facts kept_report(const Index& index) {
  const auto place = index.properties.find(build_report_property);
  if (place == index.properties.end()) return {};
  const app::Json list = app::Json::parse(place->second, nullptr, false);
  Facts facts;
  if (!list.is_array()) return facts;
  for (const app::Json& entry : list) {
    const bool is_fact =
        entry.is_array() && entry.size() == 2 && entry[0].is_string() && entry[1].is_string();
    if (is_fact) facts.push_back({entry[0].get<std::string>(), entry[1].get<std::string>()});
  }
  return facts;
}

}  // namespace navvy::cli
