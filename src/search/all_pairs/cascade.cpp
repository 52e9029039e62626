// The cascade for all rows against all: a lower bound for every pair, the asked distance for the
// pairs that can still enter a list, and a proof per row. What is left out of a list has a bound at
// least as large as the last that is in it; an answer is complete once its last distance is below
// that.

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/clock.hpp"
#include "search/all_pairs/knn.hpp"
#include "search/all_pairs/listing.hpp"
#include "search/answers.hpp"
#include "search/queries/queries.hpp"

namespace navvy::search {
namespace {

using backends::CandidateLists;
using Candidate = core::Candidate<float>;
using Answer = core::TopList<float>;
using Answers = std::vector<Answer>;                     // by row
using ToCost = std::vector<std::vector<std::uint32_t>>;  // rows to be costed, by row

class Cascade {
 public:
  Cascade(backends::PairStage& stage, const SearchOptions& options, core::Run& run,
          Matches& matches)
      : stage_(stage), options_(options), run_(run), matches_(matches), order_(stage.order()) {}

  void run(const Saving& saving) {
    const auto start = core::Clock::now();
    const std::size_t length = list_length();
    const core::Reservation reserved =
        run_.budget.reserve(n_ * refining_memory(length, options_.top), "the pairs to be refined");
    CandidateLists lists(n_, length, run_);
    if (has_limits(options_))
      for (std::size_t place = 0; place < n_; ++place)
        lists.start(place, float_limit(options_, order_[place]));
    if (!options_.among.empty()) lists.restrict_to(wanted_places());
    if (options_.border) lists.separate(*options_.border);
    list_pairs(stage_, lists, saving, run_);
    matches_.counters.stages.push_back({"coarse " + to_string(options_.question.measure),
                                        pairs_of(options_, n_), core::seconds_since(start)});
    refine(lists);
  }

 private:
  // The shorter the lists, the more have to grow; that costs time, not truth.
  [[nodiscard]] std::size_t list_length() const {
    std::size_t length = bounds_length(n_, options_.top);
    const std::uint64_t share = run_.budget.left() / n_ * 3 / 4;
    while (length > options_.top &&
           CandidateLists::least_memory(1, length) + refining_memory(length, options_.top) > share)
      length = std::max(options_.top, length - length / 8 - 1);
    return length;
  }

  [[nodiscard]] std::vector<std::uint8_t> wanted_places() const {
    std::vector<std::uint8_t> wanted;
    for (const std::uint32_t row : order_) wanted.push_back(is_among(options_, row) ? 1 : 0);
    return wanted;
  }

  [[nodiscard]] Answers empty_answers() const {
    Answers answers;
    answers.reserve(n_);
    for (std::size_t row = 0; row < n_; ++row) answers.push_back(empty_answer(row));
    return answers;
  }
  [[nodiscard]] Answer empty_answer(std::size_t row) const {
    return {options_.top, float_limit(options_, row), Answer::least_room(options_.top)};
  }

  // The asked measure for chosen pairs of rows, offered to the answers: all of them at once, or as
  // many rows at a time as half of the memory that is left allows.
  void cost(const ToCost& to_cost, Answers& answers) {
    const std::uint64_t most = run_.budget.left() / 2 / stage_.bytes_per_pair();
    for (std::size_t begin = 0; begin < n_;) {
      std::size_t end = begin;
      std::uint64_t pairs = 0;
      while (end < n_ && (end == begin || pairs + to_cost[end].size() <= most))
        pairs += to_cost[end++].size();
      if (pairs > 0) cost_some({begin, end}, pairs, to_cost, answers);
      begin = end;
    }
  }

  void cost_some(core::Range range, std::uint64_t count, const ToCost& to_cost, Answers& answers) {
    const core::Reservation reserved =
        run_.budget.reserve(count * stage_.bytes_per_pair(), "the pairs to be costed");
    backends::Pairs pairs;
    pairs.offsets.resize(n_ + 1);
    for (std::size_t row = 0; row < n_; ++row)
      pairs.offsets[row + 1] =
          pairs.offsets[row] +
          (row >= range.begin && row < range.end ? to_cost[row].size() : std::size_t{0});
    pairs.rows.resize(count);
    run_.pool.run(n_, [&](std::size_t row, unsigned) {
      if (pairs.offsets[row] == pairs.offsets[row + 1]) return;
      std::copy(to_cost[row].begin(), to_cost[row].end(),
                pairs.rows.begin() + static_cast<std::ptrdiff_t>(pairs.offsets[row]));
    });
    costed_ += count;
    stage_.cost(pairs, run_);
    run_.pool.run(n_, [&](std::size_t row, unsigned) {
      for (std::uint64_t p = pairs.offsets[row]; p < pairs.offsets[row + 1]; ++p)
        answers[row].offer(pairs.distances[p], pairs.rows[p]);
    });
  }

  // Lists are numbered by places, answers by rows.
  void refine(CandidateLists& lists) {
    const auto start = core::Clock::now();
    run_.pool.run(n_, [&](std::size_t place, unsigned) { lists.sorted(place); });
    // The nearest by their bounds first: they limit how far the rest must be looked at.
    const std::vector<std::size_t> first_counts = first_to_cost(lists, usual_reach(lists));
    Answers answers = empty_answers();
    ToCost to_cost(n_);
    run_.pool.run(n_, [&](std::size_t place, unsigned) {
      for (const Candidate& candidate : lists.sorted(place).first(first_counts[place]))
        to_cost[order_[place]].push_back(order_[candidate.row]);
    });
    cost(to_cost, answers);
    const std::vector<std::uint32_t> short_places =
        choose_rest(lists, first_counts, answers, to_cost);
    cost(to_cost, answers);
    grow(short_places, answers);
    run_.pool.run(n_,
                  [&](std::size_t row, unsigned) { put(answers[row].sorted(), row, matches_); });
    matches_.counters.stages.push_back(
        {to_string(options_.question.measure), costed_, core::seconds_since(start)});
    matches_.counters.list_growths = short_places.size();
  }

  // What of each list can still enter the answer. Returns the places whose lists end too early to
  // tell: what is not listed may be as near as what is in the answer.
  std::vector<std::uint32_t> choose_rest(CandidateLists& lists,
                                         const std::vector<std::size_t>& first_counts,
                                         Answers& answers, ToCost& to_cost) {
    std::vector<char> is_short(n_);
    run_.pool.run(n_, [&](std::size_t place, unsigned) {
      const std::uint32_t row = order_[place];
      answers[row].kept();
      to_cost[row].clear();
      const float limit = answers[row].threshold();
      is_short[place] = lists.beyond(place) <= limit && !std::isinf(lists.beyond(place));
      if (is_short[place]) return;
      for (const Candidate& candidate : lists.sorted(place).subspan(first_counts[place]))
        if (candidate.distance <= limit) to_cost[row].push_back(order_[candidate.row]);
    });
    std::vector<std::uint32_t> places;
    for (std::size_t place = 0; place < n_; ++place)
      if (is_short[place]) places.push_back(static_cast<std::uint32_t>(place));
    return places;
  }

  // How far beyond the bound of the last match the asked distance usually lies, as a factor: what a
  // few lists show when all that they hold is costed.
  float usual_reach(CandidateLists& lists) {
    const std::size_t step = n_ / 16 + 1;
    Answers answers = empty_answers();
    ToCost to_cost(n_);
    for (std::size_t place = 0; place < n_; place += step)
      for (const Candidate& candidate : lists.sorted(place))
        to_cost[order_[place]].push_back(order_[candidate.row]);
    cost(to_cost, answers);
    float reach = 1;
    for (std::size_t place = 0; place < n_; place += step) {
      const auto listed = lists.sorted(place);
      if (listed.size() < options_.top) continue;
      answers[order_[place]].kept();
      const float bound = listed[options_.top - 1].distance;
      if (bound > 0) reach = std::max(reach, answers[order_[place]].threshold() / bound);
    }
    return reach;
  }

  // Of each sorted list: as many as are asked for, and what is within reach of the last of these.
  std::vector<std::size_t> first_to_cost(CandidateLists& lists, float reach) {
    std::vector<std::size_t> counts(n_);
    run_.pool.run(n_, [&](std::size_t place, unsigned) {
      const auto listed = lists.sorted(place);
      std::size_t count = std::min(options_.top, listed.size());
      const float last = count == 0 ? 0 : listed[count - 1].distance * reach;
      while (count < listed.size() && listed[count].distance <= last) ++count;
      counts[place] = count;
    });
    return counts;
  }

  // For places whose lists were too short: all that can enter their answers is costed, what was
  // costed before included, so their answers begin anew.
  void grow(std::span<const std::uint32_t> places, Answers& answers) {
    if (places.empty()) return;
    std::vector<float> limits;
    limits.reserve(places.size());
    for (const std::uint32_t place : places) limits.push_back(answers[order_[place]].threshold());
    std::vector<backends::FoundRows> found;
    stage_.list_below(places, limits, found, run_);
    ToCost to_cost(n_);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::uint32_t row = order_[places[i]];
      std::erase_if(found[i].rows, [&](std::uint32_t other) {
        return !is_among(options_, other) || !is_across(options_, row, other);
      });
      to_cost[row] = std::move(found[i].rows);
      answers[row] = empty_answer(row);
    }
    cost(to_cost, answers);
  }

  backends::PairStage& stage_;
  const SearchOptions& options_;
  core::Run& run_;
  Matches& matches_;
  std::span<const std::uint32_t> order_;
  std::size_t n_ = order_.size();
  std::uint64_t costed_ = 0;
};

}  // namespace

// The bounds are close: half as many again as are asked for make nearly all lists complete.
std::size_t bounds_length(std::size_t rows, std::size_t top) {
  return std::min(top + top / 2 + 32, rows);
}

std::uint64_t refining_memory(std::size_t length, std::size_t top) {
  return sizeof(ToCost::value_type) + length * sizeof(std::uint32_t) +
         Answer::memory(Answer::least_room(top));
}

void refine_bounds(backends::PairStage& stage, const SearchOptions& options, const Saving& saving,
                   core::Run& run, Matches& matches) {
  Cascade(stage, options, run, matches).run(saving);
}

}  // namespace navvy::search
