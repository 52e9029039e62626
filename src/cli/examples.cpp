// Picks the queries that a report shows, and searches for their neighbours.
#include "cli/examples.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "app/evaluation.hpp"
#include "cli/answers.hpp"
#include "cli/plane.hpp"
#include "cli/progress.hpp"
#include "cli/report_items.hpp"
#include "navvy/rows.hpp"

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

/// Rows or queries of a test set, alike.
class Askers {
 public:
  explicit Askers(const ExampleRequest& request) : request_(request) {}

  [[nodiscard]] const Index& index() const { return request_.searcher.index(); }

  [[nodiscard]] std::string label(std::uint32_t asker) const {
    return request_.test == nullptr ? index().label(asker) : query(asker).label;
  }

  [[nodiscard]] Histogram histogram(std::uint32_t asker) const {
    return request_.test == nullptr ? index().rows[asker] : request_.test->histograms[asker];
  }

  [[nodiscard]] report::Item shown(std::uint32_t asker) const {
    return request_.test == nullptr ? item(index(), asker)
                                    : item(index(), query(asker), histogram(asker));
  }

  [[nodiscard]] Matches nearest(std::span<const std::uint32_t> askers, const Measure& measure,
                                std::size_t top) const {
    SearchOptions options = request_.options;
    options.question = app::under(options.question, measure);
    options.top = top;
    ProgressDisplay display;
    options.run.progress = display.callback();
    if (request_.test == nullptr) return request_.searcher.search_rows(askers, options);
    return request_.searcher.search(selected(request_.test->histograms, askers), options);
  }

 private:
  [[nodiscard]] const app::Query& query(std::uint32_t asker) const {
    return request_.test->list[asker];
  }

  const ExampleRequest& request_;
};

// Evenly spread over all that asked.
std::vector<std::uint32_t> some_of(std::span<const std::uint32_t> asked) {
  std::vector<std::uint32_t> some;
  const std::size_t count = std::min(asked.size(), sample_size);
  for (std::size_t i = 0; i < count; ++i) some.push_back(asked[i * asked.size() / count]);
  return some;
}

std::size_t right_matches(const Index& index, const Matches& matches, std::size_t query,
                          const std::string& label, std::size_t first) {
  const Ranked found = matches[query];
  std::size_t count = 0;
  for (std::size_t rank = 0; rank < std::min(first, found.size()); ++rank) {
    count += index.label(static_cast<std::size_t>(found.row(rank))) == label ? 1 : 0;
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

Disagreement disagreement(const Askers& askers, std::span<const std::uint32_t> rows,
                          const Matches& first, const Matches& second) {
  struct Scored {
    std::size_t score;
    std::uint32_t row;
  };
  std::vector<Scored> scored;
  Disagreement found;
  found.queries = rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string label = askers.label(rows[i]);
    const auto right = [&](const Matches& matches, std::size_t count) {
      return right_matches(askers.index(), matches, i, label, count);
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

// One measure's answer to a query.
report::Answer answer_of(const Askers& askers, std::uint32_t asker, const Question& question,
                         const Ranked& matches) {
  const Index& index = askers.index();
  const bool moves = !Plane::of(index) && facts(question.measure.kind).moves_mass;
  const std::string label = askers.label(asker);
  report::Answer answer{to_string(question.measure), 0, {}};
  for (const Match& match : matches) {
    const auto row = static_cast<std::size_t>(match.row);
    answer.neighbours.push_back({item(index, row), match.distance, index.label(row) != label, {}});
    // The nearest speaks for the others, so that a page stays a page.
    if (!moves || answer.neighbours.size() > 1) continue;
    answer.neighbours.back().moves = word_moves(
        app::explanation(index, askers.histogram(asker), row, question, moves_of_example));
  }
  return answer;
}

// The neighbours of some queries under the measures at some places.
std::vector<report::Example> examples(const ExampleRequest& request,
                                      std::span<const std::size_t> places,
                                      std::span<const std::uint32_t> queries, std::size_t top) {
  const Askers askers(request);
  std::vector<report::Example> result;
  for (const std::uint32_t query : queries) result.push_back({askers.shown(query), {}});
  for (const std::size_t place : places) {
    const Question question = app::under(request.options.question, request.measures[place]);
    const Matches matches = askers.nearest(queries, question.measure, top);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      result[i].answers.push_back(answer_of(askers, queries[i], question, matches[i]));
      result[i].answers.back().colour = place;
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

std::vector<report::Gallery> galleries(const ExampleRequest& request) {
  const Askers askers(request);
  const Index& index = askers.index();
  const std::vector<std::uint32_t> some = some_of(request.asked);
  if (some.empty() || index.rows.size() < 2) return {};
  const std::size_t wanted = Plane::of(index) ? shown_pictures : shown_titles;
  const std::size_t top = std::min(wanted, index.rows.size() - 1);
  std::vector<report::Gallery> result;
  std::vector<std::uint32_t> taken;
  if (const auto pair = rivals(request.measures)) {
    const auto under = [&](std::size_t place) {
      return askers.nearest(some, request.measures[place], top);
    };
    Disagreement found = disagreement(askers, some, under(pair->first), under(pair->second));
    found.rows.resize(std::min(found.rows.size(), shown));
    taken = found.rows;
    result.push_back(disagreement_gallery(request.measures, *pair, found));
    const std::size_t both[] = {pair->first, pair->second};
    result.back().examples = examples(request, both, taken, top);
  }
  std::vector<std::uint32_t> others;
  for (std::size_t i = 0; i < some.size() && others.size() < shown_by_chance; ++i) {
    // From the middle of equal parts of the sample: the first rows of a file are often all alike.
    const std::uint32_t row = some[(2 * i + 1) * some.size() /
                                   (2 * std::min(shown_by_chance, some.size())) % some.size()];
    if (std::find(taken.begin(), taken.end(), row) == taken.end()) others.push_back(row);
    taken.push_back(row);
  }
  std::vector<std::size_t> all(request.measures.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  result.push_back({"Queries and their neighbours",
                    "Some queries by chance, with their nearest rows under each measure.",
                    examples(request, all, others, top)});
  return result;
}

}  // namespace navvy::cli
