// The cascade for all rows against all: a lower bound in 16-bit integers for every pair, the asked
// relaxation for the pairs that can still enter a list, and a proof per row. What is left out of a
// list has a bound at least as large as the last that is in it; a list is complete once its last
// asked distance is below that.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "search/clock.hpp"
#include "search/coarse_pairs.hpp"
#include "search/coarse_plan.hpp"
#include "search/coarse_rows.hpp"
#include "search/knn.hpp"
#include "search/pair_lists.hpp"

namespace navvy::search {
namespace {

using Candidate = core::Candidate<float>;

constexpr float no_bound = std::numeric_limits<float>::infinity();

class Cascade {
 public:
  Cascade(const Engine& engine, const SearchOptions& options, core::Budget& budget,
          core::ThreadPool& pool, core::Monitor& monitor, Matches& matches)
      : engine_(engine),
        options_(options),
        budget_(budget),
        pool_(pool),
        monitor_(monitor),
        matches_(matches),
        n_(engine.rows.rows()) {}

  void run(const CoarsePlan& plan) {
    const auto start = Clock::now();
    core::Budget stage = budget_;
    const std::size_t length = list_length();
    stage.take(std::uint64_t{n_} * list_bytes(length), "lists of nearest rows");
    CoarseTiles tiles(engine_, plan, pool_.threads());
    Lists lists = empty_lists(tiles, length, stage);
    offer_coarse_pairs(tiles, engine_.rows, options_.direction, stage, pool_, monitor_, lists);
    matches_.counters.stages.push_back({"coarse " + to_string(options_.measure),
                                        std::uint64_t{n_} * (n_ - 1), seconds_since(start)});
    refine(lists, tiles);
  }

 private:
  // A list, and its pairs while they are costed.
  static std::uint64_t list_bytes(std::size_t length) {
    return core::TopList<float>::memory(length) + length * bytes_per_pair;
  }

  // The bounds are close: half as many again as are asked for make nearly all lists complete. The
  // shorter the lists, the more have to grow; that costs time, not truth.
  [[nodiscard]] std::size_t list_length() const {
    std::size_t length = std::min(options_.top + options_.top / 2 + 32, n_);
    const std::uint64_t share = budget_.left() / 2 / n_;
    while (length > options_.top && list_bytes(length) > share)
      length = std::max(options_.top, length - length / 8 - 1);
    return length;
  }

  // Lists that take nothing beyond what a sample of the rows makes a safe guess: far fewer offers.
  // A wrong guess shows in refine().
  Lists empty_lists(CoarseTiles& tiles, std::size_t length, const core::Budget& stage) {
    Lists lists(n_, core::TopList<float>(length));
    if (!stage.fits(tiles.memory_fixed() + tiles.memory_per_query() * (n_ + tile_size)))
      return lists;
    tiles.prepare(0, {0, n_}, pool_, monitor_);
    constexpr std::size_t step = 31;
    std::vector<std::uint32_t> sample;
    for (std::size_t row = 0; row < n_; row += step)
      if (!engine_.rows.is_empty(row)) sample.push_back(static_cast<std::uint32_t>(row));
    // So many of the sample are expected among a row's nearest, with three deviations to spare.
    const double expected = static_cast<double>(length * sample.size()) / static_cast<double>(n_);
    const auto rank = static_cast<std::size_t>(expected + 3 * std::sqrt(expected) + 1);
    std::vector<Lists> found(pool_.threads(), Lists(n_, core::TopList<float>(rank)));
    coarse_rows(engine_, tiles, options_.direction, sample, pool_, monitor_,
                [&](const CoarseRange& costs, unsigned thread) {
                  for (std::size_t i = 0; i < costs.values.size(); ++i)
                    found[thread][costs.first + i].offer(costs.values[i], costs.row);
                });
    pool_.run(n_, [&](std::size_t row, unsigned) {
      core::TopList<float>& all = found[0][row];
      for (std::size_t thread = 1; thread < found.size(); ++thread)
        for (const Candidate& candidate : found[thread][row].kept())
          all.offer(candidate.distance, candidate.row);
      all.kept();
      lists[row] = core::TopList<float>(length, all.threshold());
    });
    return lists;
  }

  // The asked measure for chosen pairs, offered to the answers.
  void cost(PairLists& pairs, Lists& answers) {
    costed_ += pairs.rows.size();
    fill_distances(engine_.index, engine_.rows, *engine_.small, options_.measure,
                   options_.direction, pool_, monitor_, pairs);
    for (std::size_t row = 0; row < n_; ++row)
      for (std::uint64_t p = pairs.offsets[row]; p < pairs.offsets[row + 1]; ++p)
        answers[row].offer(pairs.distances[p], pairs.rows[p]);
  }

  void refine(Lists& lists, CoarseTiles& tiles) {
    const auto start = Clock::now();
    const backends::CoarseScale& scale = tiles.plan().scale;
    // The nearest by their bounds first: they limit how far the rest must be looked at.
    const std::size_t first_count = options_.top + options_.top / 8;
    Lists answers(n_, core::TopList<float>(options_.top));
    PairLists first;
    pool_.run(n_, [&](std::size_t row, unsigned) { lists[row].sorted(); });
    for (std::size_t row = 0; row < n_; ++row) {
      const auto& listed = lists[row].kept();
      for (std::size_t i = 0; i < std::min(first_count, listed.size()); ++i)
        first.rows.push_back(listed[i].row);
      first.offsets.push_back(first.rows.size());
    }
    cost(first, answers);

    std::vector<std::vector<std::uint32_t>> more(n_);
    std::vector<std::uint32_t> too_short;
    for (std::size_t row = 0; row < n_; ++row) {
      const auto& listed = lists[row].kept();
      answers[row].kept();
      const float bound = answers[row].threshold();
      const float beyond = lists[row].threshold();  // what is not listed is at least this far
      if (beyond < no_bound && scale.lower_bound(beyond) <= bound)
        too_short.push_back(static_cast<std::uint32_t>(row));
      else
        for (std::size_t i = std::min(first_count, listed.size()); i < listed.size(); ++i)
          if (scale.lower_bound(listed[i].distance) <= bound) more[row].push_back(listed[i].row);
    }
    grow(too_short, tiles, answers, more);
    PairLists second;
    for (const auto& rows : more) {
      second.rows.insert(second.rows.end(), rows.begin(), rows.end());
      second.offsets.push_back(second.rows.size());
    }
    if (!second.rows.empty()) cost(second, answers);
    for (std::size_t row = 0; row < n_; ++row) put(answers[row].sorted(), row, matches_);
    matches_.counters.stages.push_back(
        {to_string(options_.measure), costed_, seconds_since(start)});
    matches_.counters.list_growths = too_short.size();
  }

  // For rows whose lists were too short: all that can enter their answers is costed, what was
  // costed before included, so their answers begin anew.
  void grow(const std::vector<std::uint32_t>& rows, CoarseTiles& tiles, Lists& answers,
            std::vector<std::vector<std::uint32_t>>& more) {
    const backends::CoarseScale& scale = tiles.plan().scale;
    coarse_rows(engine_, tiles, options_.direction, rows, pool_, monitor_,
                [&](const CoarseRange& costs, unsigned) {
                  const float bound = answers[costs.row].threshold();
                  for (std::size_t i = 0; i < costs.values.size(); ++i) {
                    const auto other = static_cast<std::uint32_t>(costs.first + i);
                    if (scale.lower_bound(costs.values[i]) <= bound && other != costs.row &&
                        !engine_.rows.is_empty(other))
                      more[costs.row].push_back(other);
                  }
                });
    for (const std::uint32_t row : rows) answers[row] = core::TopList<float>(options_.top);
  }

  const Engine& engine_;
  const SearchOptions& options_;
  core::Budget& budget_;
  core::ThreadPool& pool_;
  core::Monitor& monitor_;
  Matches& matches_;
  std::size_t n_;
  std::uint64_t costed_ = 0;
};

}  // namespace

void knn_small(const Engine& engine, const SearchOptions& options, core::Budget& budget,
               core::ThreadPool& pool, core::Monitor& monitor, Matches& matches) {
  // RWMD in floats is one multiply-add per bin already.
  std::optional<CoarsePlan> plan;
  if (options.measure.kind != MeasureKind::rwmd)
    plan = plan_coarse(engine, options, budget, pool, monitor);
  if (plan)
    Cascade(engine, options, budget, pool, monitor, matches).run(*plan);
  else
    knn_tiles(engine, options, budget, pool, monitor, matches);
}

}  // namespace navvy::search
