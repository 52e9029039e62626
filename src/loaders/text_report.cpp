// Counts what the report of a build tells.
#include "loaders/text_report.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "loaders/own_points.hpp"
#include "navvy/edit.hpp"
#include "navvy/error.hpp"

namespace navvy {
namespace {

// The words that stand most often among those that are unknown, for a message.
std::string some_unknown(const TextReport& report) {
  constexpr std::size_t most = 3;
  std::string words;
  for (std::size_t i = 0; i < std::min(report.unknown_words.size(), most); ++i)
    words += (i == 0 ? "'" : ", '") + report.unknown_words[i].word + "'";
  return words;
}

}  // namespace

double unknown_share(const TextReport& report) noexcept {
  const std::uint64_t counted = report.tokens - report.stop_tokens;
  if (counted == 0) return 0;
  return static_cast<double>(report.unknown_tokens) / static_cast<double>(counted);
}

bool has_many_lone_labels(const TextReport& report) noexcept {
  constexpr std::uint64_t many = 10;
  return report.lone_labels >= many && 2 * report.lone_labels > report.labels;
}

void require_known_words(const TextReport& report) {
  const bool has_meaning = report.unknown_tokens < report.tokens - report.stop_tokens;
  if (report.documents == 0 || (has_meaning && report.empty.size() < report.documents)) return;
  const bool is_found = report.empty.size() < report.documents;
  const auto fail = [&](const std::string& why) {
    throw Error(ErrorCode::bad_input, "all " + std::to_string(report.documents) + " texts " +
                                          (is_found ? "would be found by their own words alone: "
                                                    : "are empty and would never be found: ") +
                                          why);
  };
  if (report.tokens == 0) fail("no token is in them; does the token pattern fit?");
  if (report.unknown_tokens == 0 && !is_found)
    fail("all of their " + std::to_string(report.tokens) +
         " tokens are stop words; expected fewer of these");
  if (report.stop_tokens > 0)
    fail(std::to_string(report.stop_tokens) + " of their " + std::to_string(report.tokens) +
         " tokens are stop words, and no other word has a vector (" + some_unknown(report) +
         "); expected fewer stop words, such as none, or vectors of the same language");
  fail("no word has a vector (" + some_unknown(report) +
       "); are the vectors of the same language, and does the token pattern fit?");
}

namespace loaders {
namespace {

constexpr std::size_t most_unknown_words = 20;

// The most frequent first; ties in the order of the corpus.
void list_unknown(const TextCollection& collection, std::vector<std::size_t> unknown,
                  std::span<const std::uint64_t> totals, TextReport& report) {
  const std::size_t count = std::min(unknown.size(), most_unknown_words);
  std::partial_sort(unknown.begin(), unknown.begin() + static_cast<std::ptrdiff_t>(count),
                    unknown.end(), [&](std::size_t a, std::size_t b) {
                      return totals[a] != totals[b] ? totals[a] > totals[b] : a < b;
                    });
  for (std::size_t i = 0; i < count; ++i)
    report.unknown_words.push_back({collection.tokens()[unknown[i]], totals[unknown[i]]});
}

std::uint64_t lone_labels_of(const Index& index) {
  std::vector<std::uint64_t> rows(index.label_names.size());
  for (const std::int32_t label : index.labels)
    if (label >= 0) ++rows[static_cast<std::size_t>(label)];
  return static_cast<std::uint64_t>(std::ranges::count(rows, std::uint64_t{1}));
}

}  // namespace

void count_tokens(const TextCollection& collection, std::span<const std::uint32_t> words,
                  std::uint32_t first_own, TextReport& report) {
  std::vector<std::uint64_t> totals(words.size());
  for (std::size_t i = 0; i < collection.size(); ++i)
    for (const WordCount& token : collection.document(i)) totals[token.word] += token.count;
  std::vector<std::size_t> unknown;
  for (std::size_t token = 0; token < words.size(); ++token) {
    report.tokens += totals[token];
    if (words[token] == stop_token) report.stop_tokens += totals[token];
    if (words[token] < first_own || words[token] == stop_token) continue;
    report.unknown_tokens += totals[token];
    unknown.push_back(token);
  }
  list_unknown(collection, std::move(unknown), totals, report);
}

void describe_rows(const Index& index, TextReport& report) {
  report.labels = index.label_names.size();
  report.lone_labels = lone_labels_of(index);
  for (std::size_t row = 0; row < index.rows.size(); ++row) {
    report.largest_bins = std::max<std::uint64_t>(report.largest_bins, index.rows[row].size());
    if (is_empty(index.rows[row])) report.empty.push_back(index.id(row));
  }
  if (index.rows.size() > 0)
    report.mean_bins =
        static_cast<double>(index.rows.bins()) / static_cast<double>(index.rows.size());
}

void describe_whole(const Index& index, TextReport& report) {
  report.words = index.vocabulary.size();
  report.own_words = report.words - first_own_place(index.vocabulary);
  report.duplicates.clear();
  for (const std::vector<std::uint32_t>& group : duplicate_rows(index)) {
    auto& ids = report.duplicates.emplace_back();
    for (const std::uint32_t row : group) ids.push_back(index.id(row));
  }
}

}  // namespace loaders
}  // namespace navvy
