// The cascade for all rows against all: a lower bound in 16-bit integers for every pair, the asked
// relaxation for the pairs that can still enter a list, and a proof per row. What is left out of a
// list has a bound at least as large as the last that is in it; a list is complete once its last
// asked distance is below that.

#include <algorithm>
#include <limits>
#include <utility>
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
using Chosen = std::vector<std::vector<std::uint32_t>>;  // rows to be costed, by row

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

  void run(CoarsePlan plan) {
    const auto start = Clock::now();
    core::Budget stage = budget_;
    const std::size_t length = list_length();
    stage.take(std::uint64_t{n_} * list_bytes(length), "lists of nearest rows");
    CoarseTiles tiles(engine_, std::move(plan), pool_.threads());
    Lists lists(n_, core::TopList<float>(length));
    offer_coarse_pairs(tiles, options_.direction, stage, pool_, monitor_, lists);
    matches_.counters.stages.push_back({"coarse " + to_string(options_.measure),
                                        std::uint64_t{n_} * (n_ - 1), seconds_since(start)});
    refine(lists, tiles);
  }

 private:
  // A list, its pairs as they are chosen and costed, and the answer.
  [[nodiscard]] std::uint64_t list_bytes(std::size_t length) const {
    return core::TopList<float>::memory(length) + sizeof(Chosen::value_type) +
           length * (sizeof(std::uint32_t) + bytes_per_pair) +
           core::TopList<float>::memory(options_.top);
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

  // The asked measure for chosen pairs of rows, offered to the answers.
  void cost(const std::vector<std::uint32_t>& order, const Chosen& chosen, Lists& answers) {
    PairLists pairs;
    for (const auto& rows : chosen) pairs.offsets.push_back(pairs.offsets.back() + rows.size());
    if (pairs.offsets.back() == 0) return;
    pairs.rows.resize(pairs.offsets.back());
    pool_.run(n_, [&](std::size_t row, unsigned) {
      std::copy(chosen[row].begin(), chosen[row].end(),
                pairs.rows.begin() + static_cast<std::ptrdiff_t>(pairs.offsets[row]));
    });
    costed_ += pairs.rows.size();
    fill_distances(engine_, options_.measure, options_.direction, order, pool_, monitor_, pairs);
    pool_.run(n_, [&](std::size_t row, unsigned) {
      for (std::uint64_t p = pairs.offsets[row]; p < pairs.offsets[row + 1]; ++p)
        answers[row].offer(pairs.distances[p], pairs.rows[p]);
    });
  }

  // Lists are numbered by places, answers by rows.
  void refine(Lists& lists, CoarseTiles& tiles) {
    const auto start = Clock::now();
    const std::vector<std::uint32_t>& order = tiles.plan().order;
    const backends::CoarseScale& scale = tiles.plan().scale;
    pool_.run(n_, [&](std::size_t place, unsigned) { lists[place].sorted(); });
    // The nearest by their bounds first: they limit how far the rest must be looked at.
    const std::vector<std::size_t> first_counts = first_to_cost(lists, usual_reach(lists, tiles));
    Lists answers(n_, core::TopList<float>(options_.top));
    Chosen chosen(n_);
    pool_.run(n_, [&](std::size_t place, unsigned) {
      for (std::size_t i = 0; i < first_counts[place]; ++i)
        chosen[order[place]].push_back(order[lists[place].kept()[i].row]);
    });
    cost(order, chosen, answers);

    std::vector<char> is_short(n_);
    pool_.run(n_, [&](std::size_t place, unsigned) {
      const auto& listed = lists[place].kept();
      const std::uint32_t row = order[place];
      answers[row].kept();
      chosen[row].clear();
      const float bound = answers[row].threshold();
      const float beyond = lists[place].threshold();  // what is not listed is at least this far
      is_short[place] = beyond < no_bound && scale.lower_bound(beyond) <= bound;
      for (std::size_t i = first_counts[place]; !is_short[place] && i < listed.size(); ++i)
        if (scale.lower_bound(listed[i].distance) <= bound)
          chosen[row].push_back(order[listed[i].row]);
    });
    std::vector<std::uint32_t> too_short;
    for (std::size_t place = 0; place < n_; ++place)
      if (is_short[place]) too_short.push_back(static_cast<std::uint32_t>(place));
    grow(too_short, tiles, answers, chosen);
    cost(order, chosen, answers);
    pool_.run(n_, [&](std::size_t row, unsigned) { put(answers[row].sorted(), row, matches_); });
    matches_.counters.stages.push_back(
        {to_string(options_.measure), costed_, seconds_since(start)});
    matches_.counters.list_growths = too_short.size();
  }

  // How far beyond the coarse distance of the last match the asked one usually lies, as a factor:
  // what a few lists show when all that they hold is costed.
  float usual_reach(Lists& lists, const CoarseTiles& tiles) {
    const std::vector<std::uint32_t>& order = tiles.plan().order;
    const std::size_t step = n_ / 16 + 1;
    Lists answers(n_, core::TopList<float>(options_.top));
    Chosen chosen(n_);
    for (std::size_t place = 0; place < n_; place += step)
      for (const Candidate& candidate : lists[place].kept())
        chosen[order[place]].push_back(order[candidate.row]);
    cost(order, chosen, answers);
    float reach = 1;
    for (std::size_t place = 0; place < n_; place += step) {
      const auto& listed = lists[place].kept();
      if (listed.size() < options_.top) continue;
      answers[order[place]].kept();
      const float coarse = tiles.plan().scale.lower_bound(listed[options_.top - 1].distance);
      if (coarse > 0) reach = std::max(reach, answers[order[place]].threshold() / coarse);
    }
    return reach;
  }

  // Of each sorted list: as many as are asked for, and what is within reach of the last of these.
  std::vector<std::size_t> first_to_cost(Lists& lists, float reach) {
    std::vector<std::size_t> counts(n_);
    pool_.run(n_, [&](std::size_t place, unsigned) {
      const auto& listed = lists[place].kept();
      std::size_t count = std::min(options_.top, listed.size());
      const float last = count == 0 ? 0 : listed[count - 1].distance * reach;
      while (count < listed.size() && listed[count].distance <= last) ++count;
      counts[place] = count;
    });
    return counts;
  }

  // For places whose lists were too short: all that can enter their answers is chosen, what was
  // costed before included, so their answers begin anew.
  void grow(const std::vector<std::uint32_t>& places, CoarseTiles& tiles, Lists& answers,
            Chosen& chosen) {
    const std::vector<std::uint32_t>& order = tiles.plan().order;
    const backends::CoarseScale& scale = tiles.plan().scale;
    coarse_rows(tiles, options_.direction, places, pool_, monitor_,
                [&](const CoarseRange& costs, unsigned) {
                  const std::uint32_t row = order[costs.place];
                  const float bound = answers[row].threshold();
                  for (std::size_t i = 0; i < costs.values.size(); ++i) {
                    const std::uint32_t other = order[costs.first + i];
                    if (scale.lower_bound(costs.values[i]) <= bound && other != row &&
                        !engine_.rows.is_empty(other))
                      chosen[row].push_back(other);
                  }
                });
    for (const std::uint32_t place : places)
      answers[order[place]] = core::TopList<float>(options_.top);
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
  if (auto plan = plan_coarse(engine, options, budget, pool, monitor))
    Cascade(engine, options, budget, pool, monitor, matches).run(*std::move(plan));
  else
    knn_tiles(engine, options, budget, pool, monitor, matches);
}

}  // namespace navvy::search
