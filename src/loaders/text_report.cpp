// Counts what the report of a build tells.
#include "loaders/text_report.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "navvy/edit.hpp"

namespace navvy {

double unknown_share(const TextReport& report) noexcept {
  const std::uint64_t counted = report.tokens - report.stop_tokens;
  if (counted == 0) return 0;
  return static_cast<double>(report.unknown_tokens) / static_cast<double>(counted);
}

namespace loaders {
namespace {

constexpr std::size_t most_unknown_words = 20;

// The most frequent first; ties in the order of the corpus.
void list_unknown(const TextCollection& collection, std::span<const std::uint32_t> words,
                  std::span<const std::uint64_t> totals, TextReport& report) {
  std::vector<std::size_t> unknown;
  for (std::size_t token = 0; token < words.size(); ++token)
    if (words[token] == unknown_token) unknown.push_back(token);
  const std::size_t count = std::min(unknown.size(), most_unknown_words);
  std::partial_sort(unknown.begin(), unknown.begin() + static_cast<std::ptrdiff_t>(count),
                    unknown.end(), [&](std::size_t a, std::size_t b) {
                      return totals[a] != totals[b] ? totals[a] > totals[b] : a < b;
                    });
  for (std::size_t i = 0; i < count; ++i)
    report.unknown_words.push_back({collection.tokens()[unknown[i]], totals[unknown[i]]});
}

}  // namespace

void count_tokens(const TextCollection& collection, std::span<const std::uint32_t> words,
                  TextReport& report) {
  std::vector<std::uint64_t> totals(words.size());
  for (std::size_t i = 0; i < collection.size(); ++i)
    for (const WordCount& token : collection.document(i)) totals[token.word] += token.count;
  for (std::size_t token = 0; token < words.size(); ++token) {
    report.tokens += totals[token];
    if (words[token] == stop_token) report.stop_tokens += totals[token];
    if (words[token] == unknown_token) report.unknown_tokens += totals[token];
  }
  list_unknown(collection, words, totals, report);
}

void describe_rows(const Index& index, TextReport& report) {
  report.labels = index.label_names.size();
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
  report.duplicates.clear();
  for (const std::vector<std::uint32_t>& group : duplicate_rows(index)) {
    auto& ids = report.duplicates.emplace_back();
    for (const std::uint32_t row : group) ids.push_back(index.id(row));
  }
}

}  // namespace loaders
}  // namespace navvy
