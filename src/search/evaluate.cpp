// Precision of nearest-neighbour lists against labels.
#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/clock.hpp"
#include "navvy/error.hpp"
#include "navvy/rows.hpp"
#include "navvy/search.hpp"
#include "search/row_part.hpp"

namespace navvy {
namespace {

constexpr std::int32_t no_label = -1;

/// Whoever might ask: what it is labelled, by place in `names`, which begin with those of the
/// index.
struct Askers {
  std::vector<std::int32_t> labels;  ///< of all rows or queries
  std::vector<std::string> names;
};

// The rows that can be found: those that are left and have weight, in order.
std::vector<std::uint32_t> rows_to_find(const Index& index, const Array<std::uint8_t>& among) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < index.rows.size(); ++row)
    if ((among.empty() || among[row] != 0) && !is_empty(index.rows[row])) rows.push_back(row);
  return rows;
}

Askers rows_as_askers(const Index& index) {
  Askers askers;
  askers.labels.assign(index.labels.begin(), index.labels.end());
  for (std::size_t i = 0; i < index.label_names.size(); ++i)
    askers.names.emplace_back(index.label_names[i]);
  return askers;
}

Askers queries_as_askers(const Index& index, const LabelledQueries& test) {
  Askers askers = rows_as_askers(index);
  std::map<std::string, std::int32_t> places;
  for (std::size_t i = 0; i < askers.names.size(); ++i)
    places.emplace(askers.names[i], static_cast<std::int32_t>(i));
  askers.labels.clear();
  for (const std::string& label : test.labels) {
    if (label.empty()) {
      askers.labels.push_back(no_label);
      continue;
    }
    const auto place = static_cast<std::int32_t>(askers.names.size());
    const auto [entry, is_new] = places.emplace(label, place);
    if (is_new) askers.names.push_back(label);
    askers.labels.push_back(entry->second);
  }
  return askers;
}

// Who asks: a sample of those that are left, have a label and weight. The others are counted.
void choose_askers(const Askers& askers, const Histograms& histograms,
                   const EvaluateOptions& options, bool rows, Evaluation& evaluation) {
  std::vector<std::uint32_t> able;
  for (std::uint32_t i = 0; i < histograms.size(); ++i) {
    if (rows && !options.among.empty() && options.among[i] == 0) continue;
    if (askers.labels[i] == no_label) {
      ++evaluation.unlabelled;
    } else if (is_empty(histograms[i])) {
      ++evaluation.empty;
    } else {
      able.push_back(i);
    }
  }
  if (able.empty())
    throw Error(ErrorCode::usage, "nothing can ask: none of " + std::to_string(histograms.size()) +
                                      (rows ? " rows" : " queries") + " has a label and weight");
  const auto size = static_cast<std::uint32_t>(able.size());
  for (const std::uint32_t place :
       sample(size, options.queries == 0 ? size : options.queries, options.seed))
    evaluation.asked.push_back(able[place]);
  evaluation.queries = evaluation.asked.size();
  evaluation.candidates = size;
}

Estimate scaled(const Estimate& value, double length) {
  return {value.mean / length, value.low / length, value.high / length};
}

// Counts of equal labels as shares, for some of those that asked.
std::vector<Estimate> precision_of(const Evaluation& evaluation,
                                   std::span<const std::size_t> which) {
  std::vector<Estimate> precision;
  for (std::size_t place = 0; place < evaluation.tops.size(); ++place) {
    std::vector<double> counts;  // whole numbers: their sum is exact
    for (const std::size_t i : which)
      counts.push_back(evaluation.equal[i * evaluation.tops.size() + place]);
    const auto length = static_cast<double>(evaluation.tops[place]);
    precision.push_back(scaled(estimate(counts, 0, length), length));
  }
  return precision;
}

// `answers` are by number of who asked where there is one for each that might, else in order.
void count_equal(const Index& index, const Askers& askers, const Matches& answers,
                 Evaluation& evaluation) {
  const bool for_each = answers.queries == askers.labels.size();
  for (std::size_t i = 0; i < evaluation.asked.size(); ++i) {
    const std::uint32_t asker = evaluation.asked[i];
    const Ranked nearest = answers[for_each ? asker : i];
    for (const std::size_t top : evaluation.tops) {
      std::uint32_t equal = 0;
      for (std::size_t rank = 0; rank < std::min(top, nearest.size()); ++rank) {
        const auto row = static_cast<std::size_t>(nearest.row(rank));
        equal += index.labels[row] == askers.labels[asker] ? 1U : 0U;
      }
      evaluation.equal.push_back(equal);
    }
  }
}

void summarize(const Index& index, const Askers& askers, Evaluation& evaluation) {
  std::vector<std::vector<std::size_t>> of_label(askers.names.size());
  std::vector<std::size_t> all(evaluation.asked.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = i;
    of_label[static_cast<std::size_t>(askers.labels[evaluation.asked[i]])].push_back(i);
  }
  evaluation.precision = precision_of(evaluation, all);
  for (std::size_t label = 0; label < of_label.size(); ++label) {
    if (of_label[label].empty()) continue;
    evaluation.classes.push_back(
        {askers.names[label], of_label[label].size(), precision_of(evaluation, of_label[label])});
    if (label >= index.label_names.size()) evaluation.unknown_labels += of_label[label].size();
  }
}

void check(const Index& index, const EvaluateOptions& options) {
  if (index.labels.empty())
    throw Error(ErrorCode::usage, "the index has no labels to evaluate against");
  search::check_choice(options.among, index.rows.size());
}

// `others`: a row does not find itself.
std::size_t longest_list(const EvaluateOptions& options, std::size_t rows, bool others) {
  if (options.tops.empty()) throw Error(ErrorCode::usage, "no length of lists to evaluate");
  const std::size_t found = others ? rows - std::min<std::size_t>(1, rows) : rows;
  const auto [least, most] = std::ranges::minmax(options.tops);
  if (least == 0 || most > found)
    throw Error(ErrorCode::usage, "top " + std::to_string(least == 0 ? least : most) +
                                      " asked for, but a " + (others ? "row has " : "query has ") +
                                      std::to_string(found) +
                                      (others ? " others to find" : " rows to find"));
  return most;
}

/// Times the distance and top work.
class Stopwatch {
 public:
  void stop(Evaluation& evaluation) const {
    evaluation.seconds = core::seconds_since(start_);
    evaluation.cpu_seconds = core::cpu_seconds() - cpu_start_;
  }

 private:
  core::Clock::time_point start_ = core::Clock::now();
  double cpu_start_ = core::cpu_seconds();
};

SearchOptions search_options(const EvaluateOptions& options, std::size_t top) {
  SearchOptions search;
  search.question = options.question;
  search.run = options.run;
  search.among = options.among;
  search.top = top;
  return search;
}

}  // namespace

Evaluation Searcher::evaluate(const EvaluateOptions& options) const {
  const Index& source = index();
  check(source, options);
  const std::vector<std::uint32_t> rows = rows_to_find(source, options.among);
  const SearchOptions search = search_options(options, longest_list(options, rows.size(), true));
  Evaluation evaluation{.measure = options.question.measure, .tops = options.tops};
  const Askers askers = rows_as_askers(source);
  choose_askers(askers, source.rows, options, true, evaluation);

  prepare(options.question, options.run, options.among);
  const Stopwatch watch;
  // All rows at once are answered faster, and have a place each in the answer.
  const bool all = evaluation.asked.size() == rows.size();
  Matches matches = all ? knn(search) : search_rows(evaluation.asked, search);
  watch.stop(evaluation);
  evaluation.distances = evaluation.queries * (rows.size() - 1);
  count_equal(source, askers, matches, evaluation);
  summarize(source, askers, evaluation);
  evaluation.counters = std::move(matches.counters);
  return evaluation;
}

Evaluation Searcher::evaluate(const LabelledQueries& test, const EvaluateOptions& options) const {
  const Index& source = index();
  check(source, options);
  if (test.labels.size() != test.histograms.size())
    throw Error(ErrorCode::usage, std::to_string(test.histograms.size()) + " queries with " +
                                      std::to_string(test.labels.size()) +
                                      " labels; expected one each");
  const std::size_t rows = rows_to_find(source, options.among).size();
  const SearchOptions search = search_options(options, longest_list(options, rows, false));
  Evaluation evaluation{.measure = options.question.measure, .tops = options.tops};
  const Askers askers = queries_as_askers(source, test);
  choose_askers(askers, test.histograms, options, false, evaluation);

  prepare(options.question, options.run, options.among);
  const Stopwatch watch;
  Matches matches =
      this->search(selected(test.histograms, evaluation.asked), test.vocabulary, search);
  watch.stop(evaluation);
  evaluation.distances = evaluation.queries * rows;
  count_equal(source, askers, matches, evaluation);
  summarize(source, askers, evaluation);
  evaluation.counters = std::move(matches.counters);
  return evaluation;
}

}  // namespace navvy
