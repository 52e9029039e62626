// Picks the queries that a report shows, and searches for their neighbours.
#include "cli/examples.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "cli/answers.hpp"
#include "cli/progress.hpp"
#include "cli/report_items.hpp"

namespace navvy::cli {
namespace {

constexpr std::size_t sample_size = 400;  // queries among which disagreements are looked for
constexpr std::size_t shown = 6;          // queries of a gallery
constexpr std::size_t shown_by_chance = 3;
constexpr std::size_t shown_pictures = 5;
constexpr std::size_t shown_titles = 3;
constexpr std::size_t moves_of_example = 4;

struct Pair {
  std::size_t first;
  std::size_t second;
};

std::optional<Pair> rivals(std::span<const Measure> measures) {
  if (measures.size() < 2) return {};
  const auto place = [&](MeasureKind kind) {
    const auto found = std::find(measures.begin(), measures.end(), Measure{kind});
    return static_cast<std::size_t>(found - measures.begin());
  };
  const Pair usual{place(MeasureKind::rwmd), place(MeasureKind::act)};
  const bool both = usual.first < measures.size() && usual.second < measures.size();
  return both ? usual : Pair{0, measures.size() - 1};
}

// Rows with a label and weight, evenly spread over the first `queries` of those that are left.
std::vector<std::uint32_t> sample(const Index& index, std::size_t queries,
                                  const Array<std::uint8_t>& among) {
  std::vector<std::uint32_t> left;
  for (std::uint32_t row = 0; row < index.rows.size() && left.size() < queries; ++row) {
    if (among.empty() || among[row] != 0) left.push_back(row);
  }
  std::vector<std::uint32_t> rows;
  const std::size_t count = std::min(queries, sample_size);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t row = left[i * queries / count];
    if (index.labels[row] >= 0 && !is_empty(index.rows[row])) rows.push_back(row);
  }
  return rows;
}

Matches nearest(Searcher& searcher, std::span<const std::uint32_t> rows, const Measure& measure,
                const SearchOptions& run, std::size_t top) {
  SearchOptions options = run;
  options.question.measure = measure;
  options.top = top;
  ProgressDisplay display;
  options.run.progress = display.callback();
  return searcher.search_rows(rows, options);
}

std::size_t right_matches(const Index& index, const Matches& matches, std::size_t query,
                          std::int32_t label, std::size_t first) {
  const Ranked found = matches[query];
  std::size_t count = 0;
  for (std::size_t rank = 0; rank < std::min(first, found.size()); ++rank) {
    count += index.labels[static_cast<std::size_t>(found.row(rank))] == label ? 1 : 0;
  }
  return count;
}

/// What a sample of queries says about two measures.
struct Disagreement {
  std::size_t queries = 0;
  std::size_t only_first = 0;  ///< queries whose nearest row is right under the first alone
  std::size_t only_second = 0;
  std::vector<std::uint32_t> rows;  ///< most different first
};

Disagreement disagreement(const Index& index, std::span<const std::uint32_t> rows,
                          const Matches& first, const Matches& second) {
  struct Scored {
    std::size_t score;
    std::uint32_t row;
  };
  std::vector<Scored> scored;
  Disagreement found;
  found.queries = rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int32_t label = index.labels[rows[i]];
    const auto right = [&](const Matches& matches, std::size_t count) {
      return right_matches(index, matches, i, label, count);
    };
    const auto apart = [](std::size_t a, std::size_t b) { return a > b ? a - b : b - a; };
    const std::size_t nearest_first = right(first, 1);
    const std::size_t nearest_second = right(second, 1);
    found.only_first += nearest_first > nearest_second ? 1 : 0;
    found.only_second += nearest_second > nearest_first ? 1 : 0;
    const std::size_t score = 10 * apart(nearest_first, nearest_second) +
                              apart(right(first, first.top), right(second, second.top));
    if (score > 0) scored.push_back({score, rows[i]});
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const Scored& a, const Scored& b) { return a.score > b.score; });
  for (const Scored& entry : scored) found.rows.push_back(entry.row);
  return found;
}

// The neighbours of all `rows` under every measure.
std::vector<report::Example> examples(Searcher& searcher, std::span<const Measure> measures,
                                      std::span<const std::uint32_t> rows, const SearchOptions& run,
                                      std::size_t top) {
  const Index& index = searcher.index();
  std::vector<report::Example> result;
  for (const std::uint32_t row : rows) result.push_back({item(index, row), {}});
  for (std::size_t m = 0; m < measures.size(); ++m) {
    const Matches matches = nearest(searcher, rows, measures[m], run, top);
    const bool moves = index.kind != DataKind::images && facts(measures[m].kind).moves_mass;
    Question question = run.question;
    question.measure = measures[m];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      report::Answer answer{to_string(measures[m]), m, {}};
      for (const Match& match : matches[i]) {
        const auto row = static_cast<std::size_t>(match.row);
        answer.neighbours.push_back(
            {item(index, row), match.distance, index.labels[row] != index.labels[rows[i]], {}});
        // The nearest speaks for the others, so that a page stays a page.
        if (!moves || answer.neighbours.size() > 1) continue;
        answer.neighbours.back().moves = word_moves(
            app::explanation(index, index.rows[rows[i]], row, question, moves_of_example));
      }
      result[i].answers.push_back(std::move(answer));
    }
  }
  return result;
}

report::Gallery disagreement_gallery(std::span<const Measure> measures, const Pair& pair,
                                     const Disagreement& found) {
  const std::string first = to_string(measures[pair.first]);
  const std::string second = to_string(measures[pair.second]);
  return {fmt::format("Where {} and {} disagree", first, second),
          fmt::format("Of {} queries looked at, the nearest row has the right label under {} alone "
                      "for {} and under {} alone for {}. These differ most; neighbours with "
                      "another label than their query are marked \u2717.",
                      found.queries, first, found.only_first, second, found.only_second),
          {}};
}

}  // namespace

std::vector<report::Gallery> galleries(Searcher& searcher, std::span<const Measure> measures,
                                       std::size_t queries, const SearchOptions& options) {
  const Index& index = searcher.index();
  const std::vector<std::uint32_t> rows = sample(index, queries, options.among);
  if (rows.empty() || index.rows.size() < 2) return {};
  const std::size_t wanted = index.kind == DataKind::images ? shown_pictures : shown_titles;
  const std::size_t top = std::min(wanted, index.rows.size() - 1);
  std::vector<report::Gallery> result;
  std::vector<std::uint32_t> taken;
  if (const auto pair = rivals(measures)) {
    Disagreement found =
        disagreement(index, rows, nearest(searcher, rows, measures[pair->first], options, top),
                     nearest(searcher, rows, measures[pair->second], options, top));
    found.rows.resize(std::min(found.rows.size(), shown));
    taken = found.rows;
    result.push_back(disagreement_gallery(measures, *pair, found));
    result.back().examples = examples(searcher, measures, taken, options, top);
  }
  std::vector<std::uint32_t> others;
  for (std::size_t i = 0; i < rows.size() && others.size() < shown_by_chance; ++i) {
    // From the middle of equal parts of the sample: the first rows of a file are often all alike.
    const std::uint32_t row = rows[(2 * i + 1) * rows.size() /
                                   (2 * std::min(shown_by_chance, rows.size())) % rows.size()];
    if (std::find(taken.begin(), taken.end(), row) == taken.end()) others.push_back(row);
    taken.push_back(row);
  }
  result.push_back({"Queries and their neighbours",
                    "Some queries by chance, with their nearest rows under each measure.",
                    examples(searcher, measures, others, options, top)});
  return result;
}

}  // namespace navvy::cli
